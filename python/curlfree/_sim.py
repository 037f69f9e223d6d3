"""Sessions: a scene with the state at hand."""

import json
import math
import os
import warnings
import weakref
from collections import namedtuple
from collections.abc import Mapping

import numpy as np

from ._server import default_server
from .errors import RequestError

Contacts = namedtuple("Contacts", "bodies position normal force slip gap area")
Contacts.__doc__ = """Contacts of the last step, a row each, in world axes.

bodies: names (A, B); "world" for the world. position: m. normal: unit vector from A to B. force: on B, N, mean over the
step. slip: tangential velocity of B relative to A, m/s. gap: m, negative in overlap. area: m², 0 for a point.
"""

Jacobian = namedtuple("Jacobian", "state inputs")
Jacobian.__doc__ = """Derivatives of the end of a step: state (2 n_v × 2 n_v) by the state, inputs (2 n_v × inputs) by inputs of drives.

Rows and columns are n_v positions, as velocities over one second, then n_v velocities.
"""


class Gradient(Mapping):
    """Derivatives of a signal by values of a scene: a mapping from paths to derivatives.

    value: of the signal, in unit. values: of the scene, as an array in the order of the call. array: the derivatives.
    """

    def __init__(self, by, answer):
        self.value, self.unit, self.steps = answer["value"], answer["unit"], answer["steps"]
        self.values, self.array = answer["values"], answer["gradient"]
        self._by = list(by)

    def __getitem__(self, path):
        return float(self.array[self._by.index(path)]) if path in self._by else _missing("value", path, self._by)

    def __iter__(self):
        return iter(self._by)

    def __len__(self):
        return len(self._by)

    def __repr__(self):
        return f"Gradient(value={self.value!r}, {dict(self)!r})"


def _missing(kind, name, known):
    import difflib

    near = difflib.get_close_matches(str(name), known, 1)
    hint = f"; did you mean {near[0]!r}?" if near else f": there are {', '.join(map(repr, known))}" if known else ""
    raise NameUnknown(f"there is no {kind} {name!r}{hint}")


class NameUnknown(RequestError, KeyError):
    """A name that nothing in the scene has."""

    def __str__(self):
        return self.args[0]


class Signals(Mapping):
    """Values of signals at a state: a mapping from names to numbers. array has them in the order of names."""

    __slots__ = ("names", "array")

    def __init__(self, names, array):
        self.names, self.array = names, array

    def __getitem__(self, name):
        try:
            return float(self.array[self.names.index(name)])
        except ValueError:
            _missing("signal", name, self.names)

    def __iter__(self):
        return iter(self.names)

    def __len__(self):
        return len(self.names)

    def __repr__(self):
        return f"Signals({dict(self)!r})"


class State:
    """A state: all that the next step depends on.

    time: s. steps: number of steps taken. q: positions, those of rigid joints, then three coordinates for each vertex of
    each deformable. v: velocities in the same order. The arrays cannot be changed: replace makes another state. States
    can be kept, copied and pickled, and restored in any session of the same scene with the same bits.
    """

    __slots__ = ("time", "steps", "q", "v", "_memory")

    def __init__(self, time, steps, q, v, memory=None):
        self.time, self.steps, self.q, self.v, self._memory = time, steps, q, v, memory
        q.flags.writeable = v.flags.writeable = False

    def replace(self, q=None, v=None, time=None):
        """Return a state with other positions or velocities, which has no memory of the last step."""
        q = self.q if q is None else np.array(q, float)
        v = self.v if v is None else np.array(v, float)
        if q.shape != self.q.shape or v.shape != self.v.shape:
            raise RequestError(f"a state has {self.q.size} positions and {self.v.size} velocities, not {q.shape} and {v.shape}")
        return State(self.time if time is None else float(time), self.steps, q, v)

    def __getstate__(self):
        return (self.time, self.steps, np.array(self.q), np.array(self.v), self._memory)

    def __setstate__(self, s):
        self.__init__(*s)

    def __repr__(self):
        return f"State(time={self.time!r}, steps={self.steps}, q[{self.q.size}], v[{self.v.size}])"


def _state_of(m):
    return State(m["time"], m["steps"], m["q"], m["v"], m["memory"])


