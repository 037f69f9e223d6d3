package record

import (
	"bytes"
	"encoding/binary"
	"io"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// A block that states a large window of Zstandard is refused before memory for it is taken; long data that do not
// repeat are packed and read.
func TestBlocksHaveASmallWindow(t *testing.T) {
	random := make([]byte, 3*packWindow)
	rng := rand.New(rand.NewPCG(1, 1))
	for i := range random {
		random[i] = byte(rng.Uint32())
	}
	for _, window := range []int{1 << 20, packWindow, 2 * packWindow, 1 << 29} {
		z, err := zstd.NewWriter(nil, zstd.WithWindowSize(window), zstd.WithSingleSegment(false))
		if err != nil {
			t.Fatal(err)
		}
		// a frame of a stream states its window
		var frame bytes.Buffer
		z.Reset(&frame)
		z.Write(random[:1000])
		z.Flush()
		z.Write(random[:1000])
		z.Close()
		file := binary.LittleEndian.AppendUint32([]byte(magic2), uint32(frame.Len()))
		file = append(file, frame.Bytes()...)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err = open(file)
		runtime.ReadMemStats(&after)
		if err == nil {
			t.Errorf("window of %d bytes: random bytes are a header", window)
		}
		if took := after.TotalAlloc - before.TotalAlloc; took > 4*packWindow {
			t.Errorf("window of %d bytes: %d bytes of memory", window, took)
		}
	}
	var file bytes.Buffer
	w, err := appendWriter(&file, nil)
	if err == nil {
		err = w.block(kindFrame, 0, random)
	}
	if err != nil {
		t.Fatal(err)
	}
	p := &reader{}
	if p.unpack, err = newUnpacker(); err != nil {
		t.Fatal(err)
	}
	p.unpack.Reset(bytes.NewReader(file.Bytes()[headSize:]))
	if back, err := io.ReadAll(p.unpack); err != nil || !bytes.Equal(back, random) {
		t.Errorf("%d bytes of %d come back: %v", len(back), len(random), err)
	}
}
