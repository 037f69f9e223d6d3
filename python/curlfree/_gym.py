"""Environments by the interface of Gymnasium 1.x, of whose classes they are where it is installed."""

import math
from collections.abc import Mapping

import numpy as np

from ._expression import Expression
from ._rollouts import Rollouts
from ._sim import _missing
from .errors import RequestError

try:
    import gymnasium
    from gymnasium.spaces import Box
    from gymnasium.vector.utils import batch_space

    _Env, _VectorEnv = gymnasium.Env, gymnasium.vector.VectorEnv
    _NEXT_STEP = getattr(gymnasium.vector, "AutoresetMode", None)
    _NEXT_STEP = _NEXT_STEP.NEXT_STEP if _NEXT_STEP else "next_step"
except ImportError:
    gymnasium = None
    _NEXT_STEP = "next_step"

    class _Env:
        def __enter__(self):
            return self

        def __exit__(self, *_):
            self.close()
            return False

        @property
        def unwrapped(self):
            return self

    _VectorEnv = _Env

    class Box:
        """A box of numbers, as gymnasium.spaces.Box."""

        def __init__(self, low, high, shape=None, dtype=np.float64, seed=None):
            low, high = np.asarray(low, dtype), np.asarray(high, dtype)
            shape = tuple(shape) if shape is not None else low.shape
            self.low, self.high = np.broadcast_to(low, shape).copy(), np.broadcast_to(high, shape).copy()
            self.shape, self.dtype = shape, np.dtype(dtype)
            self.seed(seed)

        def seed(self, seed=None):
            self._random = np.random.default_rng(seed)

        def contains(self, x):
            x = np.asarray(x)
            return x.shape == self.shape and bool(np.all((x >= self.low) & (x <= self.high)))

        __contains__ = contains

        def sample(self):
            low, high = np.maximum(self.low, -1e3), np.minimum(self.high, 1e3)
            return self._random.uniform(low, high).astype(self.dtype)

        def __eq__(self, other):
            return isinstance(other, Box) and np.array_equal(self.low, other.low) and np.array_equal(self.high, other.high)

        def __repr__(self):
            return f"Box({self.low.min()}, {self.high.max()}, {self.shape}, {self.dtype})"

    def batch_space(space, n):
        return Box(np.repeat(space.low[None], n, 0), np.repeat(space.high[None], n, 0), dtype=space.dtype)


