package rigid

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/r3"
)

// mimicking is a random forest with mimic joints, and the same without them.
type mimicking struct {
	with, without *Model
	q, v          []float64 // where joints follow
}

// newMimicking draws a forest of joints with one axis and others; a third of the former follow.
func newMimicking(r *rand.Rand, floating bool) (m mimicking, err error) {
	var b, free Builder
	var single []int
	n := 2 + r.IntN(7)
	for i := range n {
		s := LinkSpec{Name: "link", Parent: World, Joint: randJoint(r, 3), X_PF: randPose(r), X_BM: randPose(r)}
		if r.IntN(4) == 0 {
			s.Joint = randJoint(r, 9)
		}
		for { // gimbals turn their velocities within the step
			if _, ok := s.Joint.(SteppedJoint); !ok {
				break
			}
			s.Joint = randJoint(r, 9)
		}
		if floating && i == 0 {
			s.Joint = Floating{}
		}
		if i > 0 && r.IntN(4) > 0 {
			s.Parent = r.IntN(i)
		}
		if floating && i > 0 && s.Parent == World {
			s.Parent = 0
		}
		randBody(r, &s)
		s.RotorInertia, s.Damping = 0.1*r.Float64(), 0
		if _, nv := s.Joint.Size(); nv == 1 {
			s.Stiffness, s.Rest = 5*r.Float64(), r.NormFloat64()
			single = append(single, i)
		}
		for _, b := range [2]*Builder{&b, &free} {
			if _, err := b.Add(s); err != nil {
				return m, err
			}
		}
	}
	for _, i := range single {
		if r.IntN(3) > 0 || len(single) < 2 {
			continue
		}
		// chains in any order of numbers; those that close a circle are refused
		if l := single[r.IntN(len(single))]; l != i {
			_ = b.AddMimic(i, l, 1.5*r.NormFloat64(), r.NormFloat64())
		}
	}
	if m.with, err = b.Build(); err != nil {
		return m, err
	}
	if m.without, err = free.Build(); err != nil {
		return m, err
	}
	m.q, m.v = m.with.Start()
	for i := range m.v {
		m.v[i] = r.NormFloat64()
	}
	m.with.Displace(m.q, m.v)
	for i := range m.v {
		m.v[i] = r.NormFloat64()
	}
	m.with.Follow(m.q, m.v)
	return m, nil
}

// expansion returns R of (2): all velocities by those that follow no other.
func (m *mimicking) expansion() *mat.Dense {
	var leaders []int
	for k := range m.with.NumV() {
		if _, _, follows := m.with.Leader(k); !follows {
			leaders = append(leaders, k)
		}
	}
	R := mat.NewDense(m.with.NumV(), len(leaders), nil)
	for k := range m.with.NumV() {
		l, ratio, _ := m.with.Leader(k)
		for j, leader := range leaders {
			if l == leader {
				R.Set(k, j, ratio)
			}
		}
	}
	return R
}

// sameOrder reports whether joining trees left the numbers of velocities as they are.
func (m *mimicking) sameOrder() bool {
	for i := range m.with.NumLinks() {
		if m.with.v0[i] != m.without.v0[i] {
			return false
		}
	}
	return true
}

