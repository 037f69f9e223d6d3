package run

// Elements that are turned inside out (det F ≤ 0) in frames of a run: they are beyond what their law describes, most
// often where the corotational law makes the thickness of a stretched sheet negative, and their faces do not contain
// what lies on them. Counts are kept in checkpoints.

import (
	"fmt"
	"slices"

	"github.com/curlfree/curlfree/sim"
)

// invertedElements counts frames with such elements.
type invertedElements struct {
	frames int
	first  float64 // time of the first one, s
	most   int     // elements of one deformable in a frame
	body   int     // it
}

// invertedElementsNumbers is the length of an invertedElements in the memory of a checkpoint.
const invertedElementsNumbers = 4

// invertedElementsOf returns the invertedElements that appendTo stored.
func invertedElementsOf(m []float64) invertedElements {
	return invertedElements{int(m[0]), m[1], int(m[2]), int(m[3])}
}

// appendTo returns a copy of a checkpoint's memory with the counts appended.
func (e *invertedElements) appendTo(memory []float64) []float64 {
	return append(slices.Clip(memory), float64(e.frames), e.first, float64(e.most), float64(e.body))
}

// add adds the state at which a stepper has placed its bodies, at a time (s).
func (e *invertedElements) add(s *sim.Stepper, time float64) {
	found := false
	for i := range s.Model.Deformables {
		n := s.Inverted(i)
		if found = found || n > 0; n > e.most {
			e.most, e.body = n, s.Model.Geometry.NumRigid+i
		}
	}
	if !found {
		return
	}
	if e.frames == 0 {
		e.first = time
	}
	e.frames++
}

// warning is the warning of a run with such frames; otherwise empty.
func (e *invertedElements) warning(s *sim.Stepper) string {
	if e.frames == 0 {
		return ""
	}
	of := s.Model.Deformables[e.body-s.Model.Geometry.NumRigid].Mesh().Tets
	return fmt.Sprintf("in %d frames, first at t = %.6g s, elements are turned inside out, at most %d of %s, whose mesh has %d tetrahedra: it is stretched or crushed beyond what its law describes: use a law for large strains (neo_hookean), a finer mesh, a shorter time.step or less speed",
		e.frames, e.first, e.most, s.BodyName(e.body), len(of))
}
