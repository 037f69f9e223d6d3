package constraints

import (
	"fmt"
	"math"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
)

// Anchor is the material point that a constraint acts on: a point of a rigid body or of the
// world, or a weighted mean of vertices of a deformable body.
type Anchor struct {
	Body  int        // number of the scene body, or geometry.World
	Pos_B r3.Vec     // position of the point in the frame of the body (of a deformable: of its mesh at rest), m
	N     int        // number of vertices; 0: rigid
	Vert  [4]int32   // vertices of the deformable
	W     [4]float64 // their weights, of sum 1
}

// VertexAnchor returns the anchor of one vertex of a deformable body.
func VertexAnchor(body int, v int32) Anchor {
	return Anchor{Body: body, N: 1, Vert: [4]int32{v}, W: [4]float64{1}}
}

// check reports weights that are no weighted mean.
func (a *Anchor) check() error {
	if a.N < 0 || a.N > len(a.Vert) {
		return fmt.Errorf("constraints: a point of body %d has %d vertices: 0 to %d are possible", a.Body, a.N, len(a.Vert))
	}
	sum := 0.0
	for _, w := range a.W[:a.N] {
		sum += w
	}
	if a.N > 0 && !(math.Abs(sum-1) <= weightRounding) {
		return fmt.Errorf("constraints: the weights of a point of body %d add up to %g: they must add up to 1", a.Body, sum)
	}
	return nil
}

// weightRounding is by how much the sum of weights may miss 1: round-off of numbers that
// were written with a few digits.
const weightRounding = 1e-6

// feature writes the material point at its present position.
func (a *Anchor) feature(k Kinematics, f *geometry.MaterialPoint) {
	*f = geometry.MaterialPoint{Body: a.Body, N: a.N, Pos_W: a.position(k)}
	copy(f.Vert[:], a.Vert[:])
	copy(f.W[:], a.W[:])
}

// anchorPoints places two anchors P and Q and returns p_PQ. With a rigid body on either side the
// material points then move to where the impulse acts, so that both bodies feel it on one
// line: midway between two rigid points, at the mean of its way in the step (Kinematics.Lever), else at the
// deformable's point.
func anchorPoints(k Kinematics, p *cliques.Problem, a, b *Anchor) (f *materialPoints, p_PQ r3.Vec) {
	f = cliques.New[materialPoints](p)
	a.feature(k, &f[0])
	b.feature(k, &f[1])
	p_PQ = f[1].Pos_W.Sub(f[0].Pos_W)
	switch {
	case a.N == 0 && b.N == 0:
		at := f[0].Pos_W.Lerp(f[1].Pos_W, 0.5)
		f[0].Pos_W, f[1].Pos_W = k.Lever(a.Body, at), k.Lever(b.Body, at)
	case a.N == 0:
		f[0].Pos_W = f[1].Pos_W
	case b.N == 0:
		f[1].Pos_W = f[0].Pos_W
	}
	return f, p_PQ
}

// worldAxis returns the unit vector of a world axis.
func worldAxis(i int) (e r3.Vec) {
	e[i] = 1
	return e
}

// position returns the anchor's present position in the world, m.
func (a *Anchor) position(k Kinematics) (p_W r3.Vec) {
	if a.N == 0 {
		return k.Pose(a.Body).Point(a.Pos_B)
	}
	for i := range a.N {
		p_W = p_W.AddScaled(a.W[i], k.Vertex(a.Body, a.Vert[i]))
	}
	return p_W
}
