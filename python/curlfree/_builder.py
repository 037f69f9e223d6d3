"""Scenes that a program makes."""

import copy
import os

from ._kinds import Sections
from ._sim import load as _load
from ._sim import to_json


class Builder(Sections):
    """A scene made in Python, with the sections and kinds of scene files.

        from curlfree import Builder, kinds

        b = Builder(step=0.01, duration=1.0)
        b.body("floor", fixed=True, shapes=[kinds.shape.half_space()])
        b.body("ball", pose={"xyz": [0, 0, 0.5]}, shapes=[kinds.shape.sphere(radius=0.1)])
        b.signal("height", kinds.signal.position(position="z", body="ball"))
        sim = b.load()

    Kinds return mappings, which take further keys by ``|``: kinds.shape.sphere(radius=0.1) | {"material": "rubber"}.
    folder: where files that the scene names are found, by default the present one.
    """

    def __init__(self, step=0.01, duration=1.0, folder="."):
        super().__init__()
        self.folder = os.fspath(folder)
        self.time(step=step, duration=duration)

    def scene(self):
        """Return the scene as a mapping."""
        return copy.deepcopy(self._scene)

    def text(self):
        """Return the scene as the text of a scene file."""
        return "{\n" + ",\n".join(f'"{key}": {_lines(value)}' for key, value in self._scene.items()) + "\n}\n"

    def save(self, path):
        """Write the scene file."""
        with open(path, "w", encoding="utf-8") as f:
            f.write(self.text())

    def load(self, set=None, **options):
        """Return a session at the start of the scene, see load."""
        return _load(self, set, **options)


def _lines(value):
    """Write the items of a section a line each, so that messages with a line name one."""
    if isinstance(value, dict) and all(isinstance(v, dict) for v in value.values()) and value:
        return "{\n  " + ",\n  ".join(f"{to_json(str(k))}: {to_json(v)}" for k, v in value.items()) + "\n}"
    return to_json(value)
