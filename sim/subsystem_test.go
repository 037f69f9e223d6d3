package sim

import (
	"testing"

	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/timestep"
)

// pointRow is a law without force: its constraint reads the velocity of a material point
// along a direction.
type pointRow struct{}

func (pointRow) Dim() int                            { return 1 }
func (pointRow) Prepare(float64, []float64)          {}
func (pointRow) Eval(vc, gamma, G []float64) float64 { gamma[0], G[0] = 0, 0; return 0 }

// The contract of subsystems: the row of a point is the rate at which
// advancing moves it, J v + b = dir·(p(h) − p(0))/h as h → 0.
func TestPointRowsAreRatesOfAdvancedPoints(t *testing.T) {
	m := busyModel(t, timestep.Rule{})
	s, x := start(t, m, 1)
	for i := range x.V {
		x.V[i] = 0.3 * float64(i%7-3)
	}
	const h = 1e-7
	dir := r3.Vec{0.6, -0.64, 0.48}
	s.Place(x, h)
	s.freeMotion(x, h)
	p := &s.Problem
	soft := m.Geometry.NumRigid
	points := []geometry.MaterialPoint{{Body: soft, N: 3, Vert: [6]int32{0, 5, 9}, W: [6]float64{0.2, 0.3, 0.5}}}
	for b := range soft {
		points = append(points, geometry.MaterialPoint{Body: b, Pos_W: s.Geometry.X_WB[b].Point(r3.Vec{0.1, 0.2, -0.3})})
	}
	position := func(i int, f *geometry.MaterialPoint) (p r3.Vec) {
		if f.N == 0 {
			return s.Geometry.X_WB[i-1].Point(r3.Vec{0.1, 0.2, -0.3})
		}
		for k := range f.N {
			p = p.AddScaled(f.W[k], s.kin.Vertex(f.Body, f.Vert[k]))
		}
		return p
	}
	var rate []float64
	var before []r3.Vec
	for i := range points {
		c := p.AddConstraint(pointRow{})
		s.kin.PointRow(p, 0, &points[i], dir, 1)
		rate = append(rate, p.StartVelocity(c, 0))
		before = append(before, position(i, &points[i]))
	}
	s.vNext = append(s.vNext[:0], p.V0...)
	s.advance(x, h)
	s.Place(x, h)
	for i := range points {
		moved := position(i, &points[i]).Sub(before[i])
		near(t, s.BodyName(points[i].Body), dir.Dot(moved)/h, rate[i], 1e-5)
	}
}

// Signals of motion are the rates of those of place.
func TestSignalsOfVelocityAreRatesOfPositions(t *testing.T) {
	m := busyModel(t, timestep.Rule{})
	s, x := start(t, m, 1)
	soft := m.Geometry.NumRigid
	run(t, s, x, 2e-3, 20)
	const h = 1e-7
	for _, ref := range []int{geometry.World, 0, 4} {
		for _, pt := range []Point{{Body: soft, Vert: 3}, {Body: 2, Pos_B: r3.Vec{0.1, 0, 0.2}}, {Body: 4, Pos_B: r3.Vec{0, 0.1, 0}}} {
			for _, c := range []Component{X, Y, Z} {
				y := x.Clone()
				run(t, s, y, h, 1)
				a := Position{pt, c, ref}.Value(s, y)
				va := Velocity{pt, c, ref}.Value(s, y)
				run(t, s, y, h, 1)
				b := Position{pt, c, ref}.Value(s, y)
				near(t, "velocity", (b-a)/h, va, 1e-4)
			}
		}
	}
	p := r3.Vec{Momentum{Of: X}.Value(s, x), Momentum{Of: Y}.Value(s, x), Momentum{Of: Z}.Value(s, x)}
	near(t, "momentum", Momentum{Of: Norm}.Value(s, x), p.Norm(), 1e-12)
	s.Place(x, h)
	sum := Energy{Kinetic}.Value(s, x) + Energy{Potential}.Value(s, x) + Energy{Elastic}.Value(s, x)
	near(t, "energy", energy(s, x), sum, 1e-12)
	most := 0.0
	for _, v := range s.VonMises(0) {
		most = max(most, v)
	}
	near(t, "largest stress", VonMises{0}.Value(s, x), most, 1e-9*most)
}

