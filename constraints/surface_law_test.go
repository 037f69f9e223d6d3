package constraints

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/constraints/lawtest"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/hydroelastic"
	"github.com/curlfree/curlfree/internal/alloctest"
	"github.com/curlfree/curlfree/r3"
)

// contactSurfaceOf returns a contact surface of n faces, some of them open.
func contactSurfaceOf(r *rand.Rand, a, b, n int) *geometry.HydroelasticContact {
	pt := &geometry.HydroelasticContact{A: a, B: b, Centroid_W: r3.Vec{0.2, -0.1, 0.4}}
	for range n {
		x := func() float64 { return r.NormFloat64() }
		pt.Surface.Faces = append(pt.Surface.Faces, hydroelastic.Face{
			Pos_W: pt.Centroid_W.Add(r3.Vec{0.1 * x(), 0.1 * x(), 0.02 * x()}), Normal_W: r3.Vec{0.3 * x(), 0.3 * x(), 1}.Unit(),
			Area: 1e-4 * (1 + r.Float64()), PressureGradient: 1e8 * (1 + r.Float64()), Phi: -1e-3 * x(),
		})
	}
	return pt
}

// flatten puts the faces of a contact surface into one plane.
func flatten(pt *geometry.HydroelasticContact, r *rand.Rand) {
	n := r3.Vec{0.3 * r.NormFloat64(), 0.3 * r.NormFloat64(), 1}.Unit()
	for i := range pt.Surface.Faces {
		f := &pt.Surface.Faces[i]
		f.Normal_W = n
		f.Pos_W = f.Pos_W.AddScaled(-n.Dot(f.Pos_W.Sub(pt.Centroid_W)), n)
	}
}

// asContact returns one face as a contact of a point.
func asContact(pt *geometry.HydroelasticContact, i int) (*geometry.Contact, Pair) {
	f := &pt.Surface.Faces[i]
	c := contactBetween(geometry.MaterialPoint{Body: pt.A}, geometry.MaterialPoint{Body: pt.B}, f.Pos_W, f.Normal_W, f.Phi)
	q := pair
	q.Stiffness = f.Area * f.PressureGradient
	return c, q
}

func TestContactSurfacesAreTheirFaces(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for _, m := range allModels() {
		switch m := m.(type) { // of the Delassus operator, which scales the others, a contact surface knows the diagonal
		default:
			continue
		case Lagged:
			if m.Sigma > 0 {
				continue
			}
		case Similar:
			if m.Sigma > 0 {
				continue
			}
		}
		for _, n := range []int{1, 7, -9} {
			pt := contactSurfaceOf(r, 0, 1, max(n, -n))
			if n < 0 {
				flatten(pt, r)
			}
			var p, q cliques.Problem
			f := scene()
			f.begin(&p, 0, 1e-3)
			own := pair
			h := AppendHydroelasticContact(m, pt, &own, f, &p)
			together := solve(t, &p)
			loads := HydroelasticLoads(&p, h, nil)

			g := scene()
			g.begin(&q, 0, 1e-3)
			for i := range pt.Surface.Faces {
				c, one := asContact(pt, i)
				AppendContact(m, c, &one, g, &q)
			}
			single := solve(t, &q)
			for i := range single {
				if math.Abs(single[i]-together[i]) > 1e-7*(1+math.Abs(single[i])) {
					t.Fatalf("%+v, %d faces: velocity %d is %g, of single contacts %g", m, n, i, together[i], single[i])
				}
			}
			for i := range pt.Surface.Faces {
				c, _ := asContact(pt, i)
				want := forceOf(&q, cliques.Handle(i), c)
				if d := loads[i].Force_W.Sub(want).Norm(); d > 1e-4*(1+want.Norm()) {
					t.Errorf("%+v: face %d transmits %v, a contact %v", m, i, loads[i].Force_W, want)
				}
				if d := loads[i].Slip_W.Dot(c.Normal_W); math.Abs(d) > 1e-12 {
					t.Errorf("slip %v has a normal part", loads[i].Slip_W)
				}
			}
		}
	}
}

