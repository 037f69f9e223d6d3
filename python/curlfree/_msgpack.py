"""MessagePack as docs/protocol.md uses it: maps, lists, texts, numbers, truths, None, bytes and arrays of numbers."""

import struct

import numpy as np

# types of extensions, as the server has them
_DTYPES = {10: np.dtype("<f8"), 11: np.dtype("<i4"), 12: np.dtype("u1")}
_TYPES = {d: t for t, d in _DTYPES.items()}
_MAX_DEPTH = 32

_u16, _u32 = struct.Struct(">H"), struct.Struct(">I")
_i64, _u64, _f64 = struct.Struct(">q"), struct.Struct(">Q"), struct.Struct(">d")
_f32, _i8, _i16, _i32 = struct.Struct(">f"), struct.Struct(">b"), struct.Struct(">h"), struct.Struct(">i")


class FormatError(ValueError):
    """A frame that is no value of the protocol."""


def pack(value, out):
    """Append a value to a bytearray. Lists of arrays stay arrays: numbers keep their bits."""
    kind = type(value)
    if kind is str:
        text = value.encode()
        n = len(text)
        if n < 32:
            out.append(0xA0 | n)
        else:
            out.append(0xDB)
            out += _u32.pack(n)
        out += text
    elif kind is int:
        if 0 <= value < 128:
            out.append(value)
        elif value < 0 or value >> 63 == 0:
            out.append(0xD3)
            out += _i64.pack(value)
        else:
            raise FormatError(f"{value} has more than 64 bits")
    elif kind is float:
        out.append(0xCB)
        out += _f64.pack(value)
    elif value is None:
        out.append(0xC0)
    elif kind is bool:
        out.append(0xC3 if value else 0xC2)
    elif kind is dict:
        _head(out, len(value), 0x80, 0xDF)
        for key, item in value.items():
            pack(key, out)
            pack(item, out)
    elif kind is list or kind is tuple:
        _head(out, len(value), 0x90, 0xDD)
        for item in value:
            pack(item, out)
    elif kind is bytes:
        out.append(0xC6)
        out += _u32.pack(len(value))
        out += value
    elif isinstance(value, np.ndarray):
        _pack_array(value, out)
    elif isinstance(value, (bool, np.bool_)):
        pack(bool(value), out)
    elif isinstance(value, (int, np.integer)):
        pack(int(value), out)
    elif isinstance(value, (float, np.floating)):
        pack(float(value), out)
    else:
        raise FormatError(f"a {kind.__name__} cannot be sent")


def _head(out, n, short, long):
    if n < 16:
        out.append(short | n)
    else:
        out.append(long)
        out += _u32.pack(n)


def _pack_array(a, out):
    dtype = np.dtype("<f8") if a.dtype.kind in "fiub" and a.dtype not in _TYPES else a.dtype
    if dtype not in _TYPES:
        raise FormatError(f"an array of {a.dtype} cannot be sent")
    a = np.ascontiguousarray(a, dtype)
    out.append(0xC9)
    out += _u32.pack(1 + 4 * a.ndim + a.nbytes)
    out.append(_TYPES[dtype])
    out.append(a.ndim)
    for n in a.shape:
        out += n.to_bytes(4, "little")
    out += a.data.cast("B") if a.size else b""


def unpack(frame):
    """Return the one value of a frame. Arrays are views of its bytes, which nothing may change."""
    try:
        value, at = _unpack(frame, 0, 0)
    except (IndexError, struct.error):
        raise FormatError("a value is cut short") from None
    if at != len(frame):
        raise FormatError(f"{len(frame) - at} bytes follow the value of a frame")
    return value


def _unpack(b, at, depth):
    if depth > _MAX_DEPTH:
        raise FormatError("values are nested too deep")
    c = b[at]
    at += 1
    if c < 0x80:
        return c, at
    if c >= 0xE0:
        return c - 256, at
    if c < 0x90:
        return _map(b, at, c & 0x0F, depth)
    if c < 0xA0:
        return _list(b, at, c & 0x0F, depth)
    if c < 0xC0:
        return _text(b, at, c & 0x1F)
    if c == 0xCB:
        return _f64.unpack_from(b, at)[0], at + 8
    if c == 0xC0:
        return None, at
    if c == 0xC2 or c == 0xC3:
        return c == 0xC3, at
    if c in _NUMBERS:
        s = _NUMBERS[c]
        return s.unpack_from(b, at)[0], at + s.size
    if c == 0xCC:
        return b[at], at + 1
    if c in _LENGTHS:
        what, width = _LENGTHS[c]
        if at + width > len(b):
            raise FormatError("a length is cut short")
        n = int.from_bytes(b[at : at + width], "big")
        return what(b, at + width, n, depth)
    if 0xD4 <= c <= 0xD8:
        return _array(b, at, 1 << (c - 0xD4), depth)
    raise FormatError(f"{c:#x} begins no value")


def _text(b, at, n, depth=0):
    return str(_bytes(b, at, n)[0], "utf-8"), at + n


def _bytes(b, at, n, depth=0):
    if at + n > len(b):
        raise FormatError("a value is cut short")
    return bytes(b[at : at + n]), at + n


def _list(b, at, n, depth):
    if n > len(b) - at:
        raise FormatError("a list is cut short")
    out = []
    for _ in range(n):
        value, at = _unpack(b, at, depth + 1)
        out.append(value)
    return out, at


def _map(b, at, n, depth):
    if 2 * n > len(b) - at:
        raise FormatError("a map is cut short")
    out = {}
    for _ in range(n):
        key, at = _unpack(b, at, depth + 1)
        if not isinstance(key, str):
            raise FormatError("a key of a map is no text")
        out[key], at = _unpack(b, at, depth + 1)
    return out, at


def _array(b, at, n, depth):
    end = at + 1 + n
    if end > len(b) or n < 1:
        raise FormatError("an array is cut short")
    dtype, ndim = _DTYPES.get(b[at]), b[at + 1]
    if dtype is None or ndim > 8 or n < 1 + 4 * ndim:
        raise FormatError("an array of an unknown type, or without its dimensions")
    at += 2
    shape = tuple(int.from_bytes(b[at + 4 * i : at + 4 * i + 4], "little") for i in range(ndim))
    at += 4 * ndim
    count = 1
    for k in shape:
        count *= k
    if count * dtype.itemsize != end - at:
        raise FormatError(f"an array of the shape {shape} has {end - at} bytes")
    return np.frombuffer(b, dtype, count, at).reshape(shape), end


_NUMBERS = {0xCA: _f32, 0xCD: _u16, 0xCE: _u32, 0xCF: _u64, 0xD0: _i8, 0xD1: _i16, 0xD2: _i32, 0xD3: _i64}
_LENGTHS = {
    0xD9: (_text, 1), 0xDA: (_text, 2), 0xDB: (_text, 4), 0xC4: (_bytes, 1), 0xC5: (_bytes, 2), 0xC6: (_bytes, 4),
    0xDC: (_list, 2), 0xDD: (_list, 4), 0xDE: (_map, 2), 0xDF: (_map, 4), 0xC7: (_array, 1), 0xC8: (_array, 2), 0xC9: (_array, 4),
}