// A report has a time for each of the six stages.
func TestReportsTimeEveryStage(t *testing.T) {
	s, x := start(t, busyModel(t, timestep.Rule{}), 1)
	run(t, s, x, 2e-3, 1)
	for i, d := range s.Report.Stages {
		if !(d > 0 && d < 10) {
			t.Errorf("%s took %g s", StageNames[i], d)
		}
	}
	if s.Report.Step != 1 {
		t.Errorf("report of step %d, want 1", s.Report.Step)
	}
}

// Bodies that a step would carry through a thin wall meet it: contacts are found as far
// ahead as bodies move.
func TestFastBodiesDoNotPassThinWalls(t *testing.T) {
	w := newScaffold(t)
	w.Gravity = r3.Vec{}
	mat := w.material(1e6, 10, 0.5)
	w.geom(geometry.World, at(0, 0, 0), w.box(2, 2, 0.005), mat)
	u := r3.Vec{0, 0, -50} // half a metre a step
	w.body("ball", w.sphere(0.02), 1, at(-0.3, 0, 0.3), r3.Vec{}, u, mat)
	w.body("box", w.box(0.05, 0.05, 0.05), 1, tilted(0.3, 0, 0.3), r3.Vec{}, u, mat)
	w.soft("cube", cube, [3]int{2, 2, 2}, 1e6, at(0, 0, 0.3), u, mat)
	s, x := w.build()
	run(t, s, x, 0.01, 5)
	for i, p := range places(s, r3.PoseIdentity(), 1) {
		if p[2] < 0 {
			t.Errorf("point %d is at %g m, behind the wall", i, p[2])
		}
	}
}

// Fixed vertices are in the state but not in the problem: they stay to the bit,
// and who comes after them in the state gets its own velocities.
func TestFixedVerticesStay(t *testing.T) {
	w := newScaffold(t)
	mat := w.material(1e5, 10, 0.5)
	w.body("before", w.sphere(0.05), 1, at(-1, 0, 0), r3.Vec{}, r3.Vec{}, mat)
	held := []int32{0, 1, 2, 13}
	w.soft("held", cube, [3]int{2, 2, 2}, 1e5, at(0, 0, 0), r3.Vec{}, mat, fixed(held...))
	after := w.soft("after", cube, [3]int{1, 1, 1}, 1e5, at(1, 0, 0), r3.Vec{1, 0, 0}, mat)
	s, x := w.build()
	q0, nq := append([]float64(nil), x.Q...), 7
	const h, n = 5e-3, 100
	run(t, s, x, h, n)
	moved := 0
	for v := range s.Model.Deformables[0].NumVerts() {
		a, b := r3.Vec(q0[nq+3*v:nq+3*v+3]), r3.Vec(x.Q[nq+3*v:nq+3*v+3])
		if a != b {
			moved++
		}
	}
	if want := s.Model.Deformables[0].NumVerts() - len(held); moved != want {
		t.Errorf("%d vertices moved, want %d", moved, want)
	}
	for _, v := range held {
		if o := nq + 3*int(v); r3.Vec(q0[o:o+3]) != r3.Vec(x.Q[o:o+3]) {
			t.Errorf("fixed vertex %d moved", v)
		}
	}
	fall := 0.5 * grav * h * h * n * (n + 1)
	nearVec(t, "the free one", s.deformables[1].CenterOfMass(), r3.Vec{1 + h*n, 0, -fall}, 1e-11)
	nearVec(t, "its velocity", (&Point{Body: after}).vel(s, x), r3.Vec{1, 0, -grav * h * n}, 1e-11)
}
