package discretization

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/curlfree/curlfree/fem"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/supernodal"
)

// Static equilibrium of a body under loads K u = f. A body that floats is accelerated by a load as a
// whole; what deforms it is the load without that (inertia relief),
//
//	f − M R (RᵀMR)⁻¹ Rᵀ f                                                    (1)
//
// with the six rigid motions R. It has neither force nor moment, so that six springs which
// determine the body's place carry nothing: one vertex is fixed, a second one across the line to it,
// a third one across the plane of the three.
// Source: Bathe, Finite Element Procedures, 4.2.

// statics is a linear body, factored.
type statics struct {
	m     *fem.Model
	K, M  []float64 // blocks over the pattern of the model
	graph supernodal.Graph
	chol  supernodal.Cholesky
	// floats says that nothing is fixed; rigid are then the columns of R, and relief M R (RᵀMR)⁻¹.
	floats        bool
	rigid, relief [][]float64
}

// newStatics factors a body, unless that takes more than some flops: then the error is ErrTooLarge.
func newStatics(m *fem.Model, flops float64) (*statics, error) {
	s := &statics{m: m, floats: len(m.Spec().Fixed) == 0}
	if m.Dofs() == 0 {
		return nil, fmt.Errorf("discretization: all vertices are fixed")
	}
	s.K, s.M = m.Matrices()
	if s.floats {
		if err := s.relieve(); err != nil {
			return nil, err
		}
	}
	return s, s.factor(flops)
}

// factor factors K, and the springs of a body that floats.
func (s *statics) factor(flops float64) error {
	// a node of three displacements for each vertex that is free
	p := s.m.Pattern()
	for range p.N {
		s.graph.AddNode(3, 0)
	}
	for j := range p.N {
		for b := p.Ptr[j]; b < p.Ptr[j+1]; b++ {
			s.graph.AddEdge(int(p.Row[b]), j)
		}
	}
	s.graph.Pack()
	var A supernodal.Matrix
	A.Reset(&s.graph)
	for j := range p.N {
		for b := p.Ptr[j]; b < p.Ptr[j+1]; b++ {
			copy(A.Block(int(p.Row[b]), j), s.K[9*b:9*b+9])
		}
	}
	if s.floats {
		s.support(&A)
	}
	// the plan gives the work before it is done
	s.chol.Analyze(&s.graph)
	if err := s.chol.Err(); err != nil {
		return fmt.Errorf("discretization: %w", err)
	}
	if s.chol.Flops() > flops {
		return ErrTooLarge
	}
	if err := s.chol.Factor(&A); err != nil {
		return fmt.Errorf("discretization: the body has loose parts: %w", err)
	}
	return nil
}

// support adds the springs that determine the place of a body.
func (s *statics) support(A *supernodal.Matrix) {
	x := s.m.Mesh().Verts
	all := make([]int32, len(x))
	for v := range all {
		all[v] = int32(v)
	}
	b, c, _ := widest(x, all)
	along := x[b].Sub(x[0]).Unit()
	normal := x[c].Sub(x[0]).Cross(along).Unit()
	// as stiff as the body at the vertex
	spring := func(v int32, d r3.Vec) {
		K := A.Block(int(v), int(v))
		k := s.stiffness(int(v))
		for i := range 3 {
			for j := range 3 {
				K[3*i+j] += k * d[i] * d[j]
			}
		}
	}
	spring(0, along)
	for _, v := range []int32{0, b} {
		spring(v, normal)
		spring(v, normal.Cross(along))
	}
	spring(c, normal)
}

// stiffness returns the first diagonal entry of K at a node.
func (s *statics) stiffness(node int) float64 { return s.K[9*s.m.Pattern().Ptr[node]] }

// relieve prepares (1).
func (s *statics) relieve() error {
	n := s.m.Pattern().N
	x, center := s.m.Mesh().Verts, s.m.CenterOfMass()
	size := s.m.Mesh().Bounds().Size().Norm()
	for k := range 6 {
		r := make([]float64, 3*n)
		var e r3.Vec
		e[k%3] = 1
		for v := range n {
			d := e
			if k >= 3 {
				d = e.Cross(x[v].Sub(center)).Scale(1 / size)
			}
			copy(r[3*v:], d[:])
		}
		s.rigid, s.relief = append(s.rigid, r), append(s.relief, s.times(s.M, r))
	}
	// RᵀMR is six by six
	G := mat.NewSymDense(6, nil)
	for i := range 6 {
		for j := range i + 1 {
			G.SetSym(i, j, dot(s.rigid[i], s.relief[j]))
		}
	}
	var c mat.Cholesky
	if !c.Factorize(G) {
		return fmt.Errorf("discretization: the body has no extent")
	}
	var inverse mat.SymDense
	if err := c.InverseTo(&inverse); err != nil {
		return fmt.Errorf("discretization: the body has no extent: %w", err)
	}
	MR := s.relief
	s.relief = nil
	for i := range 6 {
		r := make([]float64, 3*n)
		for j := range 6 {
			add(r, inverse.At(i, j), MR[j])
		}
		s.relief = append(s.relief, r)
	}
	return nil
}

// compliance returns fᵀu under a load.
func (s *statics) compliance(l *load) float64 {
	// the density at the nodes, and the forces that it gives by the consistent mass of density one
	b := make([]float64, 3*s.m.Pattern().N)
	for v, w := range l.density {
		if j := s.m.Node(int32(v)); j >= 0 {
			d := l.direction.Scale(w)
			copy(b[3*j:], d[:])
		}
	}
	f := s.times(s.M, b)
	// the load without what accelerates the whole
	var part [6]float64
	for k := range s.rigid {
		part[k] = dot(s.rigid[k], f)
	}
	for k := range s.relief {
		add(f, -part[k], s.relief[k])
	}
	u := append([]float64(nil), f...)
	s.chol.Solve(u)
	return dot(f, u)
}

// times returns A x of the blocks of a symmetric matrix.
func (s *statics) times(A, x []float64) []float64 {
	y := make([]float64, len(x))
	p := s.m.Pattern()
	for j := range p.N {
		for k := p.Ptr[j]; k < p.Ptr[j+1]; k++ {
			i := int(p.Row[k])
			B := (*r3.Mat)(A[9*k : 9*k+9])
			u := B.MulVec(r3.Vec(x[3*j : 3*j+3]))
			add(y[3*i:3*i+3], 1, u[:])
			if i != j {
				u = B.TMulVec(r3.Vec(x[3*i : 3*i+3]))
				add(y[3*j:3*j+3], 1, u[:])
			}
		}
	}
	return y
}

// dot returns Σ x_i y_i.
func dot(x, y []float64) (sum float64) {
	for i := range x {
		sum += x[i] * y[i]
	}
	return sum
}

// add adds c x to y.
func add(y []float64, c float64, x []float64) {
	for i := range x {
		y[i] += c * x[i]
	}
}
