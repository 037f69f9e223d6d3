package constrainttest

import (
	"fmt"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/internal/oracle"
	"github.com/curlfree/curlfree/r3"
)

// World is a scene of free rigid bodies (clique of ω and v of the origin, world axes), of
// one deformable of loose vertices, and of joints, all of unit mass and inertia and at
// rest. Its names are those of samples of kinds.
type World struct {
	Poses []r3.Pose // X_WB of rigid bodies
	Verts []r3.Vec  // of the deformable, whose scene body is Deformable
	Q     []float64 // positions of joints

	// P is the problem of a step with the cliques of the bodies, which constraints append to.
	P      cliques.Problem
	bodies []cliques.Node  // of each rigid body, set by begin
	verts  cliques.Node    // of vertex 0; the others follow
	joints cliques.Node    // of all joints, one clique
	pat    cliques.Pattern // diagonal: loose vertices feel no springs
}

var (
	_ constraints.Kinematics = (*World)(nil)
	_ constraints.Resolver   = (*World)(nil)
)

// NewWorld returns the world of samples: bodies ball, box, arm and cart, joints arm and
// cart, and the deformable pad of four vertices.
func NewWorld() *World {
	return &World{
		Poses: []r3.Pose{
			// turned and shifted, so that no axis or origin hides a wrong frame
			{R: r3.RotExp(r3.Vec{0.3, -0.2, 0.5}), P: r3.Vec{0.1, 0.2, 0.3}},
			{R: r3.RotExp(r3.Vec{-0.1, 0.4, 0.2}), P: r3.Vec{-0.1, 0.3, 0.1}},
			{R: r3.RotExp(r3.Vec{0.7, 0, 0}), P: r3.Vec{0.2, 0, 0}},
			{R: r3.Identity(), P: r3.Vec{0, -0.2, 0}},
		},
		// a tet of ordinary shape: it spans, so that any point is a mean of its vertices
		Verts: []r3.Vec{{0, 0, 0.2}, {0.3, 0.1, 0.2}, {0.1, 0.4, 0.25}, {0.2, 0.2, 0.6}},
		Q:     []float64{0.2, -0.2},
	}
}

// Deformable returns the scene body of the deformable.
func (w *World) Deformable() int { return len(w.Poses) }

// bodyNames are the names that samples of kinds use, see kinds.Kind.Samples.
var bodyNames = map[string]int{"": geometry.World, "world": geometry.World, "ball": 0, "box": 1, "arm": 2, "cart": 3}

// Body implements constraints.Resolver.
func (w *World) Body(name string) (int, error) {
	// the deformable is the body after the rigid ones
	if name == "pad" {
		return w.Deformable(), nil
	}
	return w.RigidBody(name)
}

// Anchor implements constraints.Resolver. The frame of the deformable's mesh is the world's;
// a point of it is a weighted mean of its four vertices, inside or not.
func (w *World) Anchor(body int, p_B r3.Vec) (constraints.Anchor, error) {
	a := constraints.Anchor{Body: body, Pos_B: p_B}
	if body == w.Deformable() {
		v := w.Verts
		// barycentric coordinates: p = v0 + E e with the edges E from v0
		inv, _ := r3.FromColumns(v[1].Sub(v[0]), v[2].Sub(v[0]), v[3].Sub(v[0])).Inv()
		e := inv.MulVec(p_B.Sub(v[0]))
		a.N, a.Vert, a.W = 4, [4]int32{0, 1, 2, 3}, [4]float64{1 - e[0] - e[1] - e[2], e[0], e[1], e[2]}
	}
	return a, nil
}

// IsDeformable implements constraints.Resolver.
func (w *World) IsDeformable(body int) bool { return body == w.Deformable() }

// Element implements constraints.Resolver.
func (w *World) Element(body int, _ r3.Vec) (verts []int32, at []r3.Vec, err error) {
	if body == w.Deformable() {
		verts, at = []int32{0, 1, 2, 3}, w.Verts[:]
	}
	return verts, at, nil
}

// RigidBody implements constraints.Resolver.
func (w *World) RigidBody(name string) (int, error) {
	if i, ok := bodyNames[name]; ok {
		return i, nil
	}
	return 0, fmt.Errorf("unknown body %q", name)
}

// Joint implements constraints.Resolver.
func (w *World) Joint(name string) (int, error) {
	switch name {
	case "arm":
		return 0, nil
	case "cart":
		return 1, nil
	}
	return 0, fmt.Errorf("unknown joint %q", name)
}

