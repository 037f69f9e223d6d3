package constraints

import (
	"testing"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/internal/oracle"
	"github.com/curlfree/curlfree/r3"
)

// fake is a scene of free rigid bodies with velocities (ω, v of the origin;
// world axes) in one clique each, of prescribed bodies without, of one
// deformable body of loose vertices, and of unit-inertia joints in one clique.
type fake struct {
	X_WB   []r3.Pose
	V      [][6]float64 // of each rigid body
	given  []bool       // prescribed
	verts  []r3.Vec
	vel    []r3.Vec
	q, v   []float64
	bodies []cliques.Node
	first  cliques.Node // of the vertices
	joints cliques.Node
	pat    cliques.Pattern
}

var _ Kinematics = (*fake)(nil)

// soft is the scene body of the deformable.
func (f *fake) soft() int { return len(f.X_WB) }

// begin starts a step and adds all cliques, with unit masses and inertias.
func (f *fake) begin(p *cliques.Problem, time, h float64) {
	p.Reset(time, h)
	f.bodies = f.bodies[:0]
	for i := range f.X_WB {
		if f.given[i] {
			f.bodies = append(f.bodies, -1)
			continue
		}
		n, A, v0, _ := p.AddDense(6)
		for j := range 6 {
			A[7*j] = 1
		}
		copy(v0, f.V[i][:])
		f.bodies = append(f.bodies, n)
	}
	if n := len(f.verts); n > 0 {
		if f.pat.N == 0 {
			f.pat = cliques.Pattern{N: n, Ptr: []int32{0}}
			for i := range n {
				f.pat.Row = append(f.pat.Row, int32(i))
				f.pat.Ptr = append(f.pat.Ptr, int32(i+1))
			}
		}
		first, A, v0, _ := p.AddSparse(&f.pat)
		f.first = first
		for i, v := range f.vel {
			A[9*i], A[9*i+4], A[9*i+8] = 1, 1, 1
			copy(v0[3*i:], v[:])
		}
	}
	if n := len(f.q); n > 0 {
		node, A, v0, _ := p.AddDense(n)
		for j := range n {
			A[j*n+j] = 1
		}
		copy(v0, f.v)
		f.joints = node
	}
}

func (f *fake) Pose(body int) r3.Pose {
	if body == geometry.World {
		return r3.PoseIdentity()
	}
	return f.X_WB[body]
}

func (f *fake) Vertex(body int, v int32) r3.Vec { return f.verts[v] }

// AtEnd: velocities are those of one moment.
func (f *fake) AtEnd() Kinematics { return nil }

// Lever is the point.
func (f *fake) Lever(_ int, p_W r3.Vec) r3.Vec { return p_W }

// Rate is that of no end.
func (f *fake) Rate(*cliques.Problem, int) float64 { return 0 }

func (f *fake) PointRow(p *cliques.Problem, row int, ft *geometry.MaterialPoint, dir r3.Vec, s float64) {
	if ft.N > 0 {
		for i := range ft.N {
			J := p.Block(f.first + cliques.Node(ft.Vert[i]))
			for j := range 3 {
				J[3*row+j] += s * ft.W[i] * dir[j]
			}
		}
		return
	}
	r := ft.Pos_W.Sub(f.X_WB[ft.Body].P)
	f.bodyRow(p, row, ft.Body, r.Cross(dir).Scale(s), dir.Scale(s))
}

func (f *fake) PointRows(p *cliques.Problem, ft *geometry.MaterialPoint, R_WC *r3.Mat, tangent_W *r3.Vec, s float64) {
	at := *ft
	at.Pos_W.IncScale(1, tangent_W)
	for row, point := range [3]*geometry.MaterialPoint{&at, &at, ft} {
		f.PointRow(p, row, point, R_WC.Col(row), s)
	}
}

func (f *fake) AngularRow(p *cliques.Problem, row int, body int, dir r3.Vec, s float64) {
	f.bodyRow(p, row, body, dir.Scale(s), r3.Vec{})
}

// bodyRow adds a·ω + b·v.
func (f *fake) bodyRow(p *cliques.Problem, row, body int, a, b r3.Vec) {
	if V := f.V[body]; f.given[body] {
		p.AddBias(row, a.Dot(r3.Vec(V[:3]))+b.Dot(r3.Vec(V[3:])))
		return
	}
	J := p.Block(f.bodies[body])
	for j := range 3 {
		J[6*row+j] += a[j]
		J[6*row+3+j] += b[j]
	}
}

func (f *fake) DofRow(p *cliques.Problem, row int, dof int, s float64) {
	p.Block(f.joints)[row*len(f.q)+dof] += s
}

func (f *fake) Dof(dof int) (q, v float64) { return f.q[dof], f.v[dof] }

func (f *fake) SlipTolerances() (stiction, sliding float64) { return SlipTolerances(nil) }