func TestSurfaceLawsKeepTheContract(t *testing.T) {
	for _, m := range models(t) {
		lawtest.Check(t, 20, func(r *rand.Rand) lawtest.Sample {
			pt := contactSurfaceOf(r, 0, 1, 4+r.IntN(4))
			for i := range pt.Surface.Faces { // arms like lengths, lest round-off rule
				x := &pt.Surface.Faces[i].Pos_W
				*x = pt.Centroid_W.AddScaled(10, x.Sub(pt.Centroid_W))
			}
			R_WF := r3.Identity()
			if r.IntN(2) == 0 {
				flatten(pt, r)
				R_WF.SetBasis(&pt.Surface.Faces[0].Normal_W)
			}
			f := scene()
			p := new(cliques.Problem)
			f.begin(p, 0, 1e-3)
			own := pair
			own.Sides[1].SurfaceVelocity_B = r3.Vec{0.1, 0, 0}
			h := AppendHydroelasticContact(m, pt, &own, f, p)
			law := p.Constraints[h].Law
			law.Prepare(p.H, []float64{3, 4, 5, 1, 1, 1})
			if l := law.(*surfaceLaw); l.lanes.first == nil || !l.lanes.flat {
				R_WF = r3.Identity()
			}
			var at [][]float64
			switches := func(v_W r3.Vec) {
				v_W[0] -= 0.1
				v := R_WF.TMulVec(v_W)
				at = append(at, append([]float64{0, 0, 0}, v[:]...))
			}
			switches(r3.Vec{})                      // no slip
			for _, face := range pt.Surface.Faces { // where Hunt–Crossley's law breaks off
				vBreak, _, _ := breakOff(p.H, own.Dissipation, face.Phi)
				switches(face.Normal_W.Scale(vBreak))
			}
			return lawtest.Sample{Law: law, Scale: []float64{3, 3, 3, 1, 1, 1}, At: at, Name: fmt.Sprintf("%T", m)}
		})
	}
}

func TestContactSurfacesRotateWithTheWorld(t *testing.T) {
	f := scene()
	var p cliques.Problem
	f.begin(&p, 0, 1e-3)
	own := pair
	h := AppendHydroelasticContact(Lagged{}, contactSurfaceOf(rand.New(rand.NewPCG(1, 1)), 0, 1, 3), &own, f, &p)
	v := f.rigidVelocity(&p, r3.Vec{0.3, -0.7, 1.1}, r3.Vec{2, -1, 0.5})
	for i, x := range velocity(&p, h, v) {
		if math.Abs(x) > 1e-14 {
			t.Errorf("row %d moves by %g with the whole", i, x)
		}
	}
}

// other is a law that contact surfaces take for any.
type other struct{ Lagged }

