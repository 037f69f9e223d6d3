package check

// The share of its deflection that a deformable lacks because of its mesh, see package
// discretization. An estimate is right within a factor of 1.5: of a body that is warned of at least a
// tenth is lacking, as much as the moduli of rubbers and silicones scatter.

import (
	"fmt"
	"math"

	"github.com/curlfree/curlfree/discretization"
	"github.com/curlfree/curlfree/fem"
	"github.com/curlfree/curlfree/r3"
)

const (
	// mostLacking is the share of the deflection above which a mesh is too coarse.
	mostLacking = 0.15
	// mostEstimated is the number of vertices, of all deformables, up to which they are estimated:
	// more would take more than some seconds.
	mostEstimated = 12000
)

// BendingEstimate is the estimated discretization error of a deformable.
type BendingEstimate struct {
	// Body is the name of the deformable.
	Body string `json:"body"`
	// Elements is the kind of its elements.
	Elements string `json:"elements"`
	// Lacking is the share of its deflection that it lacks where it is pressed at the worst place,
	// negative where it gives way too far.
	Lacking float64 `json:"lacking_deflection"`
	// At is that place at rest, m, in the axes of the world at the start.
	At r3.Vec `json:"pressed_at_m"`
	// Softest is the share at the place that gives way farthest.
	Softest float64 `json:"lacking_deflection_softest"`
	// Reason says why there is no estimate; empty where there is one.
	Reason string `json:"not_estimated,omitempty"`
}

// String returns the estimate as one line.
func (e *BendingEstimate) String() string {
	if e.Reason != "" {
		return fmt.Sprintf("%s, elements %s: how far it bends was not estimated: %s", e.Body, e.Elements, e.Reason)
	}
	return fmt.Sprintf("%s, elements %s: %s; %s where it is softest", e.Body, e.Elements, e.text(), amount(e.Softest))
}

// text says how far the body bends where it is pressed at the worst place.
func (e *BendingEstimate) text() string {
	return fmt.Sprintf("pressed near [%.3g, %.3g, %.3g] m it bends about %s", e.At[0], e.At[1], e.At[2], amount(e.Lacking))
}

// amount writes a share of deflection that is lacking.
func amount(lacking float64) string {
	switch x := 100 * lacking; {
	case math.Abs(x) < 1:
		return "right within 1 %"
	case x < 0:
		return fmt.Sprintf("%.2g %% too far", -x)
	default:
		return fmt.Sprintf("%.2g %% too little", x)
	}
}

// EstimateBending estimates the discretization error of a deformable whose vertices in held are
// fixed.
func EstimateBending(m *fem.Model, held []int32) BendingEstimate {
	out := BendingEstimate{Body: m.Name(), Elements: m.Elements().String()}
	e, err := discretization.Estimate(m, held)
	if err != nil {
		out.Reason = err.Error()
		return out
	}
	out.Lacking, out.Softest, out.At = e.Lacking, e.Softest, m.Mesh().Verts[e.Vertex]
	return out
}

// bendings estimates the discretization errors of all deformables, and warns of large ones.
func (c *checker) bendings() (all []BendingEstimate) {
	n, vertices := c.Model.Rigid.NumLinks(), 0
	for i, m := range c.Model.Deformables {
		if vertices += m.NumVerts(); vertices > mostEstimated {
			all = append(all, BendingEstimate{Body: m.Name(), Elements: m.Elements().String(), Reason: "there are too many vertices for an estimate within seconds"})
			continue
		}
		e := EstimateBending(m, c.attached(i))
		all = append(all, e)
		if exceeds(math.Abs(e.Lacking), mostLacking) {
			c.warn(Elements, []string{c.path(n + i)}, finer(m), "the mesh is too coarse: %s", e.text())
		}
	}
	return all
}

// attached returns the vertices of deformable i that its attachments fix.
func (c *checker) attached(i int) (verts []int32) {
	for _, a := range c.Model.Attachments {
		if a.Deformable == i {
			verts = append(verts, a.Verts...)
		}
	}
	return verts
}

// mostLong is the share of hexahedra beside ribs that are longer than the meshes advice, from which on
// their size is the remedy.
const mostLong = 0.25

// finer names what would bend better, as scenes write it.
func finer(m *fem.Model) string {
	cells := m.Mesh().Cells
	switch m.Elements() {
	case fem.Tet4:
		if cells != nil && len(cells.Tets10) == 0 {
			return "take elements: hex12, or a finer mesh"
		}
		return "take elements: tet10, or a finer mesh"
	case fem.Hex12:
		if ribs := m.Mesh().RibCells(); float64(ribs.Long) > mostLong*float64(ribs.Beside) {
			return fmt.Sprintf("take a mesh of size: %.2g (m) or less, with which joints of ribs turn as they should", ribs.Size)
		}
	}
	return "take a finer mesh"
}
