//go:build !purego

package constraints

import (
	"unsafe"

	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/supernodal"
)

// vectors names the instruction set that evaluates contact surfaces: that of the dense kernels.
var vectors = supernodal.Kernel()

// The layouts that internal/avo reads.
const (
	_ = -(unsafe.Offsetof(faceBlock{}.next) ^ 11*8*blockLanes)
	_ = -(unsafe.Sizeof(surfaceSums{}) ^ 8*maxSums)
	_ = -(unsafe.Offsetof(surfaceSums{}.cost) ^ 8*impulseSums)
	_ = -(unsafe.Sizeof(flatSums{}) ^ 8*22)
	_ = -(unsafe.Offsetof(flatSums{}.normalWork) ^ 8*flatImpulseSums)
)

// eval adds the faces to the sums, without a Hessian to those of the
// impulse only.
func (q *laneFaces) eval(w, v r3.Vec, s *surfaceSums, hessian bool) {
	if vectors == "portable" || q.first == nil {
		q.evalGo(w, v, s, hessian)
		return
	}
	v = v.Add(q.surfaceVelocity)
	var f flatSums
	sums, few := s.all(), impulseSums
	if q.flat {
		sums, few = f.all(), flatImpulseSums
	}
	if !hessian {
		sums = sums[:few]
	}
	work := q.scratch.begin(w, v, len(sums))
	q.lanes(work, hessian)
	work.addTo(sums)
	if q.flat {
		f.addTo(s, w, v)
	}
}

// lanes has generated code sum the faces of each lane.
func (q *laneFaces) lanes(work *laneWork, hessian bool) {
	wide, narrow := facesAVX512, facesAVX2
	switch {
	case q.flat && hessian:
		wide, narrow = flatAVX512, flatAVX2
	case q.flat:
		wide, narrow = flatImpulseAVX512, flatImpulseAVX2
	case !hessian:
		wide, narrow = facesImpulseAVX512, facesImpulseAVX2
	}
	block, motion, out, stage := &q.first.n[0][0], &work.motion[0][0], &work.sums[0][0], &work.stage[0][0][0]
	if vectors == "avx512" {
		wide(block, motion, out, stage)
		return
	}
	const half = 32 // bytes of a vector of eight
	narrow(block, motion, out, stage, 0)
	narrow(block, motion, out, stage, half)
}
