"""Many states of a scene that are stepped together, on all cores."""

import os
import weakref
from collections.abc import Mapping

import numpy as np

from ._server import default_server
from ._sim import _missing, _state_of, source_of, to_json, warn_of
from .errors import RequestError


class Rollouts:
    """n states of a scene, each with actions of its own, stepped on all cores.

    scene: path of a scene file, or a Builder. actions: drives that an action commands, by name, or a mapping from names
    to "target", "effort" or "control"; by default targets where drives take them. randomize: distributions by path: each
    state then has a model of its own, whose values its seed draws.
    """

    def __init__(self, scene, n, set=None, *, actions=(), threads=0, randomize=None, server=None):
        self._server = server or default_server()
        if isinstance(actions, Mapping):
            names, kinds = list(actions), [k or "" for k in actions.values()]
        else:
            names = [actions] if isinstance(actions, str) else list(actions)
            kinds = [""] * len(names)
        source = source_of(scene, set, threads)
        if randomize:
            source["randomize"] = to_json({"values": randomize})
        info = self._server.call("vector", n=int(n), actions=names, **{"as": kinds}, **source)
        warn_of(info)
        self._number = info["vector"]
        self._finalizer = weakref.finalize(self, self._server.later, "vector_close", {"vector": self._number})
        #: Number of states, names of actions and of signals, length of a step (s), duration of the scene (s).
        self.n, self.actions, self.signals = int(n), names, list(info["signals"] or ())
        self.time_step, self.duration = info["step"], info["duration"]
        self.units = dict(zip(self.signals, info["units"] or ()))
        #: Values of signals of all states, (n, signals), after the last call.
        self.values = info["observations"]
        #: Errors of states whose steps failed in the last call, by number.
        self.errors = {}

    def column(self, name):
        """Return the values of a signal, of all states."""
        if name not in self.signals:
            _missing("signal", name, self.signals)
        return self.values[:, self.signals.index(name)]

    def reset(self, seeds=None, which=None):
        """Return states to their start: all, or those of the numbers which. seeds draw values where randomize is given."""
        arguments = {}
        if which is not None:
            arguments["which"] = [int(i) for i in which]
        if seeds is not None:
            arguments["seeds"] = [int(s) for s in seeds]
        self.values = self._server.call("vector_reset", vector=self._number, **arguments)["observations"]
        return self.values

    def step(self, actions=None, substeps=1, rest=()):
        """Command an action to each state, take substeps, and return the signals, (n, signals).

        actions: (n, actions). States of the numbers rest take no step. A state whose step fails stays before it, and
        errors has its text.
        """
        arguments = {"vector": self._number, "substeps": int(substeps), "rest": [int(i) for i in rest]}
        if actions is not None:
            arguments["actions"] = np.asarray(actions, float)
        elif self.actions:
            raise RequestError(f"actions are missing: an array of the shape {(self.n, len(self.actions))}")
        answer = self._server.call("vector_step", **arguments)
        self.errors = dict(zip(answer["failed"] or (), answer["errors"] or ()))
        self.values = answer["observations"]
        return self.values

    def states(self):
        """Return the states."""
        return [_state_of(m) for m in self._server.call("vector_states", vector=self._number)]

    def close(self):
        """End the rollouts."""
        if self._finalizer.detach() and self._server._dead is None:
            self._server.call("vector_close", vector=self._number)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
