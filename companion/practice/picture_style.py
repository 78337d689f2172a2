"""The style of a rendered picture: lens blur, light, noise, tone curve."""

from __future__ import annotations

from dataclasses import dataclass

from companion.practice.tone import TONES
from models.errors import UnknownName


@dataclass(frozen=True, slots=True)
class PictureStyle:
    """The state of the camera and the room while a picture is taken.

    Lengths are in pixels of the picture; light is linear, 1 is where the sensor saturates.
    """

    seed: int = 0
    blur_px: float = 0.7
    """Standard deviation of the Gaussian blur of a lens in focus."""
    defocus_px: float = 0.0
    """Radius of the disc that a point becomes when out of focus."""
    shake_px: tuple[float, float] = (0.0, 0.0)
    """How far the picture moves during the exposure; the truth is the middle."""
    level: float = 0.75
    """Light reflected by white paper where the room is brightest."""
    uneven: float = 0.3
    """How much darker the side away from the lamp is, 0 to 1."""
    vignette: float = 0.2
    """How much darker the picture's corners are, 0 to 1."""
    shadow: float = 0.0
    """Depth of a broad soft-edged shadow across the table, 0 to 1."""
    glare: float = 0.0
    """Light added where the table reflects a lamp, 0 to 1 and more."""
    warmth: float = 0.0
    """Colour of the light: -1 bluish, 1 yellowish."""
    well: float = 5000.0
    """Electrons of a saturated pixel; fewer mean more shot noise."""
    read: float = 5.0
    """Read noise in electrons."""
    tone: str = "srgb"
    """Name of the tone curve, see `tone.TONES`."""
    jpeg: int = 88
    """JPEG quality, 0 for none."""
    figures: bool = True
    """Whether there are models on the trays."""
    mat: str = "grass"
    """The kind of mat: grass, snow, stone, sand."""
    margin_modules: float = 1.0
    """White paper around each tag, in modules of the tag."""

    def __post_init__(self) -> None:
        if self.tone not in TONES:
            raise UnknownName(f"no tone curve {self.tone!r}; there are: {', '.join(TONES)}")


PLAIN = PictureStyle(
    blur_px=0.0, uneven=0.0, vignette=0.0, well=0.0, read=0.0, tone="linear", jpeg=0, figures=False
)
"""No blur, no noise, even light: for validating the renderer itself."""

STANDARD = PictureStyle()

LOOKS = {
    "standard": STANDARD,
    "plain": PLAIN,
    "dim": PictureStyle(level=0.22, well=900.0, read=8.0, uneven=0.5, warmth=0.6),
    "glare": PictureStyle(glare=1.2, uneven=0.2),
    "shadow": PictureStyle(shadow=0.65, uneven=0.4),
    "phone": PictureStyle(tone="phone", blur_px=0.7, well=4000.0, jpeg=85, warmth=0.15),
    "webcam": PictureStyle(
        tone="webcam", blur_px=0.85, well=2500.0, read=8.0, jpeg=80, warmth=-0.3
    ),
    "soft": PictureStyle(defocus_px=1.3),
    "shaky": PictureStyle(shake_px=(2.0, 1.2)),
    "snow": PictureStyle(mat="snow", tone="flat"),
}
"""Styles by name, for the command line and for parameter sweeps."""


def look_named(name: str) -> PictureStyle:
    if name not in LOOKS:
        raise UnknownName(f"no look {name!r}; there are: {', '.join(sorted(LOOKS))}")
    return LOOKS[name]