// In a short step trees with mimic joints have the accelerations of the constrained problem, (RᵀMR)⁻¹ Rᵀ(τ − bias), by
// inverse dynamics of the forest without them; their joints follow to round-off.
func TestMimicJointsMoveAsTheConstrainedForest(t *testing.T) {
	followers, joined := 0, 0
	for i := range 300 {
		r := newRand(9000 + i)
		m, err := newMimicking(r, i%4 == 0)
		if err != nil {
			t.Fatal(err)
		}
		if !m.with.HasFollowers() || !m.sameOrder() {
			continue
		}
		followers++
		if m.with.Trees() < m.without.Trees() {
			joined++
		}
		const h = 1e-7
		n := m.with.NumV()
		gravity, tau := randVec(r).Scale(5), make([]float64, n)
		for k := range tau {
			tau[k] = r.NormFloat64()
		}
		// M and bias without mimics
		d := m.without.NewData()
		d.Place(0, h, m.q, m.v)
		bias, col, unit, force := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
		d.InverseDynamics(gravity, unit, bias)
		M := mat.NewDense(n, n, nil)
		for k := range n {
			unit[k] = 1
			d.InverseDynamics(gravity, unit, col)
			unit[k] = 0
			for j := range n {
				M.Set(j, k, col[j]-bias[j])
			}
			l := &m.without.links[m.without.dofs[k]]
			f := tau[k] - bias[k] - l.Damping*m.v[k]
			if l.Stiffness > 0 {
				f -= l.Stiffness * (m.q[m.without.q0[m.without.dofs[k]]] - l.Rest)
			}
			force[k] = f
		}
		R := m.expansion()
		var reduced, MR mat.Dense
		MR.Mul(M, R)
		reduced.Mul(R.T(), &MR)
		var f, a, want mat.VecDense
		f.MulVec(R.T(), mat.NewVecDense(n, force))
		if err := a.SolveVec(&reduced, &f); err != nil {
			t.Fatal(err)
		}
		want.MulVec(R, &a)
		// a step of the trees
		e := m.with.NewData()
		e.Place(0, h, m.q, m.v)
		var p cliques.Problem
		p.Reset(0, h)
		e.FreeMotion(gravity, tau, &p)
		size := mat.Norm(&want, math.Inf(1)) + 1
		for c := range p.Cliques {
			q := &p.Cliques[c]
			dv := mat.NewVecDense(q.Size, nil)
			A := mat.NewDense(q.Size, q.Size, append([]float64(nil), q.A...))
			if err := dv.SolveVec(A, mat.NewVecDense(q.Size, p.P[q.Offset:q.Offset+q.Size])); err != nil {
				t.Fatalf("forest %d: %v", i, err)
			}
			for k := range q.Size {
				if off := math.Abs(dv.AtVec(k)/h - want.AtVec(q.Offset+k)); off > 2e-5*size {
					t.Errorf("forest %d: acceleration %d is %g, want %g of %g", i, q.Offset+k, dv.AtVec(k)/h, want.AtVec(q.Offset+k), size)
				}
				if l, ratio, _ := m.with.Leader(q.Offset + k); math.Abs(dv.AtVec(k)-ratio*dv.AtVec(l-q.Offset)) > 1e-9*h*size {
					t.Errorf("forest %d: velocity %d does not follow", i, q.Offset+k)
				}
			}
		}
	}
	if followers < 60 || joined < 5 {
		t.Errorf("%d forests with mimic joints, %d joined", followers, joined)
	}
}

// Rows of points of links of a forest with mimic joints are those without, times R; so is the Jacobian.
func TestRowsOfMimicJointsAreThoseOfTheirLeaders(t *testing.T) {
	for i := range 100 {
		r := newRand(9500 + i)
		m, err := newMimicking(r, i%4 == 0)
		if err != nil {
			t.Fatal(err)
		}
		if !m.sameOrder() {
			continue
		}
		n := m.with.NumV()
		d, e := m.with.NewData(), m.without.NewData()
		d.Place(0, 0.01, m.q, m.v)
		e.Place(0, 0.01, m.q, m.v)
		link, at := r.IntN(m.with.NumLinks()), randVec(r)
		columns := make([]int, n)
		for k := range columns {
			columns[k] = k
		}
		J, K := make([]float64, 6*n), make([]float64, 6*n)
		d.Jacobian(link, at, columns, n, J)
		e.Jacobian(link, at, columns, n, K)
		var p cliques.Problem
		p.Reset(0, 0.01)
		d.FreeMotion(r3.Vec{}, nil, &p)
		if m.with.IsKinematic(link) {
			continue
		}
		dir, R_WC, tangent := randVec(r), r3.RotExp(randVec(r)), r3.Vec{}
		want := [6]float64{}
		w, v := e.Velocity(link)
		u := v.Add(w.Cross(at.Sub(e.x_WB[link].P)))
		dof := m.with.v0[m.with.inboard[link]]
		copy(want[:], []float64{2 * dir.Dot(u), dir.Dot(w), 3 * m.v[dof], R_WC.Col(0).Dot(u), R_WC.Col(1).Dot(u), R_WC.Col(2).Dot(u)})
		p.AddConstraint(open{})
		d.PointRow(&p, 0, link, at, dir, 2)
		d.AngularRow(&p, 1, link, dir, 1)
		d.DofRow(&p, 2, m.with.v0[m.with.inboard[link]], 3)
		var got [6]float64
		for row := range 3 {
			got[row] = p.Rate(row, m.v)
		}
		p.AddConstraint(open{})
		d.PointRows(&p, link, &at, &R_WC, &tangent, 1)
		for row := range 3 {
			got[3+row] = p.Rate(row, m.v)
		}
		for row := range 6 {
			rate, folded := 0.0, 0.0
			for k, v := range m.v {
				rate += K[row*n+k] * v
				folded += J[row*n+k] * v
				if _, _, follows := m.with.Leader(k); follows && J[row*n+k] != 0 {
					t.Errorf("forest %d: a mimic joint has a column", i)
				}
			}
			if math.Abs(rate-folded) > 1e-12*(1+math.Abs(rate)) {
				t.Errorf("forest %d: row %d of the Jacobian moves at %g, want %g", i, row, folded, rate)
			}
		}
		for row := range want {
			if math.Abs(got[row]-want[row]) > 1e-11*(1+math.Abs(want[row])) {
				t.Errorf("forest %d: row %d moves at %g, want %g", i, row, got[row], want[row])
			}
		}
	}
}