// scene returns two free bodies off the origin, a prescribed third, four
// vertices and three joints, all moving.
func scene() *fake {
	return &fake{
		X_WB: []r3.Pose{
			{R: r3.RotExp(r3.Vec{0.3, -0.2, 0.5}), P: r3.Vec{0.1, 0.2, 0.3}},
			{R: r3.RotExp(r3.Vec{-0.1, 0.4, 0.2}), P: r3.Vec{-0.4, 0.5, 0.1}},
			{R: r3.RotExp(r3.Vec{0.7, 0, 0}), P: r3.Vec{1, 0, 0}},
		},
		V:     [][6]float64{{1, -2, 3, 0.4, 0.5, -0.6}, {-0.3, 0.7, 0.2, 1, -1, 0.5}, {0, 0, 2, 0.1, 0, 0}},
		given: []bool{false, false, true},
		verts: []r3.Vec{{0, 0, 0.2}, {0.3, 0.1, 0.2}, {0.1, 0.4, 0.25}, {0.2, 0.2, 0.6}},
		vel:   []r3.Vec{{0.1, 0, 0}, {0, 0.2, 0}, {0, 0, -0.3}, {0.4, 0.4, 0}},
		q:     []float64{0.5, -1, 2}, v: []float64{0.25, 3, -2},
	}
}

// solve finds the minimum of ½|v − v0|² + Σ ℓ by damped Newton steps on the dense problem,
// A being the identity, and writes p.Gamma and p.Vc. It also prepares the laws, with the
// exact Delassus diagonal J Jᵀ.
func solve(t *testing.T, p *cliques.Problem) []float64 {
	t.Helper()
	d := newDense(p)
	v, trial := append([]float64(nil), p.V0...), make([]float64, d.n)
	for range 200 {
		l := d.eval(v)
		dv := oracle.Solve(d.H, d.r)
		size, slope := oracle.Dot(dv, dv), -oracle.Dot(dv, d.r)
		if size < 1e-24 {
			d.eval(v)
			return v
		}
		for step := 1.0; ; step /= 2 {
			for i := range v {
				trial[i] = v[i] - step*dv[i]
			}
			if lt := d.eval(trial); lt <= l+1e-4*step*slope+1e-14*l || step < 1e-6 {
				v, trial = trial, v
				break
			}
		}
	}
	t.Fatal("Newton did not converge")
	return nil
}

// dense is a problem with dense Jacobians.
type dense struct {
	p *cliques.Problem
	n int
	J [][]float64 // of each constraint (Dim×n)
	H []float64   // Hessian of the cost (n×n)
	r []float64   // its gradient (n)
}

// newDense prepares the laws of a problem.
func newDense(p *cliques.Problem) *dense {
	d := &dense{p: p, n: p.Size()}
	d.H, d.r = make([]float64, d.n*d.n), make([]float64, d.n)
	for h := range p.Constraints {
		c, J := &p.Constraints[h], denseRows(p, h)
		w := make([]float64, c.Dim)
		for i := range w {
			row := J[i*d.n : (i+1)*d.n]
			w[i] = oracle.Dot(row, row)
		}
		c.Law.Prepare(p.H, w)
		d.J = append(d.J, J)
	}
	return d
}

// eval returns the cost at v and writes its gradient, its Hessian, p.Vc and p.Gamma.
func (d *dense) eval(v []float64) (cost float64) {
	clear(d.H)
	for i := range v {
		x := v[i] - d.p.V0[i]
		cost, d.r[i], d.H[i*d.n+i] = cost+0.5*x*x, x, 1
	}
	for h := range d.p.Constraints {
		cost += d.add(h, v)
	}
	return cost
}

// add adds one constraint to gradient and Hessian.
func (d *dense) add(h int, v []float64) (cost float64) {
	c, J, n := &d.p.Constraints[h], d.J[h], d.n
	vc, g := d.p.Vc[c.Row:c.Row+c.Dim], d.p.Gamma[c.Row:c.Row+c.Dim]
	G := make([]float64, c.Dim*c.Dim)
	copy(vc, oracle.MulVec(J, v))
	for i := range vc {
		vc[i] += d.p.Bias[c.Row+i]
	}
	cost = c.Law.Eval(vc, g, G)
	for i := range c.Dim {
		for a := range n {
			x := J[i*n+a]
			if x == 0 {
				continue
			}
			d.r[a] -= x * g[i]
			for j := range c.Dim {
				for b := range n {
					d.H[a*n+b] += x * G[i*c.Dim+j] * J[j*n+b]
				}
			}
		}
	}
	return cost
}

// denseRows returns the Jacobian of a constraint over all velocities.
func denseRows(p *cliques.Problem, h int) []float64 {
	n, c := p.Size(), &p.Constraints[h]
	J := make([]float64, c.Dim*n)
	for _, b := range p.Blocks(cliques.Handle(h)) {
		m, off := p.NodeSize[b.Node], p.NodeOffset[b.Node]
		for i := range c.Dim {
			copy(J[i*n+off:], b.J[i*m:(i+1)*m])
		}
	}
	return J
}
