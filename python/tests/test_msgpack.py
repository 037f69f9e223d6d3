"""The reader and writer of frames."""

import random
import unittest

import numpy as np

from curlfree import _msgpack


def round_trip(value):
    out = bytearray()
    _msgpack.pack(value, out)
    return _msgpack.unpack(bytes(out))


class MessagePack(unittest.TestCase):
    def test_values_come_back(self):
        for value in (None, True, False, 0, 127, 128, -1, -32, -33, 2**62, 1.5, float("inf"), "", "é" * 40, b"", b"\x00" * 300, [], [1, [2, "x"]], {"a": {"b": [None]}}, list(range(100))):
            self.assertEqual(round_trip(value), value)

    def test_arrays_keep_bits_and_shape(self):
        for a in (np.random.default_rng(1).normal(size=(3, 4, 5)), np.zeros((0, 3)), np.arange(6, dtype="<i4").reshape(2, 3), np.arange(4, dtype="u1"), np.array([np.nan, -0.0])):
            b = round_trip(a)
            self.assertEqual(b.tobytes(), a.tobytes())
            self.assertEqual((b.shape, b.dtype), (a.shape, a.dtype))
        self.assertEqual(round_trip(np.arange(3)).dtype, np.dtype("<f8"))  # other numbers become float64

    def test_forms_of_other_writers(self):
        for text, value in (("d90161", "a"), ("dc000101", [1]), ("de0001a16102", {"a": 2}), ("ca3f800000", 1.0), ("cd0102", 258), ("d0ff", -1), ("c4020102", b"\x01\x02"), ("cf0000000100000000", 2**32)):
            self.assertEqual(_msgpack.unpack(bytes.fromhex(text)), value)

    def test_what_is_no_value_is_refused(self):
        whole = bytearray()
        _msgpack.pack({"list": [1.5, "text", b"bytes", np.arange(5.0)], "n": 2**40}, whole)
        whole = bytes(whole)
        for n in range(len(whole)):  # a frame cut short, anywhere
            with self.assertRaises(_msgpack.FormatError):
                _msgpack.unpack(whole[:n])
        for b in (whole + b"\x00", b"\xc1", b"\x81\x01\x02", b"\x91" * 50 + b"\x00", b"\xdd\xff\xff\xff\xff", b"\xd4\x0a\x09"):
            with self.assertRaises(_msgpack.FormatError):
                _msgpack.unpack(b)
        for value in (2**64, object(), np.array(["a"])):
            with self.assertRaises(_msgpack.FormatError):
                _msgpack.pack(value, bytearray())

    def test_damaged_frames_are_refused_or_read(self):
        whole = bytearray()
        _msgpack.pack({"a": [1.5, "text", {"b": np.arange(5.0)}], "n": -7}, whole)
        r = random.Random()
        for _ in range(2000):
            b = bytearray(whole)
            for _ in range(r.randint(1, 4)):
                b[r.randrange(len(b))] = r.randrange(256)
            try:
                _msgpack.unpack(bytes(b))
            except (_msgpack.FormatError, UnicodeDecodeError):
                pass


if __name__ == "__main__":
    unittest.main()
