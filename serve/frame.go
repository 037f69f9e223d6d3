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

// firstRead is the memory of a frame before its bytes have come.
const firstRead = 1 << 16

// frameReader reads the frames of a stream. Small ones take one call of Read.
type frameReader struct {
	r     io.Reader
	ahead []byte // bytes behind the last frame that were read with it
}

// next reads a frame into the memory of dst, and returns the memory and the body in it. It returns io.EOF where the
// stream ends between two frames.
func (f *frameReader) next(dst []byte) (memory, body []byte, err error) {
	b := append(dst[:0], f.ahead...)
	f.ahead = f.ahead[:0]
	if cap(b) < firstRead {
		b = append(make([]byte, 0, firstRead), b...)
	}
	for n := frameHeader; ; {
		if len(b) >= frameHeader {
			length := int(binary.LittleEndian.Uint32(b))
			if length > MaxFrame {
				return b, nil, fmt.Errorf("a frame of %d bytes: at most %d are read; what came is no frame of this protocol", length, MaxFrame)
			}
			n = frameHeader + length
		}
		if len(b) >= n {
			f.ahead = append(f.ahead, b[n:]...)
			return b, b[frameHeader:n], nil
		}
		// memory grows with the bytes that have come: a length alone takes none
		if len(b) == cap(b) {
			b = append(make([]byte, 0, min(2*cap(b), max(n, len(b)+1))), b...)
		}
		k, err := f.r.Read(b[len(b):cap(b)])
		b = b[:len(b)+k]
		switch {
		case k > 0:
		case err == io.EOF && len(b) == 0:
			return b, nil, io.EOF
		case err == io.EOF && len(b) < frameHeader:
			return b, nil, errors.New("the stream ends within the length of a frame")
		case err == io.EOF:
			return b, nil, fmt.Errorf("a frame cut short: %d bytes came of %d", len(b)-frameHeader, n-frameHeader)
		case err != nil:
			return b, nil, err
		}
	}
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