class _Task:
    """What both classes share: spaces, reward, ends of episodes."""

    def __init__(self, scene, n, set, actions, observations, reward, terminated, substeps, max_steps, threads, randomize, server):
        bounds, kinds = {}, {}
        for name, b in actions.items() if isinstance(actions, Mapping) else ((a, None) for a in ([actions] if isinstance(actions, str) else actions)):
            if isinstance(b, Mapping):
                unknown = [k for k in b if k not in ("low", "high", "as")]
                if unknown:
                    raise RequestError(f"action {name!r} has the keys low, high and as, not {unknown[0]!r}")
                kinds[name], b = b.get("as", ""), (b.get("low", -math.inf), b.get("high", math.inf))
            low, high = b if b is not None else (-math.inf, math.inf)
            if not low < high:
                raise RequestError(f"action {name!r} goes from {low} to {high}: the upper bound must be above the lower one")
            bounds[name] = float(low), float(high)
        if not bounds:
            raise RequestError("actions are missing: name drives, with their bounds: {'arm.j1': (-1, 1)}")
        self.rollouts = Rollouts(scene, n, set, actions={k: kinds.get(k, "") for k in bounds}, threads=threads, randomize=randomize, server=server)
        try:
            names = self.rollouts.signals
            for name in observations or ():
                if name not in names:
                    _missing("signal", name, names)
            #: Names of observations, in their order.
            self.observations = list(observations) if observations is not None else list(names)
            if not self.observations:
                raise RequestError("the scene has no signals: add those that an agent observes")
            self._columns = [names.index(name) for name in self.observations]
            self.reward = self._rule(reward, "reward")
            self.terminated = self._rule(terminated, "terminated")
        except BaseException:
            self.rollouts.close()
            raise
        if substeps < 1 or max_steps is not None and max_steps < 1:
            raise RequestError("substeps and max_steps are 1 or more")
        self.substeps = int(substeps)
        h = self.substeps * self.rollouts.time_step
        #: Number of actions after which an episode is truncated.
        self.max_steps = max_steps or max(1, math.ceil(self.rollouts.duration / h - 1e-6))
        low, high = np.array(list(bounds.values())).T
        self.action_space = Box(low, high, dtype=np.float64)
        self.observation_space = Box(-math.inf, math.inf, (len(self._columns),), np.float64)

    def _rule(self, rule, what):
        """Return a function of values of signals by name: an expression, or a function of the caller's."""
        if rule is None or callable(rule):
            return rule
        if not isinstance(rule, str):
            raise RequestError(f"{what} is an expression of signals, or a function of them")
        return Expression(rule, self.rollouts.signals)

    def observe(self):
        return np.array(self.rollouts.values[:, self._columns])

    def outcome(self):
        """Return reward and termination of all states."""
        columns = dict(zip(self.rollouts.signals, self.rollouts.values.T))
        return self._apply(self.reward, columns, np.float64), self._apply(self.terminated, columns, bool)

    def _apply(self, rule, columns, dtype):
        out = np.zeros(self.rollouts.n, dtype)
        if rule is not None:
            out[:] = rule(columns)
        return out

    def check(self, actions):
        """Return actions as numbers, or refuse them."""
        want = (self.rollouts.n, len(self.rollouts.actions))
        try:
            actions = np.asarray(actions, np.float64)
        except (TypeError, ValueError):
            raise RequestError(f"an action is an array of numbers of the shape {want}") from None
        if actions.shape != want:
            raise RequestError(f"actions have the shape {actions.shape}: {want} is expected, columns {', '.join(self.rollouts.actions)}")
        if not np.isfinite(actions).all():
            i, k = np.argwhere(~np.isfinite(actions))[0]
            raise RequestError(f"action {self.rollouts.actions[k]!r} of state {i} is {actions[i, k]}: it must be finite")
        return np.clip(actions, self.action_space.low, self.action_space.high)


def _generator(seed):
    if seed is not None and (not isinstance(seed, (int, np.integer)) or seed < 0):
        raise RequestError(f"a seed is a whole number from 0, not {seed!r}")
    return np.random.default_rng(seed)


_OPTIONS = """
    actions: bounds by drive, {"arm.j1": (-1, 1)}, or {"arm.j1": {"low": -1, "high": 1, "as": "effort"}}. An action is a
    target where the drive takes one and nothing else is said; beyond its bounds it is clipped. observations: names of
    signals, by default all. reward, terminated: expressions of signals, "grip_N - abs(slip)", or functions of a mapping
    from names to arrays. substeps: steps an action. max_steps: actions after which an episode is truncated, by default
    the duration of the scene. randomize: distributions by path, drawn anew in each reset by its seed. An episode in
    which a step fails is truncated, and info["error"] has the text.
"""


class Env(_Env):
    __doc__ = f"""An environment of one state of a scene, by Gymnasium's Env.
{_OPTIONS}"""

    metadata = {"render_modes": ["rgb_array"]}
    spec = None
    reward_range = (-math.inf, math.inf)

    def __init__(self, scene, set=None, *, actions, observations=None, reward=None, terminated=None, substeps=1, max_steps=None, randomize=None, render_mode=None, picture=None, server=None):
        if render_mode not in (None, "rgb_array"):
            raise RequestError(f"render_mode is None or 'rgb_array', not {render_mode!r}")
        self._task = _Task(scene, 1, set, actions, observations, reward, terminated, substeps, max_steps, 1, randomize, server)
        self.action_space, self.observation_space = self._task.action_space, self._task.observation_space
        self.render_mode, self._picture = render_mode, dict(picture or {})
        self._source = scene, set, server
        self._np_random = None
        self._taken = None

    @property
    def np_random(self):
        if self._np_random is None:
            self._np_random = _generator(None)
        return self._np_random

    @np_random.setter
    def np_random(self, generator):
        self._np_random = generator

    def reset(self, *, seed=None, options=None):
        """Begin an episode and return observation and info. A seed begins a new sequence of random numbers."""
        if seed is not None:
            self._np_random = _generator(seed)
        self._task.rollouts.reset([int(self.np_random.integers(1 << 31))])
        self._taken = 0
        return self._task.observe()[0], {}

    def step(self, action):
        """Take an action and return observation, reward, terminated, truncated and info."""
        if self._taken is None:
            raise RequestError("an episode has not begun, or has ended: call reset before step")
        actions = self._task.check(np.asarray(action)[None])
        self._task.rollouts.step(actions, self._task.substeps)
        self._taken += 1
        info = {}
        failure = self._task.rollouts.errors.get(0)
        if failure is not None:
            info["error"] = failure
        rewards, terminations = self._task.outcome()
        terminated = bool(terminations[0])
        truncated = self._taken >= self._task.max_steps or failure is not None
        reward = float(rewards[0])
        if terminated or truncated:
            self._taken = None
        return self._task.observe()[0], reward, terminated, truncated, info

    @property
    def state(self):
        """The state, see State."""
        return self._task.rollouts.states()[0]

    def render(self):
        """Return a picture of the state, (height, width, 3); None without render_mode."""
        if self.render_mode is None:
            return None
        from ._sim import Sim

        sim = getattr(self, "_drawn", None)
        if sim is None:
            scene, set, server = self._source
            sim = self._drawn = Sim(scene, set, server=server)
        state = self.state
        # a randomized model is another one, whose memory the scene's model does not have
        sim.state = state.replace()
        return sim.render(**self._picture)

    def close(self):
        self._task.rollouts.close()


