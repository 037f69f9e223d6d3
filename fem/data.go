package fem

import (
	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/timestep"
)

// Data is the working memory for stepping one body. It has no state: Place and
// FreeMotion compute it from the state of each step.
type Data struct {
	model *Model
	// pos are the positions of all vertices at the last Place, m.
	pos []r3.Vec
	// first is the first node of the body in the last problem.
	first cliques.Node
	// clique is the number of the body's clique in the last problem.
	clique int

	// heldRows are rows of the problem on fixed vertices, where Reactions needs them.
	heldRows []heldRow
	keepHeld bool

	// step is that of Integrate.
	step timestep.Step

	free freeMotion
	// newton finds the free motion of a nonlinear law; nil for other laws.
	newton *newton
	// adjoint is made when it is asked for.
	adjoint *adjointPass
	// atRest too.
	atRest  *restPass
	resting bool // the last linearization is LinearizeAtRest
}

// NewData returns working memory for one stepper, with the undeformed positions placed.
func (m *Model) NewData() *Data {
	d := &Data{
		model: m,
		step:  timestep.Euler(0),
		pos:   append([]r3.Vec(nil), m.spec.Mesh.Verts...),
	}
	d.free.init(m)
	if m.class == Nonlinear {
		d.newton = new(newton)
		d.newton.init(&d.free)
	}
	return d
}

// Class returns the class of the body's law.
func (m *Model) Class() Class { return m.class }

// Model returns the body.
func (d *Data) Model() *Model { return d.model }

// Place reads the positions x of all vertices (3·NumVerts, m), which Positions,
// TriangleActive and the reports then use.
func (d *Data) Place(x []float64) { load(d.pos, x) }

// Positions returns the vertices at the last Place, world axes, m; valid until the next
// Place.
func (d *Data) Positions() []r3.Vec { return d.pos }

// TriangleActive reports whether a boundary triangle has its element behind it. Elements that are
// turned inside out should have no contact with the triangles that turned, so that they can recover. A
// sheet that is stretched so far that its law makes the thickness negative keeps the direction of
// its faces, and has to contain what lies on them.
func (d *Data) TriangleActive(tri int32) bool {
	set, owner := d.model.set, d.model.owner[tri]
	return set.tetVolume(owner, d.pos) > 0 || d.keepsFacing(tri, set.tetGradient(owner, d.pos))
}

// keepsFacing reports whether the normal of a boundary triangle is within a right angle of that at
// rest, turned by the rotation of its element's gradient F.
func (d *Data) keepsFacing(tri int32, F r3.Mat) bool {
	t, rest := d.model.boundary[tri], d.model.spec.Mesh.Verts
	now := r3.TriangleNormal(d.pos[t[0]], d.pos[t[1]], d.pos[t[2]])
	return now.Dot(r3.Polar(F).MulVec(r3.TriangleNormal(rest[t[0]], rest[t[1]], rest[t[2]]))) > 0
}

// PointRow adds s·dir_W·Σ w_i v(vert_i) to a row of the open constraint of a problem that
// has the body's clique. Fixed vertices add nothing.
func (d *Data) PointRow(p *cliques.Problem, row int, vert []int32, w []float64, dir_W r3.Vec, s float64) {
	for i, v := range vert {
		n := d.model.node[v]
		if n < 0 {
			if d.keepHeld {
				d.heldRows = append(d.heldRows, heldRow{cliques.Handle(len(p.Constraints) - 1), row, v, dir_W.Scale(s * w[i])})
			}
			continue
		}
		// only free vertices have a node
		J := p.Block(d.first + cliques.Node(n))[3*row : 3*row+3]
		sw := s * w[i]
		J[0] += sw * dir_W[0]
		J[1] += sw * dir_W[1]
		J[2] += sw * dir_W[2]
	}
}

// Integrate sets the rule and the memory (3·NumVerts) of the coming step, for Linearize to Advance; without it the rule
// is that of Euler. The memory is read until Advance. It panics for the midpoint rule where the model has a
// MidpointFault.
func (d *Data) Integrate(step timestep.Step) {
	if step.Midpoint {
		if err := d.model.MidpointFault(); err != nil {
			panic("fem: " + err.Error())
		}
		d.free.needMidpoint()
	}
	d.step = step
}

// Advance takes a step of h (s) with the displacement velocities w (Dofs; m/s) of the nodes: it moves x by h·w and
// writes the velocities of the end to v, and what the next step of the midpoint rule needs to next (3·NumVerts),
// which may be the memory of this step; under Euler next is not used. Fixed vertices stay in place, at rest.
// The memory is in world axes, turned with the mean rotation of the body to the end of the step.
func (d *Data) Advance(h float64, w, x, v []float64, next timestep.Memory) {
	if d.step.Midpoint {
		d.advanceMiddle(h, w, x, v, next)
		return
	}
	for i, n := range d.model.node {
		u := v[3*i : 3*i+3]
		if n < 0 {
			clear(u)
			continue
		}
		copy(u, w[3*n:3*n+3])
		for k, s := range u {
			x[3*i+k] += h * s
		}
	}
}

// load copies a flat vector to vectors of three.
func load(dst []r3.Vec, x []float64) {
	for i := range dst {
		dst[i] = r3.Vec(x[3*i : 3*i+3])
	}
}

// Nonlinear reports whether the free motion needs Newton's method.
func (d *Data) Nonlinear() bool { return d.newton != nil }

// Nodes returns the range [first, end) of the body's nodes in the last problem.
func (d *Data) Nodes() (first, end cliques.Node) {
	return d.first, d.first + cliques.Node(d.model.pattern.N)
}
