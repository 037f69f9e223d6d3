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
	_ = -(unsafe.Sizeof(patchSums{}) ^ 8*maxSums)
	_ = -(unsafe.Offsetof(patchSums{}.cost) ^ 8*impulseSums)
	_ = -(unsafe.Sizeof(flatSums{}) ^ 8*22)
	_ = -(unsafe.Offsetof(flatSums{}.work) ^ 8*flatImpulseSums)
)

// eval adds the faces to the sums, without a Hessian to those of the
// impulse only.
func (q *plainFaces) eval(w, v r3.Vec, s *patchSums, hessian bool) {
	if vectors == "portable" || q.first == nil {
		q.evalGo(w, v, s, hessian)
		return
	}
	v = v.Add(q.run)
	if !q.flat {
		sums := s.all()
		if !hessian {
			sums = sums[:impulseSums]
		}
		work := q.room.begin(w, v, len(sums))
		q.faceLanes(work, hessian)
		work.addTo(sums)
		return
	}
	var f flatSums
	sums := f.all()
	if !hessian {
		sums = sums[:flatImpulseSums]
	}
	work := q.room.begin(w, v, len(sums))
	q.flatLanes(work, hessian)
	work.addTo(sums)
	f.addTo(s, w, v)
}

// faceLanes has generated code sum the faces of each lane.
func (q *plainFaces) faceLanes(work *laneWork, hessian bool) {
	block, motion, out, stage := &q.first.n[0][0], &work.motion[0][0], &work.sums[0][0], &work.stage[0][0][0]
	switch wide := vectors == "avx512"; {
	case wide && hessian:
		facesAVX512(block, motion, out, stage)
	case wide:
		facesImpulseAVX512(block, motion, out, stage)
	case hessian:
		facesAVX2(block, motion, out, stage, 0)
		facesAVX2(block, motion, out, stage, 32)
	default:
		facesImpulseAVX2(block, motion, out, stage, 0)
		facesImpulseAVX2(block, motion, out, stage, 32)
	}
}

// flatLanes is faceLanes for flat patches.
func (q *plainFaces) flatLanes(work *laneWork, hessian bool) {
	block, motion, out, stage := &q.first.n[0][0], &work.motion[0][0], &work.sums[0][0], &work.stage[0][0][0]
	switch wide := vectors == "avx512"; {
	case wide && hessian:
		flatAVX512(block, motion, out, stage)
	case wide:
		flatImpulseAVX512(block, motion, out, stage)
	case hessian:
		flatAVX2(block, motion, out, stage, 0)
		flatAVX2(block, motion, out, stage, 32)
	default:
		flatImpulseAVX2(block, motion, out, stage, 0)
		flatImpulseAVX2(block, motion, out, stage, 32)
	}
}
