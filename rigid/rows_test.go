package rigid

import (
	"fmt"
	"math"
	"testing"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/internal/alloctest"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/timestep"
)

// open is a law without a cost, to open constraints with.
type open struct{}

func (open) Dim() int                                { return 4 }
func (open) Prepare(float64, []float64)              {}
func (open) Eval(vc, gamma, G []float64) (l float64) { return 0 }

// Rows of Jacobians times v plus bias are the velocities of points and links, by
// differences of poses on either side of t. The bias is valid for the mean velocity over
// the step, so that its mean over steps of ±h is central too.
func TestRowsAreDifferencedPoses(t *testing.T) {
	const h, at = 1e-5, 0.3
	for i := range 60 {
		r := newRand(i)
		m, q, v := randForest(t, r, 1+r.IntN(8), everything)
		d := m.NewData()
		link, other := r.IntN(m.NumLinks()), r.IntN(m.NumLinks())
		p_B, dir := randVec(r), randVec(r)

		var row [3]float64
		for _, s := range []float64{h, -h} {
			var p cliques.Problem
			p.Reset(at, s)
			d.Place(at, s, q, v)
			d.FreeMotion(r3.Vec{}, nil, &p)
			c := p.AddConstraint(open{})
			d.PointRow(&p, 0, link, d.Pose(link).Point(p_B), dir, 2)
			d.AngularRow(&p, 1, link, dir, -3)
			// of one link against another, perhaps on the same tree
			d.PointRow(&p, 2, link, d.Pose(link).P, dir, 1)
			d.PointRow(&p, 2, other, d.Pose(other).P, dir, -1)
			for k := range row {
				row[k] += 0.5 * p.StartVelocity(c, k)
			}
			for dof := range m.NumV() {
				p.AddConstraint(open{})
				d.DofRow(&p, 3, dof, 2)
				if x := p.StartVelocity(cliques.Handle(dof+1), 3); x != 2*v[dof] {
					t.Fatalf("forest %d: DofRow gives %g, want %g", i, x, 2*v[dof])
				}
			}
		}
		pose := func(h float64) (X, Y r3.Pose) {
			x, u := append([]float64(nil), q...), append([]float64(nil), v...)
			d.Advance(h, u, x, u, timestep.Memory{})
			d.Place(at+h, h, x, u)
			return d.Pose(link), d.Pose(other)
		}
		X1, Y1 := pose(h)
		X0, Y0 := pose(-h)
		diff := func(a, b r3.Vec) float64 { return dir.Dot(a.Sub(b)) / (2 * h) }
		want := [3]float64{
			2 * diff(X1.Point(p_B), X0.Point(p_B)),
			-3 * dir.Dot(X1.R.Mul(X0.R.T()).Quat().Log()) / (2 * h),
			diff(X1.P, X0.P) - diff(Y1.P, Y0.P),
		}
		for k := range row {
			if !(math.Abs(row[k]-want[k]) < 1e-8*(1+math.Abs(want[k]))) {
				t.Fatalf("forest %d row %d: %.12g, by differences %.12g", i, k, row[k], want[k])
			}
		}
	}
}

// Three rows at once are three rows one by one, the first two at an offset.
func TestPointRowsAreThreePointRows(t *testing.T) {
	for i := range 100 {
		r := newRand(i)
		m, q, v := randForest(t, r, 1+r.IntN(8), everything)
		d := m.NewData()
		var p cliques.Problem
		p.Reset(0.3, 1e-2)
		d.Place(0.3, 1e-2, q, v)
		d.FreeMotion(r3.Vec{}, nil, &p)
		link, x, R, s := r.IntN(m.NumLinks()), randVec(r), r3.RotExp(randVec(r)), r.NormFloat64()
		o := randVec(r).Scale(float64(i % 2))
		one := p.AddConstraint(open{})
		for row, at := range [3]r3.Vec{x.Add(o), x.Add(o), x} {
			d.PointRow(&p, row, link, at, R.Col(row), s)
		}
		three := p.AddConstraint(open{})
		d.PointRows(&p, link, &x, &R, &o, s)
		for row := range 3 {
			if a, b := p.StartVelocity(three, row), p.StartVelocity(one, row); !(math.Abs(a-b) < 1e-13*(1+math.Abs(b))) {
				t.Fatalf("forest %d row %d: %.16g, want %.16g", i, row, a, b)
			}
		}
		for k, b := range p.Blocks(one) {
			for j, x := range b.J {
				if y := p.Blocks(three)[k].J[j]; !(math.Abs(y-x) < 1e-13*(1+math.Abs(x))) {
					t.Fatalf("forest %d: J %d is %.16g, want %.16g", i, j, y, x)
				}
			}
		}
	}
}

