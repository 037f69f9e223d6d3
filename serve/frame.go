package serve

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// A frame is the length of its body, four bytes, little-endian, and the body, one MessagePack value.

// MaxFrame is the longest body of a frame, bytes.
const MaxFrame = 1 << 28

// frameHeader is the length of the length.
const frameHeader = 4

// firstRead is how much memory a frame gets before its bytes have come: a length alone takes none.
const firstRead = 1 << 20

// readFrame reads a frame into the memory of dst. It returns io.EOF where the stream ends between two frames.
func readFrame(r io.Reader, dst []byte) ([]byte, error) {
	var head [frameHeader]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		if errors.Is(err, io.ErrUnexpectedEOF) {
			err = errors.New("the stream ends within the length of a frame")
		}
		return nil, err
	}
	n := int(binary.LittleEndian.Uint32(head[:]))
	if n > MaxFrame {
		return nil, fmt.Errorf("a frame of %d bytes: at most %d are read; what came is no frame of this protocol", n, MaxFrame)
	}
	dst = dst[:0]
	for len(dst) < n {
		more := min(n-len(dst), max(firstRead, len(dst)))
		if cap(dst)-len(dst) < more {
			dst = append(make([]byte, 0, len(dst)+more), dst...)
		}
		at := len(dst)
		dst = dst[:at+more]
		if k, err := io.ReadFull(r, dst[at:]); err != nil {
			return nil, fmt.Errorf("a frame cut short: %d bytes came of %d", at+k, n)
		}
	}
	return dst, nil
}

// beginFrame returns an empty frame in the memory of b; endFrame writes its length.
func beginFrame(b []byte) []byte { return append(b[:0], 0, 0, 0, 0) }

// endFrame completes a frame.
func endFrame(b []byte) error {
	n := len(b) - frameHeader
	if n > MaxFrame {
		return fmt.Errorf("the answer has %d bytes, a frame at most %d: ask for less at a time", n, MaxFrame)
	}
	binary.LittleEndian.PutUint32(b, uint32(n))
	return nil
}
