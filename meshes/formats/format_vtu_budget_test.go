package formats

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"
)

// vtuBomb returns a file whose arrays have n blocks of a mebibyte of zeros each, of
// which it announces block bytes.
func vtuBomb(kind string, n, block int) []byte {
	var z bytes.Buffer
	w := zlib.NewWriter(&z)
	w.Write(make([]byte, 1<<20))
	w.Close()
	array := binary.LittleEndian.AppendUint32(nil, uint32(n))
	array = binary.LittleEndian.AppendUint32(array, uint32(block))
	array = binary.LittleEndian.AppendUint32(array, 0)
	for range n {
		array = binary.LittleEndian.AppendUint32(array, uint32(z.Len()))
	}
	array = append(array, bytes.Repeat(z.Bytes(), n)...)
	return fmt.Appendf(nil, `<VTKFile type="UnstructuredGrid" byte_order="LittleEndian" compressor="vtkZLibDataCompressor"><UnstructuredGrid><Piece NumberOfPoints="1"><Points><DataArray type="%s" format="appended" offset="0"/></Points></Piece></UnstructuredGrid><AppendedData encoding="raw">_%s</AppendedData></VTKFile>`, kind, array)
}

// Files that expand to gigabytes are refused before memory is taken, whether they
// announce it or lie; the message says how such a mesh is read all the same.
func TestVTUBombsTakeNoMemory(t *testing.T) {
	for _, c := range []struct {
		name, kind string
		n, block   int
		says       string
	}{
		// 20 GiB in 20 MB
		{"announced", "Float32", 20 << 10, 1 << 20, "save it without compression"},
		// 300 MiB of bytes are 2.4 GiB of numbers
		{"bytes", "UInt8", 300, 1 << 20, "save it without compression"},
		// it says 1 MiB, and would be 1 GiB
		{"lie", "Float32", 1 << 10, 1 << 10, "announced"},
	} {
		data := vtuBomb(c.kind, c.n, c.block)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		start := time.Now()
		_, err := readVTU(data)
		runtime.ReadMemStats(&after)
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: error %v, want one with %q", c.name, err, c.says)
		}
		// the file itself is copied twice at most
		if got, most := after.TotalAlloc-before.TotalAlloc, uint64(3*len(data)+(8<<20)); got > most {
			t.Errorf("%s: %d MiB of memory taken, want %d at most", c.name, got>>20, most>>20)
		}
		if d := time.Since(start); d > 5*time.Second {
			t.Errorf("%s: took %v", c.name, d)
		}
	}
}
