package matrixmarket

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// The example of the format's definition, as a symmetric matrix.
func TestWriteFollowsTheFormat(t *testing.T) {
	var b bytes.Buffer
	err := Write(&b, 3, func(f func(i, j int, x float64)) {
		f(0, 0, 2)
		f(2, 0, -0.5)
		f(2, 2, 0.1)
	})
	lines := strings.Split(b.String(), "\n")
	if err != nil || len(lines) != 7 || !strings.HasPrefix(lines[1], "% ") {
		t.Fatalf("%v\n%s", err, b.String())
	}
	lines[1] = "%"
	if got, want := strings.Join(lines, "\n"), "%%MatrixMarket matrix coordinate real symmetric\n%\n3 3 3\n1 1 2\n3 1 -0.5\n3 3 0.10000000000000001\n"; got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// Numbers of any size come back with the same bits.
func TestNumbersKeepTheirBits(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	var want []float64
	for len(want) < 1000 {
		if x := math.Float64frombits(r.Uint64()); !math.IsNaN(x) && !math.IsInf(x, 0) {
			want = append(want, x)
		}
	}
	var b bytes.Buffer
	if err := Write(&b, len(want), func(f func(i, j int, x float64)) {
		for i, x := range want {
			f(i, i/2, x)
		}
	}); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(b.String()), "\n")[3:]
	for k, line := range lines {
		var i, j int
		var x float64
		if _, err := fmt.Sscan(line, &i, &j, &x); err != nil || i != k+1 || j != k/2+1 || x != want[k] {
			t.Fatalf("%q is not %g: %v", line, want[k], err)
		}
	}
}

// full is a disk without room.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no room") }

func TestWriteReturnsFaultsOfTheFile(t *testing.T) {
	if err := Write(full{}, 1, func(f func(i, j int, x float64)) { f(0, 0, 1) }); err == nil || err.Error() != "no room" {
		t.Errorf("error %v", err)
	}
}
