"""Exceptions. Their texts are those of the program: what is wrong, where, and what to do."""

from collections import namedtuple

#: A fault of an input file: file, line and column from 1 (0: no place), text.
Fault = namedtuple("Fault", "file line column text")


class Error(Exception):
    """Base of all exceptions of this package."""

    #: Faults of input files with their places; empty for other errors.
    faults = ()


class SceneError(Error):
    """A scene, or a file that it names, has faults."""


class StepError(Error):
    """A step failed. The state is the one before it, unless the text says that the step was taken."""


class DerivativeError(Error):
    """A step or a signal has no derivative; the text says which and why."""


class RequestError(Error, ValueError):
    """A call is wrong: a name that nothing has, an array of another shape, a number that is not finite."""


class OutputError(Error):
    """A file could not be written."""


class ServerError(Error):
    """The program ended, was killed, or could not be started. Its sessions are lost."""


class ProtocolError(ServerError):
    """The program is of another version than this package, or sent what is no frame."""


_KINDS = {"input": SceneError, "step": StepError, "not_differentiable": DerivativeError, "request": RequestError, "output": OutputError, "protocol": ProtocolError}


def from_answer(error):
    """Return the exception of the error of an answer."""
    e = _KINDS.get(error.get("kind"), Error)(error.get("text", "unknown error"))
    e.faults = tuple(Fault(f["file"], f["line"], f["column"], f["text"]) for f in error.get("faults") or ())
    return e