func TestPlainFacesAreFaces(t *testing.T) {
	for _, m := range []Lagged{{}, {Sigma: 1e-3, StaticFriction: true}} {
		var p, q cliques.Problem
		at := func(p *cliques.Problem, m ContactModel) (*surfaceLaw, cliques.Handle) {
			f := scene()
			f.begin(p, 0, 1e-3)
			own := pair
			own.StaticFriction = 0.9
			own.Sides[0].SurfaceVelocity_B = r3.Vec{0.3, 0.1, 0}
			h := AppendHydroelasticContact(m, contactSurfaceOf(rand.New(rand.NewPCG(5, 5)), 0, 1, 9), &own, f, p)
			l := p.Constraints[h].Law.(*surfaceLaw)
			l.Prepare(p.H, []float64{3, 4, 5, 1, 1.5, 2})
			return l, h
		}
		plain, h := at(&p, m)
		faces, k := at(&q, other{m})
		if plain.lanes.first == nil || faces.lanes.first != nil {
			t.Fatal("plain and not")
		}
		r := rand.New(rand.NewPCG(6, 6))
		same := func() {
			vc := make([]float64, 6)
			for i := range vc {
				vc[i] = r.NormFloat64() * math.Pow(10, -4*r.Float64())
			}
			var gamma, want [6]float64
			var G, wantG [36]float64
			cost, wantCost := plain.Eval(vc, gamma[:], G[:]), faces.Eval(vc, want[:], wantG[:])
			closeTo(t, "cost", []float64{cost}, []float64{wantCost}, 1e-12)
			closeTo(t, "γ", gamma[:], want[:], 1e-11)
			closeTo(t, "G", G[:], wantG[:], 1e-11)
			copy(p.Velocity(h), vc)
			copy(q.Velocity(k), vc)
			a, b := HydroelasticLoads(&p, h, nil), HydroelasticLoads(&q, k, nil)
			for i := range a {
				closeTo(t, "force", a[i].Force_W[:], b[i].Force_W[:], 1e-11)
				closeTo(t, "slip", append(a[i].Slip_W[:], a[i].Normal), append(b[i].Slip_W[:], b[i].Normal), 1e-11)
			}
		}
		for range 50 {
			same()
		}
		one, two := LagErrorOf(&p, h), LagErrorOf(&q, k)
		closeTo(t, "lag", []float64{one.Allowed, one.Lacking, one.Excess}, []float64{two.Allowed, two.Lacking, two.Excess}, 1e-11)
		for _, ratio := range []float64{10, math.Inf(1)} {
			if plain.CapSlope(ratio) != faces.CapSlope(ratio) {
				t.Error("one is capped")
			}
			same()
		}
		c1, l1 := UpdateNormalBound(&p, h)
		c2, l2 := UpdateNormalBound(&q, k)
		closeTo(t, "swept", []float64{c1, l1}, []float64{c2, l2}, 1e-12)
		same()
	}
}

// In axes of the plane a flat contact surface is what one is in the world's that is flat only
// almost.
func TestFlatContactSurfacesAreFaces(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	for _, m := range []Lagged{{}, {StaticFriction: true}} {
		for _, n := range []int{2, 9, 40} {
			pt := contactSurfaceOf(r, 0, 1, n)
			flatten(pt, r)
			var p, q cliques.Problem
			add := func(p *cliques.Problem) (*surfaceLaw, cliques.Handle, []float64) {
				f := scene()
				f.begin(p, 0, 1e-3)
				own := pair
				own.StaticFriction = 0.9
				own.Sides[0].SurfaceVelocity_B = r3.Vec{0.3, 0.1, 0}
				h := AppendHydroelasticContact(m, pt, &own, f, p)
				return p.Constraints[h].Law.(*surfaceLaw), h, solve(t, p)
			}
			flat, h, v := add(&p)
			last := &pt.Surface.Faces[n-1]
			last.Pos_W = last.Pos_W.AddScaled(1e-12, last.Normal_W)
			other, k, u := add(&q)
			if !flat.lanes.flat || other.lanes.flat {
				t.Fatal("flat or not")
			}
			closeTo(t, "velocities", v, u, 1e-8)
			a, b := HydroelasticLoads(&p, h, nil), HydroelasticLoads(&q, k, nil)
			for i := range a {
				closeTo(t, "force", a[i].Force_W[:], b[i].Force_W[:], 1e-6)
				closeTo(t, "slip", a[i].Slip_W[:], b[i].Slip_W[:], 1e-7)
			}
			one, two := LagErrorOf(&p, h), LagErrorOf(&q, k)
			closeTo(t, "lag", []float64{one.Allowed, one.Lacking, one.Excess}, []float64{two.Allowed, two.Lacking, two.Excess}, 1e-6)
			c1, l1 := UpdateNormalBound(&p, h)
			c2, l2 := UpdateNormalBound(&q, k)
			closeTo(t, "swept", []float64{c1, l1}, []float64{c2, l2}, 1e-6)
			if swept := LagErrorOf(&p, h); swept.Lacking != 0 || swept.Excess != 0 || swept.Allowed != one.Allowed {
				t.Errorf("after a sweep %+v, before %+v", swept, one)
			}
		}
	}
}

