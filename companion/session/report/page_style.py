"""The CSS of the battle report: for computer screens, tablets, phones and print."""

STYLE = """
:root{color-scheme:light;--ink:#262421;--soft:#68635a;--paper:#faf9f6;--rule:#d6cfbe;--card:#fff}
*{box-sizing:border-box}
html{scroll-behavior:smooth}
body{margin:0 auto;max-width:72rem;padding:0 1.5rem 3rem;background:var(--paper);color:var(--ink);
font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif}
header{text-align:center;padding:2.2rem 0 1rem}
h1{font-size:1.5rem;margin:0;font-weight:600;letter-spacing:.01em}
h2{margin:2.4rem 0 .8rem;border-bottom:2px solid var(--rule);padding-bottom:.2rem;
scroll-margin-top:3rem}
h3{font-size:.95rem;margin:0 0 .3rem;color:var(--soft);font-weight:600}
.score{margin:.4rem 0 0;font-size:4.2rem;line-height:1;font-weight:700;display:flex;gap:1.2rem;
justify-content:center;font-variant-numeric:tabular-nums}
.points small{display:block;font-size:.95rem;font-weight:600;margin-top:.4rem}
.points.winner small::after{content:" \\265B"}
.colon{color:var(--rule)}
.outcome{font-size:1.2rem;font-weight:600;margin:.9rem 0 .3rem}
.facts{color:var(--soft);padding:0;margin:0;list-style:none;font-size:.9rem}
.facts li{display:inline-block;margin:0 .75rem}
.armies{display:grid;grid-template-columns:repeat(auto-fit,minmax(18rem,1fr));gap:1rem;
margin-top:1.2rem}
.army{background:var(--card);border:1px solid var(--rule);border-top:.4rem solid;
border-radius:.4rem;padding:.8rem 1rem}
.army h2{border:0;margin:0;font-size:1.15rem;padding:0}
.leader{margin:0 0 .4rem;color:var(--soft)}
.army ul{list-style:none;margin:0;padding:0}
.army li{display:flex;gap:.6rem;align-items:baseline;padding:.18rem 0;
border-top:1px solid var(--rule)}
.cost{min-width:1.6rem;text-align:right;color:var(--soft);font-variant-numeric:tabular-nums}
.who{flex:1}
.fate{color:var(--soft);font-size:.88rem;text-align:right}
.lost .who{text-decoration:line-through;color:var(--soft)}
nav{position:sticky;top:0;z-index:1;background:var(--paper);border-bottom:1px solid var(--rule);
padding:.5rem 0;margin-top:2rem;display:flex;gap:.4rem;flex-wrap:wrap}
nav a{color:var(--ink);text-decoration:none;border:1px solid var(--rule);border-radius:1rem;
padding:.1rem .8rem;background:var(--card);font-size:.9rem}
.turns{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(20rem,100%),1fr));gap:.8rem;
align-items:start}
.turn{background:var(--card);border:1px solid var(--rule);border-top:.35rem solid var(--rule);
border-radius:.4rem;padding:.7rem .9rem;break-inside:avoid}
.turn:focus-within{grid-column:1/-1}
ol.steps{padding:0;margin:0;list-style:none}
ol.steps li{padding:.12rem 0}
.note{font-style:italic;color:var(--soft)}
.note::before{content:"\\201C"}.note::after{content:"\\201D"}
.rolled{display:flex;flex-wrap:wrap;gap:.2rem 1rem;margin:.1rem 0}
.dice{display:inline-flex;flex-wrap:wrap;gap:.22rem;align-items:center}
.die{border:1px solid var(--soft);border-radius:.28rem;min-width:1.45rem;text-align:center;
font-variant-numeric:tabular-nums;line-height:1.35rem;font-size:.85rem;background:#fff}
.die.d3{border-radius:50%;border-style:dashed}
.why{font-size:.85rem;color:var(--soft);margin-right:.2rem}
figure{margin:.6rem 0 0;cursor:zoom-in}
figure:focus{cursor:zoom-out;outline:none}
img{display:block;width:100%;height:auto;border:1px solid var(--rule);border-radius:.2rem}
.chart{width:100%;max-width:52rem;height:auto;background:var(--card);border:1px solid var(--rule);
border-radius:.4rem;display:block;margin:0 auto}
.chart .grid{stroke:var(--rule)}.chart .axis{font-size:12px;fill:var(--soft)}
.chart .name{font-size:14px;font-weight:600}
table{border-collapse:collapse;margin:.6rem 0;background:var(--card)}
th,td{padding:.3rem .8rem;border:1px solid var(--rule);text-align:right;min-width:3rem;
font-variant-numeric:tabular-nums}
th:first-child,td:first-child{text-align:left}
td i{display:block;height:.3rem;margin-top:.15rem;border-radius:.15rem}
@media(max-width:30rem){body{padding:0 .7rem 2rem}.score{font-size:3rem}th,td{padding:.25rem .35rem;
min-width:1.8rem}}
@media print{nav{display:none}body{max-width:none}.turns{grid-template-columns:1fr 1fr}}
"""
