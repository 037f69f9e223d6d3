//go:build !purego

package constraints

import (
	"unsafe"

	"curlfree/r3"
	"curlfree/supernodal"
)

// vectors names the instructions that evaluate patches: those of the dense kernels.
var vectors = supernodal.Kernel()

// The layouts that internal/avo knows.
const (
	_ = -(unsafe.Offsetof(faceBlock{}.next) ^ 11*8*blockLanes)
	_ = -(unsafe.Sizeof(patchSums{}) ^ 28*8)
)

// eval adds the faces to the sums.
func (q *plainFaces) eval(w, v r3.Vec, s *patchSums) {
	if vectors == "portable" || q.first == nil {
		q.evalGo(w, v, s)
		return
	}
	v = v.Add(q.run)
	motion := [6]float64{w[0], w[1], w[2], v[0], v[1], v[2]}
	const line = 64 // of a cache: vectors that straddle two cost twice
	var room [unsafe.Sizeof(laneWork{}) + line]byte
	work := (*laneWork)(unsafe.Pointer(&room[-uintptr(unsafe.Pointer(&room))%line]))
	block, out, scratch := &q.first.n[0][0], &work.sums[0][0], &work.stage[0][0][0]
	switch wide := vectors == "avx512"; {
	case wide && q.flat:
		flatAVX512(block, &motion[0], out, scratch)
	case wide:
		facesAVX512(block, &motion[0], out, scratch)
	case q.flat:
		flatAVX2(block, &motion[0], out, scratch, 0)
		flatAVX2(block, &motion[0], out, scratch, 32)
	default:
		facesAVX2(block, &motion[0], out, scratch, 0)
		facesAVX2(block, &motion[0], out, scratch, 32)
	}
	work.sums.add(s)
}