// Mimics that cannot be are refused; those between a floating tree and another are left out.
func TestMimicsThatCannotBe(t *testing.T) {
	hinge := LinkSpec{Name: "hinge", Parent: World, Joint: Revolute{Axis: r3.Vec{0, 0, 1}}, X_PF: r3.PoseIdentity(), X_BM: r3.PoseIdentity(), Mass: 1, Inertia_B: r3.Identity()}
	ball, free := hinge, hinge
	ball.Joint, free.Joint = Ball{}, Floating{}
	var b Builder
	for _, s := range []LinkSpec{hinge, hinge, hinge, ball, free} {
		if _, err := b.Add(s); err != nil {
			t.Fatal(err)
		}
	}
	carried := hinge
	carried.Parent = 4
	if _, err := b.Add(carried); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		link, leader  int
		ratio, offset float64
		ok            bool
	}{
		{1, 0, 2, 0.1, true}, {1, 2, 1, 0, false}, {2, 1, -0.5, 0, true}, {0, 2, 1, 0, false}, {0, 0, 1, 0, false}, {3, 0, 1, 0, false}, {0, 3, 1, 0, false},
		{0, 9, 1, 0, false}, {-1, 0, 1, 0, false}, {0, 5, math.NaN(), 0, false}, {0, 5, 1, math.Inf(1), false}, {5, 0, 1, 0, true},
	} {
		if err := b.AddMimic(c.link, c.leader, c.ratio, c.offset); (err == nil) != c.ok {
			t.Errorf("%+v: error %v", c, err)
		}
	}
	m, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	if leader, ratio, ok := m.Leader(m.VStart(2)); !ok || leader != m.VStart(0) || ratio != -1 {
		t.Errorf("the chain leads to %d by %g, %v", leader, ratio, ok)
	}
	if _, _, ok := m.Leader(m.VStart(5)); ok || m.Trees() != 3 {
		t.Errorf("a joint of a floating tree follows one of another, %d trees", m.Trees())
	}
}

// Opposite forces on two fingers, of which one mimics the other, cancel on the leader: what the follower passes to it
// is counted, by closed form.
func TestMomentaThatFollowersPassAreCounted(t *testing.T) {
	const m, h, ratio = 0.2, 2e-3, 0.7
	g := r3.Vec{0, 0, -9.81}
	var b Builder
	for i, mass := range []float64{ratio * m, m} { // the follower moves down by ratio where the leader moves up
		link := LinkSpec{Name: "finger", Parent: World, Joint: Prismatic{Axis: r3.Vec{0, 0, float64(1 - 2*i)}}, X_PF: r3.PoseIdentity(), X_BM: r3.PoseIdentity(), Mass: mass}
		if _, err := b.Add(link); err != nil {
			t.Fatal(err)
		}
	}
	if err := b.AddMimic(1, 0, ratio, 0); err != nil {
		t.Fatal(err)
	}
	model, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	d := model.NewData()
	d.Place(0, h, make([]float64, 2), make([]float64, 2))
	var p cliques.Problem
	p.Reset(0, h)
	d.FreeMotion(g, nil, &p)
	c := &p.Cliques[0]
	if math.Abs(p.P[0]) > 1e-15 {
		t.Errorf("the leader gains %g N s", p.P[0])
	}
	passed := ratio * m * 9.81 * h
	if want := passed * passed / c.A[0]; math.Abs(c.Passed2-want) > 1e-12*want {
		t.Errorf("passed %g J, want %g", c.Passed2, want)
	}
}