// Movable implements constraints.Resolver.
func (w *World) Movable(body int) bool { return body != geometry.World }

// Pose implements constraints.Kinematics and constraints.Resolver.
func (w *World) Pose(body int) r3.Pose {
	if body == geometry.World || body == w.Deformable() {
		return r3.PoseIdentity()
	}
	return w.Poses[body]
}

// Vertex implements constraints.Kinematics.
func (w *World) Vertex(_ int, v int32) r3.Vec { return w.Verts[v] }

// AtEnd implements constraints.Kinematics: bodies are at rest.
func (w *World) AtEnd() constraints.Kinematics { return nil }

// Lever implements constraints.Kinematics.
func (w *World) Lever(_ int, p_W r3.Vec) r3.Vec { return p_W }

// Rate implements constraints.Kinematics.
func (w *World) Rate(*cliques.Problem, int) float64 { return 0 }

// PointRow implements constraints.Kinematics.
func (w *World) PointRow(p *cliques.Problem, row int, f *geometry.MaterialPoint, dir r3.Vec, s float64) {
	// a point of a rigid body: dir·(v + ω × r) = (r × dir)·ω + dir·v
	if f.N == 0 {
		w.bodyRow(p, row, f.Body, f.Pos_W.Sub(w.Poses[f.Body].P).Cross(dir).Scale(s), dir.Scale(s))
		return
	}
	// a point of the deformable: its velocity is the weighted mean of the vertices'
	for i := range f.N {
		J := p.Block(w.verts + cliques.Node(f.Vert[i]))
		for j := range 3 {
			J[3*row+j] += s * f.W[i] * dir[j]
		}
	}
}

// PointRows implements constraints.Kinematics.
func (w *World) PointRows(p *cliques.Problem, f *geometry.MaterialPoint, R_WC *r3.Mat, tangent_W *r3.Vec, s float64) {
	at := *f
	at.Pos_W.IncScale(1, tangent_W)
	for row, point := range [3]*geometry.MaterialPoint{&at, &at, f} {
		w.PointRow(p, row, point, R_WC.Col(row), s)
	}
}

// AngularRow implements constraints.Kinematics.
func (w *World) AngularRow(p *cliques.Problem, row int, body int, dir r3.Vec, s float64) {
	w.bodyRow(p, row, body, dir.Scale(s), r3.Vec{})
}

// bodyRow adds a·ω + b·v of a rigid body.
func (w *World) bodyRow(p *cliques.Problem, row, body int, a, b r3.Vec) {
	// six columns, those of ω first
	J := p.Block(w.bodies[body])
	for j := range 3 {
		J[6*row+j] += a[j]
		J[6*row+3+j] += b[j]
	}
}

// DofRow implements constraints.Kinematics.
func (w *World) DofRow(p *cliques.Problem, row int, dof int, s float64) {
	p.Block(w.joints)[row*len(w.Q)+dof] += s
}

// Dof implements constraints.Kinematics.
func (w *World) Dof(dof int) (q, v float64) { return w.Q[dof], 0 }

// SlipTolerances implements constraints.Kinematics.
func (w *World) SlipTolerances() (stiction, sliding float64) { return constraints.SlipTolerances(nil) }

// clone returns a world at the same place.
func (w *World) clone() *World {
	return &World{Poses: append([]r3.Pose(nil), w.Poses...), Verts: append([]r3.Vec(nil), w.Verts...), Q: append([]float64(nil), w.Q...)}
}

// size returns the number of velocities.
func (w *World) size() int { return 6*len(w.Poses) + 3*len(w.Verts) + len(w.Q) }

// begin starts a step of h from rest with all cliques.
func (w *World) begin(h float64) {
	// unit mass and inertia: A is the identity, so that impulses are changes of velocity
	p := &w.P
	p.Reset(0, h)
	w.bodies = w.bodies[:0]
	// dense cliques of six, one a body
	for range w.Poses {
		node, A, _, _ := p.AddDense(6)
		for j := range 6 {
			A[7*j] = 1
		}
		w.bodies = append(w.bodies, node)
	}
	// made once: cliques refer to it
	if w.pat.N == 0 {
		w.pat = cliques.Pattern{N: len(w.Verts), Ptr: []int32{0}}
		for i := range w.Verts {
			w.pat.Row, w.pat.Ptr = append(w.pat.Row, int32(i)), append(w.pat.Ptr, int32(i+1))
		}
	}
	// 3×3 blocks by rows
	first, A, _, _ := p.AddSparse(&w.pat)
	w.verts = first
	for i := range w.Verts {
		A[9*i], A[9*i+4], A[9*i+8] = 1, 1, 1
	}
	node, A, _, _ := p.AddDense(len(w.Q))
	for j := range w.Q {
		A[j*len(w.Q)+j] = 1
	}
	w.joints = node
}

