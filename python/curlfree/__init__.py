"""curlfree from Python: scenes of soft and rigid bodies in contact, stepped by the program curlfree.

    import curlfree
    sim = curlfree.load("scene.yaml", set={"bodies.ball.mass": 0.3})
    while sim.time < sim.duration:
        sim.step()
        print(sim.signals["grip_N"])

docs/python.md describes all of it.
"""

from ._server import Server
from ._sim import Contacts, Drive, Gradient, Jacobian, Signals, Sim, State, load
from .errors import DerivativeError, Error, Fault, OutputError, ProtocolError, RequestError, SceneError, ServerError, StepError

__all__ = [
    "Builder", "Contacts", "DerivativeError", "Drive", "Env", "Error", "Fault", "Gradient", "Jacobian", "OutputError",
    "ProtocolError", "RequestError", "Rollouts", "Run", "SceneError", "Server", "ServerError", "Signals", "Sim", "State", "StepError",
    "VectorEnv", "kinds", "load", "read",
]

# what takes time to import, or imports optional packages, comes with its first use
_LATER = {"Builder": "_builder", "Env": "_gym", "VectorEnv": "_gym", "Rollouts": "_rollouts", "Run": "_read", "read": "_read", "kinds": "_kinds"}


def __getattr__(name):
    import importlib

    if name not in _LATER:
        raise AttributeError(f"module 'curlfree' has no attribute {name!r}")
    module = importlib.import_module("." + _LATER[name], __name__)
    value = module if name == "kinds" else getattr(module, name)
    globals()[name] = value
    return value


def __dir__():
    return sorted(__all__)