class Drive:
    """A drive that takes commands. What is not commanded is as the scene has it."""

    def __init__(self, sim, name, takes):
        self._sim, self.name = sim, name
        self._takes = takes
        self._target = self._velocity = self._input = None

    def _send(self):
        given = {}
        if self._target is not None:
            given["target"], given["velocity"] = self._target, self._velocity or 0.0
        if self._input is not None:
            given["input"] = self._input
        self._sim._call("command", drive=self.name, **given)

    def _set(self, attribute, value):
        before = getattr(self, attribute)
        setattr(self, attribute, float(value))
        try:
            self._send()
        except BaseException:
            setattr(self, attribute, before)
            raise

    def _need(self, what):
        if not self._takes[what]:
            can = [k for k, has in self._takes.items() if has]
            raise RequestError(f"drive {self.name!r} takes no {what}: command its {' or '.join(can)}")

    @property
    def target(self):
        """Position that the drive goes to, m or rad; None: its own target."""
        return self._target

    @target.setter
    def target(self, position):
        self._need("target")
        self._set("_target", position)

    @property
    def velocity(self):
        """Velocity of the target, m/s or rad/s. It needs a target."""
        return self._velocity

    @velocity.setter
    def velocity(self, velocity):
        self._need("target")
        if self._target is None:
            raise RequestError(f"drive {self.name!r}: set its target before the velocity of the target")
        self._set("_velocity", velocity)

    @property
    def effort(self):
        """Feed-forward effort, N or N m; None: its own."""
        return self._input if self._takes["effort"] else None

    @effort.setter
    def effort(self, effort):
        self._need("effort")
        self._set("_input", effort)

    @property
    def control(self):
        """Control of an actuator of a robot file, in its unit; None: its own."""
        return self._input if self._takes["control"] else None

    @control.setter
    def control(self, control):
        self._need("control")
        self._set("_input", control)

    def release(self):
        """Give the drive its own target and input again."""
        self._forget()
        self._send()

    def _forget(self):
        self._target = self._velocity = self._input = None

    def __repr__(self):
        return f"Drive({self.name!r}, {', '.join(k for k, has in self._takes.items() if has)})"


class _Named(Mapping):
    """Items by name, with an error that names the nearest."""

    def __init__(self, kind, items):
        self._kind, self._items = kind, items

    def __getitem__(self, name):
        return self._items[name] if name in self._items else _missing(self._kind, name, list(self._items))

    def __iter__(self):
        return iter(self._items)

    def __len__(self):
        return len(self._items)

    def __repr__(self):
        return repr(self._items)


class Values(Mapping):
    """Live values of a scene, which motions read and that may be set between steps, within their bounds."""

    def __init__(self, sim, items):
        self._sim = sim
        self._wanted = {i["name"]: i["start"] for i in items}
        #: Least and largest value by name.
        self.bounds = {i["name"]: (i["min"], i["max"]) for i in items}

    def __getitem__(self, name):
        return self._wanted[name] if name in self._wanted else _missing("live value", name, list(self._wanted))

    def __setitem__(self, name, value):
        if name not in self._wanted:
            _missing("live value", name, list(self._wanted))
        self._sim._call("set_value", name=name, value=float(value))
        self._wanted[name] = float(value)

    def __iter__(self):
        return iter(self._wanted)

    def __len__(self):
        return len(self._wanted)


class Recorder:
    """A run folder that steps are recorded into, until close or the end of a with block."""

    def __init__(self, sim, directory):
        self._sim, self.directory = sim, directory
        self._open = True
        #: After close: hash of the last state, names of expectations that are not met, warnings.
        self.summary = None

    def close(self):
        """End the folder."""
        if self._open:
            self._open = False
            self.summary = self._sim._call("end_record")
        return self.summary

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        if kind is None or self._sim._server._dead is None:
            self.close()


def overrides(values):
    """Return a mapping from paths to values as overrides of a scene, PATH=VALUE."""
    if values is None:
        return []
    if isinstance(values, Mapping):
        return [f"{path}={_text(value)}" for path, value in values.items()]
    return [str(v) for v in values]


def _text(value):
    if isinstance(value, str):
        return value
    return to_json(value)


