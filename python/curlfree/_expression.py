"""Expressions of signals, such as "grip_N - 0.1*abs(slip)": arithmetic alone, on arrays."""

import ast

import numpy as np

from .errors import RequestError

_FUNCTIONS = {
    "abs": np.abs, "sqrt": np.sqrt, "exp": np.exp, "log": np.log, "log10": np.log10, "sin": np.sin, "cos": np.cos, "tan": np.tan,
    "asin": np.arcsin, "acos": np.arccos, "atan": np.arctan, "tanh": np.tanh, "floor": np.floor, "ceil": np.ceil, "sign": np.sign,
}
_OPERATORS = {
    ast.Add: np.add, ast.Sub: np.subtract, ast.Mult: np.multiply, ast.Div: np.divide, ast.Mod: np.mod, ast.Pow: np.power,
    ast.USub: np.negative, ast.UAdd: np.positive, ast.Not: np.logical_not, ast.Lt: np.less, ast.LtE: np.less_equal,
    ast.Gt: np.greater, ast.GtE: np.greater_equal, ast.Eq: np.equal, ast.NotEq: np.not_equal,
}


class Expression:
    """A compiled expression over names. Calling it with arrays by name returns an array."""

    def __init__(self, text, names):
        self.text, self._names = text, set(names)
        try:
            self._tree = ast.parse(text.replace("^", "**"), mode="eval").body
        except SyntaxError as e:
            raise RequestError(f"{text!r} is no expression: {e.msg}") from None
        self._check(self._tree)

    def _check(self, n):
        """Refuse all but arithmetic, comparisons, conditions and the functions above."""
        if isinstance(n, ast.Constant) and isinstance(n.value, (int, float)):
            return
        if isinstance(n, ast.Name):
            if n.id not in self._names:
                from ._sim import _missing

                _missing("signal", n.id, sorted(self._names))
            return
        if isinstance(n, ast.Call):
            if not isinstance(n.func, ast.Name) or n.keywords or n.func.id not in {*_FUNCTIONS, "min", "max"}:
                raise RequestError(f"{self.text!r}: {ast.unparse(n.func)} is no function: there are {', '.join(sorted({*_FUNCTIONS, 'min', 'max'}))}")
            if n.func.id in _FUNCTIONS and len(n.args) != 1 or not n.args:
                raise RequestError(f"{self.text!r}: {n.func.id} takes {'one number' if n.func.id in _FUNCTIONS else 'numbers'}")
            parts = n.args
        elif isinstance(n, ast.BinOp) and type(n.op) in _OPERATORS:
            parts = [n.left, n.right]
        elif isinstance(n, ast.UnaryOp) and type(n.op) in _OPERATORS:
            parts = [n.operand]
        elif isinstance(n, ast.Compare) and all(type(o) in _OPERATORS for o in n.ops):
            parts = [n.left, *n.comparators]
        elif isinstance(n, ast.BoolOp):
            parts = n.values
        elif isinstance(n, ast.IfExp):
            parts = [n.test, n.body, n.orelse]
        else:
            raise RequestError(f"{self.text!r}: {ast.unparse(n)!r} is no arithmetic of signals")
        for part in parts:
            self._check(part)

    def __call__(self, values):
        return self._value(self._tree, values)

    def _value(self, n, values):
        if isinstance(n, ast.Constant):
            return n.value
        if isinstance(n, ast.Name):
            return values[n.id]
        if isinstance(n, ast.Call):
            args = [self._value(a, values) for a in n.args]
            if n.func.id in _FUNCTIONS:
                return _FUNCTIONS[n.func.id](*args)
            return (np.minimum if n.func.id == "min" else np.maximum).reduce(np.broadcast_arrays(*args))
        if isinstance(n, ast.BinOp):
            return _OPERATORS[type(n.op)](self._value(n.left, values), self._value(n.right, values))
        if isinstance(n, ast.UnaryOp):
            return _OPERATORS[type(n.op)](self._value(n.operand, values))
        if isinstance(n, ast.Compare):
            left, out = self._value(n.left, values), True
            for op, right in zip(n.ops, n.comparators):
                right = self._value(right, values)
                out, left = np.logical_and(out, _OPERATORS[type(op)](left, right)), right
            return out
        if isinstance(n, ast.BoolOp):
            each = [self._value(v, values) for v in n.values]
            return (np.logical_and if isinstance(n.op, ast.And) else np.logical_or).reduce(np.broadcast_arrays(*each))
        return np.where(self._value(n.test, values), self._value(n.body, values), self._value(n.orelse, values))