class VectorEnv(_VectorEnv):
    __doc__ = f"""n states of a scene on all cores, by Gymnasium's VectorEnv.

    An episode that ends is reset by the next step, whose action it ignores (autoreset mode NEXT_STEP).
{_OPTIONS}"""

    metadata = {"render_modes": [], "autoreset_mode": _NEXT_STEP}
    spec = None
    render_mode = None

    def __init__(self, scene, n, set=None, *, actions, observations=None, reward=None, terminated=None, substeps=1, max_steps=None, randomize=None, threads=0, server=None):
        self._task = _Task(scene, n, set, actions, observations, reward, terminated, substeps, max_steps, threads, randomize, server)
        self.num_envs = self._task.rollouts.n
        self.single_action_space, self.single_observation_space = self._task.action_space, self._task.observation_space
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self._randomized = bool(randomize)
        self._generators = None
        self._taken = None
        self._done = np.zeros(self.num_envs, bool)
        self.closed = False

    def _reset(self, which):
        seeds = [int(self._generators[i].integers(1 << 31)) for i in which] if self._randomized else None
        self._task.rollouts.reset(seeds, which)
        self._taken[which], self._done[which] = 0, False

    def reset(self, *, seed=None, options=None):
        """Begin all episodes and return observations and infos. State i gets the seed seed + i, or seed[i] of a list."""
        n = self.num_envs
        if seed is not None or self._generators is None:
            if seed is None:
                seeds = [None] * n
            elif isinstance(seed, (int, np.integer)):
                seeds = [int(seed) + i for i in range(n)]
            else:
                seeds = list(seed)
            if len(seeds) != n:
                raise RequestError(f"{len(seeds)} seeds for {n} states")
            self._generators = [_generator(s) for s in seeds]
        self._taken = np.zeros(n, int)
        self._reset(np.arange(n))
        return self._task.observe(), {}

    def step(self, actions):
        """Take an action of each state and return observations, rewards, terminations, truncations and infos."""
        if self._taken is None:
            raise RequestError("the episodes have not begun: call reset before step")
        actions = self._task.check(actions)
        again = np.flatnonzero(self._done)
        self._task.rollouts.step(actions, self._task.substeps, rest=again)
        errors = self._task.rollouts.errors
        self._taken += 1
        rewards, terminations = self._task.outcome()
        truncations = self._taken >= self._task.max_steps
        infos = {}
        if errors:
            failed = np.zeros(self.num_envs, bool)
            failed[list(errors)] = True
            truncations |= failed
            infos["error"] = np.array([errors.get(i) for i in range(self.num_envs)], dtype=object)
            infos["_error"] = failed
        if len(again):
            self._reset(again)
            rewards[again], terminations[again], truncations[again] = 0.0, False, False
        self._done = terminations | truncations
        return self._task.observe(), rewards, terminations, truncations, infos

    def close(self, **_):
        if not self.closed:
            self.closed = True
            self._task.rollouts.close()

    def __del__(self):
        pass  # what is loaded ends with its last reference