// advance moves everything by h of the velocities v.
func (w *World) advance(h float64, v []float64) {
	for i := range w.Poses {
		// world axes: the rotation vector acts from the left
		X := &w.Poses[i]
		X.R = r3.RotExp(r3.Vec(v[6*i : 6*i+3]).Scale(h)).Mul(X.R)
		X.P = X.P.AddScaled(h, r3.Vec(v[6*i+3:6*i+6]))
	}
	// velocities in the order of the cliques: bodies, vertices, joints
	v = v[6*len(w.Poses):]
	for i := range w.Verts {
		w.Verts[i] = w.Verts[i].AddScaled(h, r3.Vec(v[3*i:3*i+3]))
	}
	v = v[3*len(w.Verts):]
	for i := range w.Q {
		w.Q[i] += h * v[i]
	}
}

// solve returns the velocities at the end of a step from rest under a generalized force,
// with the laws that the constraint appended, and writes P.Gamma.
func (w *World) solve(force []float64) []float64 {
	p := &w.P
	n := p.Size()
	// the free motion of a step from rest is h f of unit masses
	A, start := make([]float64, n*n), make([]float64, n)
	for i := range n {
		A[i*n+i], start[i] = 1, p.H*force[i]
	}
	terms := make([]oracle.Term, len(p.Constraints))
	for h := range p.Constraints {
		c, J := &p.Constraints[h], denseRows(p, h)
		diag := make([]float64, c.Dim)
		for i := range diag {
			diag[i] = oracle.Dot(J[i*n:(i+1)*n], J[i*n:(i+1)*n])
		}
		// laws scale their regularization by J A⁻¹ Jᵀ, here J Jᵀ
		c.Law.Prepare(p.H, diag)
		terms[h] = oracle.Term{Law: c.Law, J: J, B: p.Bias[c.Row : c.Row+c.Dim]}
	}
	// a dense solver, which shares nothing with that of steps
	v := newton(A, start, terms)
	for h := range p.Constraints {
		c := &p.Constraints[h]
		vc := oracle.MulVec(terms[h].J, v)
		for i := range vc {
			// v_c = J v + b, by which the law gives the impulse
			vc[i] += terms[h].B[i]
		}
		c.Law.Eval(vc, p.Gamma[c.Row:c.Row+c.Dim], make([]float64, c.Dim*c.Dim))
	}
	return v
}

// newton returns the minimum that oracle.Minimize finds, by few evaluations: laws of
// constraints are piecewise quadratic.
func newton(A, start []float64, terms []oracle.Term) []float64 {
	v := append([]float64(nil), start...)
	g, H := oracle.Derivatives(A, start, terms, v)
	// the step from the branches of the solution is exact, so that few are needed
	for range 50 {
		if oracle.Dot(g, g) < 1e-24 {
			break
		}
		dv := oracle.Solve(H, g)
		next := append([]float64(nil), v...)
		// halved until the slope along the direction no longer points uphill
		for s := 1.0; s > 1e-6; s /= 2 {
			for i := range v {
				next[i] = v[i] - s*dv[i]
			}
			if g, H = oracle.Derivatives(A, start, terms, next); oracle.Dot(g, dv) >= -1e-12 {
				break
			}
		}
		v = next
	}
	return v
}

// wrench returns the sum of the forces of a row, and of their moments about the world's
// origin; closed is false for rows that act on joints, or on one body alone.
func (w *World) wrench(row []float64) (force, moment r3.Vec, closed bool) {
	touched := 0
	// forces of a row at p, and moments about the world's origin
	add := func(p, f, m r3.Vec) {
		if f != (r3.Vec{}) || m != (r3.Vec{}) {
			touched++
		}
		force, moment = force.Add(f), moment.Add(m).Add(p.Cross(f))
	}
	for i := range w.Poses {
		add(w.Poses[i].P, r3.Vec(row[6*i+3:6*i+6]), r3.Vec(row[6*i:6*i+3]))
	}
	row = row[6*len(w.Poses):]
	for i, p := range w.Verts {
		add(p, r3.Vec(row[3*i:3*i+3]), r3.Vec{})
	}
	// joints have no place at which their forces act
	for _, x := range row[3*len(w.Verts):] {
		if x != 0 {
			return force, moment, false
		}
	}
	return force, moment, touched > 1
}