// After Place and FreeMotion, rows do not allocate.
func TestAStepAllocatesNothing(t *testing.T) {
	r := newRand(3)
	m, q, v := randForest(t, r, 12, everything)
	d := m.NewData()
	tau, next := make([]float64, m.NumV()), make([]float64, m.NumV())
	at, frame := r3.Vec{1, 2, 3}, r3.Identity()
	var p cliques.Problem
	step := func() {
		p.Reset(0, 1e-3)
		d.Place(0, 1e-3, q, v)
		d.FreeMotion(r3.Vec{0, 0, -9.81}, tau, &p)
		p.AddConstraint(open{})
		for link := range m.NumLinks() {
			d.PointRow(&p, 0, link, r3.Vec{1, 2, 3}, r3.Vec{0, 0, 1}, 1)
			d.AngularRow(&p, 1, link, r3.Vec{0, 0, 1}, 1)
			d.PointRows(&p, link, &at, &frame, &at, 1)
		}
		for dof := range m.NumV() {
			d.DofRow(&p, 2, dof, 1)
		}
		copy(next, v)
		d.Advance(1e-3, next, q, v, timestep.Memory{})
		d.KineticEnergy()
		d.Momentum()
	}
	step()
	if n := alloctest.PerRun(50, step); n != 0 {
		t.Errorf("%v allocations a step", n)
	}
}

// Fixed and prescribed links form no clique, each other tree forms one.
func TestTreesBeginWhereVelocitiesBegin(t *testing.T) {
	r := newRand(4)
	names := []Joint{Weld{}, Prescribed{}, Revolute{Axis: r3.Vec{0, 0, 1}}, Floating{}}
	var b Builder
	for _, l := range []struct{ parent, joint int }{{-1, 0}, {0, 1}, {1, 2}, {1, 2}, {2, 0}, {2, 2}, {-1, 3}, {6, 3}} {
		s := LinkSpec{Name: fmt.Sprint(len(b.links)), Parent: l.parent, Joint: names[l.joint], X_PF: r3.PoseIdentity(), X_BM: r3.PoseIdentity()}
		randBody(r, &s)
		if _, err := b.Add(s); err != nil {
			t.Fatal(err)
		}
	}
	m, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	if want := []int{-1, -1, 0, 1, 0, 0, 2, 2}; fmt.Sprint(m.tree) != fmt.Sprint(want) {
		t.Errorf("trees %v, want %v", m.tree, want)
	}
	if m.Trees() != 3 || m.NumQ() != 17 || m.NumV() != 15 || m.NumLinks() != 8 {
		t.Errorf("%d trees, %d positions, %d velocities", m.Trees(), m.NumQ(), m.NumV())
	}
	// a tree's velocities lie together: those of link 5 follow those of link 2
	if fmt.Sprint(m.dofs) != "[2 5 3 6 6 6 6 6 6 7 7 7 7 7 7]" || m.VStart(5) != 1 || m.QStart(7) != 10 || m.LinkOfDof(2) != 3 || m.Parent(5) != 2 || m.LinkName(5) != "5" {
		t.Errorf("dofs %v", m.dofs)
	}
}