func TestContactSurfacesAllocateNothing(t *testing.T) {
	f := scene()
	var p cliques.Problem
	pt := contactSurfaceOf(rand.New(rand.NewPCG(1, 1)), 0, 1, 300)
	own := pair
	vc, gamma, G, w := make([]float64, 6), make([]float64, 6), make([]float64, 36), []float64{1, 1, 1, 1, 1, 1}
	var loads []FaceLoad
	step := func() {
		f.begin(&p, 0, 1e-3)
		h := AppendHydroelasticContact(Lagged{}, pt, &own, f, &p)
		p.Constraints[h].Law.Prepare(p.H, w)
		p.Constraints[h].Law.Eval(vc, gamma, G)
		loads = HydroelasticLoads(&p, h, loads[:0])
	}
	step()
	if n := alloctest.PerRun(10, step); n > 0 {
		t.Errorf("%g allocations", n)
	}
}

func TestContactSurfacesDissipateByTheirModuli(t *testing.T) {
	s, err := NewContactMaterials([]ContactMaterial{
		{HydroelasticModulus: 1e6, Dissipation: 3, Friction: 0.5}, {HydroelasticModulus: 3e6, Dissipation: 7, Friction: 0.5}, {Dissipation: 100, Friction: 0.5, Stiffness: 1},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		mat  [2]int
		want float64
	}{{[2]int{0, 1}, (3*3 + 7) / 4.}, {[2]int{0, 2}, 3}, {[2]int{2, 1}, 7}} {
		q, err := s.HydroelasticPair(&geometry.HydroelasticContact{Materials: c.mat})
		if err != nil || math.Abs(q.Dissipation-c.want) > 1e-12 {
			t.Errorf("%v: %g, want %g (%v)", c.mat, q.Dissipation, c.want, err)
		}
	}
}

// An impulse is the same number whether its Hessian is asked for or not: what a
// solver asks for then changes no bit of what it finds.
func TestImpulsesOfContactSurfacesDoNotDependOnHessians(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	for _, m := range []ContactModel{Lagged{}, Lagged{Sigma: 1e-3}, other{}, Similar{}} {
		for n := 1; n < 60; n += 3 {
			pt := contactSurfaceOf(r, 0, 1, n)
			if n%2 == 0 {
				flatten(pt, r)
			}
			f, p, own := scene(), new(cliques.Problem), pair
			f.begin(p, 0, 1e-3)
			law := p.Constraints[AppendHydroelasticContact(m, pt, &own, f, p)].Law.(*surfaceLaw)
			law.Prepare(p.H, []float64{3, 4, 5, 1, 1.5, 2})
			for range 10 {
				var vc, gamma, alone [6]float64
				var G [36]float64
				for i := range vc {
					vc[i] = r.NormFloat64() * math.Pow(10, -4*r.Float64())
				}
				law.Eval(vc[:], gamma[:], G[:])
				if law.EvalImpulse(vc[:], alone[:]); alone != gamma {
					t.Fatalf("%+v, %d faces: %v, with the Hessian %v", m, n, alone, gamma)
				}
			}
		}
	}
}

func BenchmarkContactSurfaceOf1000Faces(b *testing.B) {
	f := scene()
	var p cliques.Problem
	f.begin(&p, 0, 1e-3)
	own := pair
	h := AppendHydroelasticContact(Lagged{}, contactSurfaceOf(rand.New(rand.NewPCG(1, 1)), 0, 1, 1000), &own, f, &p)
	law := p.Constraints[h].Law
	law.Prepare(p.H, []float64{1, 1, 1, 1, 1, 1})
	vc, gamma, G := []float64{0.1, 0.2, 0.3, 0.1, 0.1, -0.1}, make([]float64, 6), make([]float64, 36)
	b.Run("all", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			law.Eval(vc, gamma, G)
		}
	})
	b.Run("impulse", func(b *testing.B) {
		for b.Loop() {
			law.(*surfaceLaw).EvalImpulse(vc, gamma)
		}
	})
}
