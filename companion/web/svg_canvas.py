"""A canvas that writes SVG: the map of a table as a picture that a browser can enlarge."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from companion.overlay.canvas import Canvas, TextLine, block_size
from companion.overlay.icons import Texture
from companion.overlay.map_theme import Colour
from companion.overlay.view_frame import PointPx


class SvgCanvas(Canvas):
    """Collects the elements of a picture; hatchings and textures are patterns."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self._elements: list[str] = []
        self._patterns: dict[tuple[object, ...], str] = {}

    def fill(
        self,
        outline: Sequence[PointPx],
        colour: Colour,
        opacity: float = 1.0,
        holes: Sequence[Sequence[PointPx]] = (),
    ) -> None:
        """Fill a polygon."""
        self._pour_svg(outline, holes, css(colour), opacity)

    def line(
        self,
        points: Sequence[PointPx],
        colour: Colour,
        width: float,
        opacity: float = 1.0,
        dash: tuple[float, float] | None = None,
    ) -> None:
        """Draw a line, dashed if `dash` is given."""
        if opacity <= 0 or len(points) < 2:
            return
        dashed = f' stroke-dasharray="{dash[0]:.3g} {dash[1]:.3g}"' if dash else ""
        self._elements.append(
            f'<path d="{path(points)}" fill="none" stroke="{css(colour)}"'
            f' stroke-width="{width:.3g}"{see_through("stroke-opacity", opacity)}{dashed}/>'
        )

    def hatch(
        self,
        outline: Sequence[PointPx],
        colour: Colour,
        opacity: float,
        angle_deg: float,
        gap: float,
        width: float,
        holes: Sequence[Sequence[PointPx]] = (),
    ) -> None:
        """Fill a polygon with parallel strokes."""
        key = ("hatch", colour, round(angle_deg), round(gap, 1), round(width, 1))
        name = self._pattern(
            key,
            (gap, gap),
            f'<path d="M0 {gap / 2:.3g}H{gap:.3g}" stroke="{css(colour)}"'
            f' stroke-width="{width:.3g}"/>',
            f' patternTransform="rotate({-angle_deg:.0f})"',
        )
        self._pour_svg(outline, holes, f"url(#{name})", opacity)

    def scatter(
        self,
        outline: Sequence[PointPx],
        colour: Colour,
        opacity: float,
        texture: Texture,
        unit: float,
    ) -> None:
        """Fill a polygon with small symbols in staggered rows."""
        wide, high = texture.gap[0] * unit, 2 * texture.gap[1] * unit
        spots = [(x, y) for x in (0.0, wide) for y in (0.0, high)] + [(wide / 2, high / 2)]
        strokes = (
            path([(x + dx * unit, y + dy * unit) for dx, dy in stroke])
            for x, y in spots
            for stroke in texture.strokes
        )
        drawing = (
            f'<path d="{"".join(strokes)}" fill="none" stroke="{css(colour)}"'
            f' stroke-width="{texture.weight * unit:.3g}"/>'
        )
        name = self._pattern(("scatter", id(texture), colour, unit), (wide, high), drawing)
        self._pour_svg(outline, (), f"url(#{name})", opacity)

    def reduce(self) -> None:
        """Nothing to do: a browser draws it in any size."""

    def draw_text(
        self,
        centre: PointPx,
        lines: Sequence[TextLine],
        colour: Colour,
        halo: tuple[Colour, float] | None = None,
        tilt_deg: float = 0.0,
    ) -> None:
        """Write lines of text around a point."""
        total, y = block_size(lines)[1], centre[1]
        y -= total / 2
        edge = (
            f' stroke="{css(halo[0])}" stroke-width="{2 * halo[1]:.3g}" paint-order="stroke"'
            if halo is not None
            else ""
        )
        turn = f' transform="rotate({-tilt_deg:.1f} {point(centre)})"' if tilt_deg else ""
        for line in lines:
            high = total * line.size / sum(one.size for one in lines)
            y += high / 2
            bold = ' font-weight="700"' if line.bold else ""
            self._elements.append(
                f'<text x="{centre[0]:.1f}" y="{y:.1f}" font-size="{line.size}"{bold}'
                f' fill="{css(colour)}"{edge}{turn}>{escape(line.text)}</text>'
            )
            y += high / 2

    def _pattern(
        self, key: tuple[object, ...], size: tuple[float, float], drawing: str, more: str = ""
    ) -> str:
        name = f"p{len(self._patterns)}"
        if key not in self._patterns:
            self._patterns[key] = (
                f'<pattern id="{name}" width="{size[0]:.4g}" height="{size[1]:.4g}"'
                f' patternUnits="userSpaceOnUse"{more}>{drawing}</pattern>'
            )
        return f"p{list(self._patterns).index(key)}"

    def _pour_svg(
        self,
        outline: Sequence[PointPx],
        holes: Sequence[Sequence[PointPx]],
        paint: str,
        opacity: float,
    ) -> None:
        if opacity <= 0 or len(outline) < 3:
            return
        rings = "".join(f"{path(ring)}Z" for ring in (outline, *holes) if len(ring) > 2)
        rule = ' fill-rule="evenodd"' if holes else ""
        seen = see_through("fill-opacity", opacity)
        self._elements.append(f'<path d="{rings}" fill="{paint}"{seen}{rule}/>')

    def svg(self) -> str:
        """The whole picture."""
        return (
            '<svg xmlns="http://www.w3.org/2000/svg"'
            f' viewBox="0 0 {self.width} {self.height}" width="{self.width}"'
            f' height="{self.height}" text-anchor="middle" dominant-baseline="central"'
            ' font-family="PT Sans,system-ui,sans-serif" stroke-linejoin="round">'
            f"<defs>{''.join(self._patterns.values())}</defs>{''.join(self._elements)}</svg>"
        )


def css(colour: Colour) -> str:
    """A colour as CSS writes it."""
    return "#{:02x}{:02x}{:02x}".format(*colour)


def see_through(name: str, opacity: float) -> str:
    """The attribute of an opacity; nothing where all is opaque."""
    return f' {name}="{opacity:.2g}"' if opacity < 1 else ""


def point(place: PointPx) -> str:
    """A place as SVG writes it."""
    return f"{place[0]:.1f} {place[1]:.1f}"


def path(points: Sequence[PointPx]) -> str:
    """A line through points, in whole steps and tenths of a pixel."""
    return "M" + "L".join(map(point, points))