def to_json(value):
    """Return a value as JSON, which is YAML; numbers keep all digits, infinite ones are those of YAML."""
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if value is None:
        return "null"
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    if isinstance(value, (float, np.floating)):
        x = float(value)
        if math.isnan(x):
            raise RequestError("a value is not a number (NaN)")
        if math.isinf(x):
            return ".inf" if x > 0 else "-.inf"
        return repr(x)
    if isinstance(value, str):
        return json.dumps(value)
    if isinstance(value, os.PathLike):
        return json.dumps(os.fspath(value))
    if isinstance(value, Mapping):
        return "{" + ", ".join(json.dumps(str(k)) + ": " + to_json(v) for k, v in value.items()) + "}"
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(to_json, value)) + "]"
    raise RequestError(f"a {type(value).__name__} cannot be a value of a scene")


def source_of(scene, set, threads):
    """Return the arguments of a scene: the path of a file, or a Builder."""
    source = {"set": overrides(set), "threads": threads}
    if hasattr(scene, "text"):
        source["text"], source["path"] = scene.text(), os.path.join(os.path.abspath(getattr(scene, "folder", ".")), "builder")
    else:
        # the server may have another folder
        source["path"] = os.path.abspath(os.fspath(scene))
        if not os.path.exists(source["path"]):
            raise FileNotFoundError(f"there is no scene {os.fspath(scene)}")
    return source


def warn_of(info, stacklevel=3):
    for text in info["warnings"] or ():
        warnings.warn(text, stacklevel=stacklevel + 1)


def load(scene, set=None, *, threads=0, randomize=None, server=None):
    """Load a scene and return a session at its start.

    scene: path of a scene file, or a Builder. set: values of the scene by path, such as {"bodies.ball.mass": 0.3}.
    threads: of a step, 0 for all cores; results do not depend on it. randomize: distributions by path, such as
    {"bodies.ball.mass": {"uniform": [0.1, 0.4]}}, as the key sample of studies has them, from which reset(seed) draws.
    server: a Server; by default all sessions of a program share one.
    """
    return Sim(scene, set, threads=threads, randomize=randomize, server=server)


