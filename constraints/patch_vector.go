package constraints

import "unsafe"

// laneSums are the numbers of patchSums for each lane of a block.
type laneSums [unsafe.Sizeof(patchSums{}) / 8][blockLanes]float64

// laneWork is what generated code writes.
type laneWork struct {
	sums  laneSums
	stage [2][6][blockLanes]float64 // scratch
}

// add adds all lanes to s, in one order whatever made them.
func (l *laneSums) add(s *patchSums) {
	total := (*[len(laneSums{})]float64)(unsafe.Pointer(s))
	for i := range l {
		x := &l[i]
		total[i] += ((x[0] + x[4]) + (x[2] + x[6])) + ((x[1] + x[5]) + (x[3] + x[7]))
	}
}
