"""Results of runs and studies as arrays, and as data frames where pandas is installed."""

import csv
import json
import os
from functools import cached_property

import numpy as np

from ._server import default_server
from .errors import RequestError

_FRAMES = 16  # read at a time


class Table:
    """A table of numbers: columns by name, as arrays."""

    def __init__(self, names, columns):
        self.names, self._columns = list(names), columns

    def __getitem__(self, name):
        if name not in self._columns:
            from ._sim import _missing

            _missing("column", name, self.names)
        return self._columns[name]

    def __iter__(self):
        return iter(self.names)

    def __contains__(self, name):
        return name in self._columns

    def __len__(self):
        """Number of rows."""
        return len(self._columns[self.names[0]]) if self.names else 0

    def frame(self):
        """Return the table as a data frame of pandas."""
        try:
            import pandas
        except ImportError:
            raise ImportError("data frames need pandas: pip install pandas; columns are arrays without it") from None
        return pandas.DataFrame({n: self._columns[n] for n in self.names}, columns=self.names)

    def __repr__(self):
        return f"Table({len(self)} rows: {', '.join(self.names)})"


def _table(directory, name):
    """Read a table of a finished run, or of one that continues."""
    path = os.path.join(directory, name)
    if not os.path.exists(path) and os.path.exists(path + ".partial"):
        path += ".partial"
    try:
        file = open(path, newline="", encoding="utf-8")
    except FileNotFoundError:
        raise FileNotFoundError(f"{directory} has no {name}: it is no folder of a run or study") from None
    with file:
        rows = csv.reader(file)
        names = next(rows, [])
        cells = [row for row in rows if len(row) == len(names)]  # a line that is being written is left out
    columns = {}
    for i, n in enumerate(names):
        column = [row[i] for row in cells]
        try:
            columns[n] = np.array([float(x) if x != "" else np.nan for x in column])
        except ValueError:
            columns[n] = np.array(column, dtype=object)
    return Table(names, columns)


class Recording:
    """A recording: what moves, over time. Arrays have one row for each recorded time."""

    def __init__(self, directory, server):
        self._directory, self._server = directory, server
        info = server.call("read", dir=directory)
        #: Recorded times, s.
        self.times = info["times"]
        #: False for a run that continues, or was stopped.
        self.complete = info["complete"]
        self.title = info["title"]
        #: Names of rigid bodies and of deformables.
        self.bodies = list(info["bodies"] or ())
        self._deformables = {d["name"]: d for d in info["deformables"] or ()}
        self.deformables = list(self._deformables)
        #: Shapes: name, body (−1: world), pose on it, and vertices and triangles of their surface.
        self.shapes = info["shapes"] or []

    @cached_property
    def frames(self):
        """All recorded instants, as mappings of arrays."""
        out = []
        while len(out) < len(self.times):
            out += self._server.call("read", dir=self._directory, first=len(out), count=_FRAMES)
        return out

    def mesh(self, name):
        """Return undeformed vertices (m), tetrahedra and boundary triangles of a deformable."""
        d = self._deformable(name)
        return d["rest"], d["tetrahedra"], d["triangles"]

    def _deformable(self, name):
        if name not in self._deformables:
            from ._sim import _missing

            _missing("deformable", name, self.deformables)
        return self._deformables[name]

    def _of(self, name, key):
        self._deformable(name)
        i = self.deformables.index(name)
        return np.array([f[key][i] for f in self.frames])

    def vertices(self, name):
        """Return the vertices of a deformable, (times, n, 3), m."""
        return self._of(name, "vertices")

    def von_mises(self, name):
        """Return the von Mises stress of the tetrahedra of a deformable, (times, n), Pa."""
        return self._of(name, "von_mises")

    def poses(self, name):
        """Return the poses X_WB of a rigid body, (times, 4, 4)."""
        if name not in self.bodies:
            from ._sim import _missing

            _missing("body", name, self.bodies)
        i = self.bodies.index(name)
        return np.array([f["poses"][i] for f in self.frames])

    def __repr__(self):
        return f"Recording({self.title!r}, {len(self.times)} times)"


class Run:
    """A folder of a run."""

    def __init__(self, directory, server=None):
        self.directory, self._server = os.path.abspath(directory), server

    @cached_property
    def summary(self):
        """run.json as a mapping."""
        with open(os.path.join(self.directory, "run.json"), encoding="utf-8") as f:
            return json.load(f)

    @cached_property
    def signals(self):
        """Signals over time."""
        return _table(self.directory, "signals.csv")

    @cached_property
    def steps(self):
        """What steps cost and how well they converged."""
        return _table(self.directory, "steps.csv")

    @cached_property
    def recording(self):
        """The recording."""
        return Recording(self.directory, self._server or default_server())

    def __repr__(self):
        return f"Run({self.directory!r})"


class Study:
    """A folder of a study."""

    def __init__(self, directory, server=None):
        self.directory, self._server = os.path.abspath(directory), server

    @cached_property
    def cases(self):
        """The table of cases: values, measures, and how each ended."""
        return _table(self.directory, "cases.csv")

    def case(self, name):
        """Return the run of a case."""
        path = os.path.join(self.directory, "cases", name)
        if not os.path.isdir(path):
            from ._sim import _missing

            _missing("case", name, sorted(os.listdir(os.path.join(self.directory, "cases"))))
        return Run(path, self._server)

    def __repr__(self):
        return f"Study({self.directory!r})"


def read(directory, server=None):
    """Read a folder of a run or of a study."""
    directory = os.fspath(directory)
    if os.path.exists(os.path.join(directory, "cases.csv")):
        return Study(directory, server)
    if any(os.path.exists(os.path.join(directory, n)) for n in ("run.json", "signals.csv", "signals.csv.partial", "recording.curl")):
        return Run(directory, server)
    if not os.path.isdir(directory):
        raise FileNotFoundError(f"there is no folder {directory}")
    raise RequestError(f"{directory} is no folder of a run or study: it has neither run.json nor cases.csv")