class Sim:
    """A scene with the state at hand. Signals, poses and contacts are those of the state; step advances it."""

    def __init__(self, scene, set=None, *, threads=0, randomize=None, server=None):
        self._server = server or default_server()
        source = source_of(scene, set, threads)
        if randomize:
            source["randomize"] = to_json({"values": randomize})
        info = self._server.call("load", **source)
        warn_of(info)
        self._number = info["sim"]
        self._finalizer = weakref.finalize(self, self._server.later, "close", {"sim": self._number})
        #: Title of the scene.
        self.title = info["title"]
        #: Length of a step, s.
        self.time_step = info["step"]
        #: Duration of the scene, s. Steps may go beyond it.
        self.duration = info["duration"]
        #: Warnings of probable mistakes in the scene.
        self.warnings = list(info["warnings"] or ())
        #: Estimates of the scene's errors.
        self.estimates = list(info["estimates"] or ())
        #: Names of rigid bodies, in the order of poses.
        self.bodies = list(info["bodies"] or ())
        #: Numbers of vertices of deformables by name.
        self.deformables = {d["name"]: d["vertices"] for d in info["deformables"] or ()}
        #: Units of signals by name, empty where the scene scales them.
        self.units = dict(zip(info["signals"] or (), info["units"] or ()))
        self._names = list(info["signals"] or ())
        #: Drives that take commands, by name.
        self.drives = _Named("drive", {n: Drive(self, n, t) for n, t in sorted((info["drives"] or {}).items())})
        #: Live values by name.
        self.values = Values(self, info["values"] or ())
        self.nq, self.nv = info["nq"], info["nv"]
        self._time, self._steps = 0.0, 0

    def _call(self, do, **arguments):
        arguments["sim"] = self._number
        return self._server._call(do, arguments)

    @property
    def time(self):
        """Time since the start, s."""
        return self._time

    @property
    def steps(self):
        """Number of steps taken."""
        return self._steps

    def _at(self, answer):
        self._time, self._steps = answer["time"], answer["steps"]
        return answer["time"]

    def reset(self, seed=None):
        """Return to the start; with randomize and a seed to that of a scene with values drawn by the seed, which are returned."""
        answer = self._call("reset", **({} if seed is None else {"seed": int(seed)}))
        self._at(answer)
        for d in self.drives.values():
            d._forget()
        return dict(v.split("=", 1) for v in answer["drawn"] or ())

    def step(self, n=1):
        """Take n steps and return the time, s. Where a step fails, those before it are kept."""
        try:
            answer = self._server._call("step", {"sim": self._number, "n": n})
        except BaseException:
            self._resync()
            raise
        self._time, self._steps = answer["time"], answer["steps"]
        return self._time

    def _resync(self):
        """Read where the state is after a step that failed, or was interrupted."""
        if self._server._dead is None:
            self._at(self._call("step", n=0))

    def advance(self, seconds):
        """Take the steps that reach a time of seconds from now, and return the time, s."""
        if not seconds >= 0 or math.isinf(seconds):
            raise RequestError(f"advance: {seconds} s is no time to advance")
        return self.step(math.ceil(seconds / self.time_step - 1e-6))

    @property
    def signals(self):
        """Values of all signals at the state."""
        return Signals(self._names, self._call("signals"))

    @property
    def contacts(self):
        """Contacts of the last step with their forces."""
        m = self._call("contacts")
        names = np.array(["world", *self.bodies, *self.deformables], dtype=object)
        return Contacts(names[m["bodies"] + 1], *(m[k] for k in Contacts._fields[1:]))

    def vertices(self, name):
        """Return the vertices of a deformable, (n, 3), m, in world axes."""
        return self._call("vertices", name=name)

    def velocities(self, name):
        """Return the velocities of the vertices of a deformable, (n, 3), m/s."""
        return self._call("vertices", name=name, velocities=True)

    @property
    def poses(self):
        """Poses X_WB of rigid bodies by name: matrices of four rows, [[R, p], [0, 1]]."""
        return _Named("body", dict(zip(self.bodies, self._call("poses"))))

    @property
    def joints(self):
        """Positions (m or rad) and velocities of joints with one degree of freedom, by name."""
        return _Named("joint", {n: tuple(map(float, x)) for n, x in self._call("joints").items()})

    @property
    def state(self):
        """The state. Setting it restores it with all its bits."""
        return _state_of(self._call("state"))

    @state.setter
    def state(self, s):
        arguments = {"time": s.time, "steps": s.steps, "q": s.q, "v": s.v}
        if s._memory is not None:
            arguments["memory"] = s._memory
        self._at(self._call("restore", **arguments))

    def hash(self):
        """Return the digest of the state's bits, that of run.json at the end of a run."""
        return self._call("state", hash=True)["hash"]

    def jacobian(self, drives=(), inputs=None):
        """Return the derivatives of the next step by the state, and by efforts or controls of drives at inputs (default 0)."""
        arguments = {"drives": list(drives)}
        if inputs is not None:
            arguments["inputs"] = np.atleast_1d(np.asarray(inputs, float))
        m = self._call("jacobian", **arguments)
        return Jacobian(m["state"], m["inputs"])

    def gradient(self, of, by, method="auto"):
        """Return the exact derivatives of a signal of a run of the scene from its start.

        of: "NAME@last", "NAME@TIME", "NAME@mean" or "NAME@sum". by: paths of values, or one.
        """
        by = [by] if isinstance(by, str) else list(by)
        return Gradient(by, self._call("gradient", of=of, by=by, method=method))

    def render(self, size=None, *, camera=None, target=None, up=None, fov=None, field=None, field_max=None, quality=None, background=None, hide=(), forces=True):
        """Draw the state and return the picture, (height, width, 3) of uint8. What is not given is as the scene has it."""
        given = {"fov": fov, "field": field, "field_max": field_max, "quality": quality, "background": background}
        given = {k: v for k, v in given.items() if v is not None}
        for name, v in (("size", size), ("camera", camera), ("target", target), ("up", up)):
            if v is not None:
                given[name] = np.asarray(v, float)
        return self._call("render", hide=list(hide), forces=bool(forces), **given)

    def record(self, directory, force=False):
        """Record all further steps into a run folder, as curlfree run does, until the recording is closed."""
        directory = os.path.abspath(os.fspath(directory))
        self._call("record", dir=directory, force=force)
        return Recorder(self, directory)

    def close(self):
        """End the session. It ends as well when nothing refers to it."""
        if self._finalizer.detach() and self._server._dead is None:
            self._server.call("close", sim=self._number)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __repr__(self):
        return f"Sim({self.title!r}, time={self._time!r}, steps={self._steps})"
