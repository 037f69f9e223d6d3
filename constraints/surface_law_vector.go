package constraints

import (
	"unsafe"

	"github.com/curlfree/curlfree/r3"
)

// maxSums is the largest number of sums of generated code: that of surfaceSums.
const maxSums = 28

// laneWork has, for each lane of a block, the motion (ω, v), the sums and scratch of generated
// code.
type laneWork struct {
	motion [6][blockLanes]float64
	sums   [maxSums][blockLanes]float64
	stage  [2][7][blockLanes]float64
}

// laneScratch has space for a laneWork that is aligned to a cache line: vectors across two
// lines take twice the time.
type laneScratch [unsafe.Sizeof(laneWork{}) + cacheLine]byte

const cacheLine = 64

// begin returns the room for so many sums where surfaces move at (w, v).
func (r *laneScratch) begin(w, v r3.Vec, sums int) *laneWork {
	l := (*laneWork)(unsafe.Pointer(&r[-uintptr(unsafe.Pointer(r))%cacheLine]))
	for i := range 3 {
		for k := range blockLanes {
			l.motion[i][k], l.motion[3+i][k] = w[i], v[i]
		}
	}
	clear(l.sums[:sums])
	return l
}

// addTo adds all lanes to as many sums as dst has, in one order whatever made them.
func (l *laneWork) addTo(dst []float64) {
	for i := range dst {
		x := &l.sums[i]
		dst[i] += ((x[0] + x[4]) + (x[2] + x[6])) + ((x[1] + x[5]) + (x[3] + x[7]))
	}
}
