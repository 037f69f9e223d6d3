package constraints

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
)

// advance moves the free bodies of unit mass and inertia and the vertices by v.
func (f *fake) advance(p *cliques.Problem, v []float64) {
	for i, n := range f.bodies {
		V := f.V[i][:]
		if n >= 0 {
			copy(V, v[p.NodeOffset[n]:])
		}
		X := &f.X_WB[i]
		X.R = r3.QuatExp(r3.Vec(V[:3]).Scale(p.H)).Mul(X.R.Quat()).Mat()
		X.P = X.P.AddScaled(p.H, r3.Vec(V[3:]))
	}
	for i := range f.verts {
		copy(f.vel[i][:], v[p.NodeOffset[int(f.first)+i]:])
		f.verts[i] = f.verts[i].AddScaled(p.H, f.vel[i])
	}
}

// momentum returns the linear and angular momentum of free bodies and vertices
// about the world's origin.
func (f *fake) momentum() (lin, ang r3.Vec) {
	for i, V := range f.V {
		if !f.given[i] {
			v := r3.Vec(V[3:])
			lin = lin.Add(v)
			ang = ang.Add(r3.Vec(V[:3])).Add(f.X_WB[i].P.Cross(v))
		}
	}
	for i, v := range f.vel {
		lin = lin.Add(v)
		ang = ang.Add(f.verts[i].Cross(v))
	}
	return lin, ang
}

// twoBodies is the scene without prescribed body and joints, welded or not.
func twoBodies() *fake {
	f := scene()
	f.X_WB, f.V, f.given = f.X_WB[:2], f.V[:2], f.given[:2]
	f.q, f.v = nil, nil
	return f
}

func TestWeldStaysClosedUnderRandomImpulsesAndKeepsMomentum(t *testing.T) {
	const h = 1e-3
	r := rand.New(rand.NewPCG(7, 7))
	f := twoBodies()
	f.V = [][6]float64{{}, {}}
	X_AB := f.X_WB[0].Inv().Mul(f.X_WB[1])
	c := &Weld{A: 0, B: 1, X_AP: r3.Pose{R: r3.RotExp(r3.Vec{1, 2, 0.5}), P: r3.Vec{0.1, 0, 0}}}
	c.X_BQ = X_AB.Inv().Mul(c.X_AP)
	var p cliques.Problem
	for i := range 300 {
		for b := range f.V {
			for j := range f.V[b] {
				f.V[b][j] += 1e-3 * r.NormFloat64()
			}
		}
		lin, ang := f.momentum()
		f.begin(&p, 0, h)
		c.Append(f, &p)
		v := solve(t, &p)
		f.advance(&p, v) // along the velocities, which adds no momentum
		lin1, ang1 := f.momentum()
		if d := lin1.Sub(lin).Norm() + ang1.Sub(ang).Norm(); d > 1e-12 {
			t.Fatalf("step %d: momentum changed by %g", i, d)
		}
		if v := c.Violation(f); v.Distance > 1e-8 || v.Angle > 1e-8 {
			t.Fatalf("step %d: apart by %g m, %g rad", i, v.Distance, v.Angle)
		}
	}
}

func TestLoopsRemoveTheirErrorAndKeepMomentum(t *testing.T) {
	const h = 1e-3
	anchorA, anchorB := Anchor{Body: 0, Pos_B: r3.Vec{0.1, 0, 0}}, Anchor{Body: 1, Pos_B: r3.Vec{0, 0.1, 0}}
	f := twoBodies()
	mean := Anchor{Body: f.soft(), N: 2, Vert: [4]int32{0, 2}, W: [4]float64{0.4, 0.6}}
	for name, c := range map[string]Described{
		"ball":          &Ball{A: anchorA, B: anchorB},
		"ball and soft": &Ball{A: anchorA, B: mean},
		"soft and ball": &Ball{A: mean, B: anchorA},
		"distance":      &Distance{A: anchorA, B: anchorB, Length: 0.4},
		"rope":          &Distance{A: anchorA, B: VertexAnchor(f.soft(), 3), Length: 0.1, Rope: true},
		"fixed":         &Fixed{Deformable: f.soft(), Verts: []int32{0, 3}, Body: 1, Pos_B: []r3.Vec{{0.2, 0, 0}, {0, 0.2, 0.3}}},
	} {
		f := twoBodies()
		e0 := c.Violation(f).Distance
		if math.Abs(e0) < 0.05 {
			t.Fatalf("%s: starts with error %g", name, e0)
		}
		var p cliques.Problem
		lin, ang := f.momentum()
		for i := range 2000 {
			f.begin(&p, 0, h)
			c.Append(f, &p)
			before := c.Violation(f).Distance
			f.advance(&p, solve(t, &p))
			if i < 10 { // large errors close at a bounded speed
				if rate := math.Abs(before-c.Violation(f).Distance) / h; rate > 2*math.Sqrt(3)*maxCorrection {
					t.Errorf("%s: step %d corrects at %g m/s", name, i, rate)
				}
			}
		}
		lin1, ang1 := f.momentum()
		if d := lin1.Sub(lin).Norm() + ang1.Sub(ang).Norm(); d > 1e-9 {
			t.Errorf("%s: momentum changed by %g", name, d)
		}
		if e := c.Violation(f).Distance; math.Abs(e) > 1e-5 {
			t.Errorf("%s: error %g left of %g", name, e, e0)
		}
	}
}

func TestRopeIsFreeWhileSlack(t *testing.T) {
	f := twoBodies()
	c := &Distance{A: Anchor{Body: geometry.World}, B: VertexAnchor(f.soft(), 3), Length: 5, Rope: true, Spring: Spring{1e4, 1e4}}
	f.vel[3] = r3.Vec{1, 1, 30}
	var p cliques.Problem
	f.begin(&p, 0, 1e-3)
	c.Append(f, &p)
	solve(t, &p)
	if T := c.Tension(&p, 0); T != 0 {
		t.Errorf("a slack rope pulls with %g N", T)
	}
	c.Length = 0.5
	f.begin(&p, 0, 1e-3)
	c.Append(f, &p)
	solve(t, &p)
	if T := c.Tension(&p, 0); T <= 0 {
		t.Errorf("a taut rope pulls with %g N", T)
	}
}

// TestDistanceSpringMatchesItsImplicitStep stretches a spring from the world to
// a vertex of unit mass: v = (v0 − h k g0)/(1 + h d + h² k) along it.
func TestDistanceSpringMatchesItsImplicitStep(t *testing.T) {
	const h, k, d = 1e-2, 200.0, 3.0
	f := &fake{verts: []r3.Vec{{0, 0, 0.7}}, vel: []r3.Vec{{0, 0, 0.4}}}
	c := &Distance{A: Anchor{Body: geometry.World}, B: VertexAnchor(f.soft(), 0), Length: 0.45, Spring: Spring{k, d}}
	var p cliques.Problem
	f.begin(&p, 0, h)
	c.Append(f, &p)
	v := solve(t, &p)
	want := (0.4 - h*k*0.25) / (1 + h*d + h*h*k)
	closeTo(t, "v", v, []float64{0, 0, want}, 1e-12)
	closeTo(t, "tension", []float64{c.Tension(&p, 0)}, []float64{k*(0.25+h*want) + d*want}, 1e-12)
}

func TestNearRigidRemovesMostOfASmallErrorInAStep(t *testing.T) {
	f := &fake{verts: []r3.Vec{{1e-6, 0, 0}}, vel: []r3.Vec{{}}}
	c := &Ball{A: Anchor{Body: geometry.World}, B: VertexAnchor(f.soft(), 0)}
	var p cliques.Problem
	f.begin(&p, 0, 1e-3)
	c.Append(f, &p)
	f.advance(&p, solve(t, &p))
	if left := f.verts[0][0] / 1e-6; left < 0.02 || left > 0.04 {
		t.Errorf("%.3f of the error left, want 0.03", left)
	}
}

func TestAttachmentCarriesTheLoadOfItsVertices(t *testing.T) {
	const h, load = 1e-3, -4.0
	f := twoBodies()
	at := append([]r3.Vec(nil), f.verts...)
	c, err := NewFixed(f.soft(), []int32{0, 2}, []r3.Vec{at[0], at[2]}, geometry.World, r3.Pose{})
	if err != nil {
		t.Fatal(err)
	}
	f.vel = make([]r3.Vec, 4)
	var p cliques.Problem
	for range 50 {
		f.vel[0][2] += h * load
		f.vel[2][2] += h * 2 * load
		f.begin(&p, 0, h)
		c.Append(f, &p)
		f.advance(&p, solve(t, &p))
	}
	force, moment := c.Force(f, &p, 1, r3.Vec{})
	closeTo(t, "force", force[:], []float64{0, 0, 3 * load}, 1e-6)
	want := at[0].AddScaled(2, at[2]).Cross(r3.Vec{0, 0, load})
	closeTo(t, "moment", moment[:], want[:], 1e-6)
	if e := c.Violation(f).Distance; math.Abs(e+2*load/rigidStiffness(h, 1)) > 1e-12 {
		t.Errorf("sags by %g, want %g", e, -2*load/rigidStiffness(h, 1))
	}
	if _, err := NewFixed(2, []int32{1, 1}, at[:2], geometry.World, r3.Pose{}); err == nil {
		t.Error("a vertex attached twice is no error")
	}
}

func TestConstraintsOfWhatCannotMoveAreHarmless(t *testing.T) {
	f := scene() // body 2 is prescribed
	var p cliques.Problem
	f.begin(&p, 0, 1e-3)
	(&Weld{A: geometry.World, B: 2, X_AP: r3.PoseIdentity(), X_BQ: r3.PoseIdentity()}).Append(f, &p)
	for _, m := range models(t) {
		AppendContact(m, contactBetween(geometry.MaterialPoint{Body: geometry.World}, geometry.MaterialPoint{Body: 2}, r3.Vec{}, r3.Vec{0, 0, 1}, -1e-3), &pair, f, &p)
	}
	for i, v := range solve(t, &p) {
		if v != p.V0[i] {
			t.Errorf("velocity %d changed", i)
		}
	}
	for i, g := range p.Gamma {
		if math.IsNaN(g) || math.IsInf(g, 0) {
			t.Errorf("γ[%d] is %g", i, g)
		}
	}
}

// TestWeldTreatsItsBodiesAlike swaps A and B of a weld far from closed.
func TestWeldTreatsItsBodiesAlike(t *testing.T) {
	X_AP, X_BQ := r3.Pose{R: r3.RotExp(r3.Vec{0.2, 0, 0}), P: r3.Vec{0.1, 0, 0}}, r3.Pose{R: r3.Identity(), P: r3.Vec{0, 0.3, 0}}
	var v [2][]float64
	var force, moment [2]r3.Vec
	for i, c := range []*Weld{{A: 0, B: 1, X_AP: X_AP, X_BQ: X_BQ}, {A: 1, B: 0, X_AP: X_BQ, X_BQ: X_AP}} {
		f := twoBodies()
		var p cliques.Problem
		f.begin(&p, 0, 1e-3)
		c.Append(f, &p)
		v[i] = solve(t, &p)
		moment[i], force[i] = c.Wrench(&p, 0)
	}
	closeTo(t, "v", v[1], v[0], 1e-9)
	back, turn := force[1].Neg(), moment[1].Neg()
	closeTo(t, "force", back[:], force[0][:], 1e-9)
	closeTo(t, "moment", turn[:], moment[0][:], 1e-9)
}

// TestEquationsNothingCanMoveStayFinite has the out-of-plane row of a planar
// loop, whose Delassus entry is round-off.
func TestEquationsNothingCanMoveStayFinite(t *testing.T) {
	l := &compliant{rows: make([]row, 3)}
	for i := range l.rows {
		l.rows[i].spring(Spring{}, 1e-16, maxCorrection)
	}
	l.Prepare(1e-3, []float64{1, 1e-34, 1})
	var gamma [3]float64
	var G [9]float64
	l.Eval([]float64{0, 0, 0}, gamma[:], G[:])
	if math.Abs(gamma[1]) > 1 || G[4] > 1e13 {
		t.Errorf("γ %g, G %g", gamma[1], G[4])
	}
}

// TestStrongJointFrictionIsRegularized bounds G w by 1/σ.
func TestStrongJointFrictionIsRegularized(t *testing.T) {
	const w = 50.0
	l := &dryFriction{f: 10, eps: 1e-12}
	l.Prepare(1e-3, []float64{w})
	var gamma, G [1]float64
	l.Eval([]float64{0}, gamma[:], G[:])
	if G[0]*w > 1.0001/jointSigma {
		t.Errorf("G w = %g above %g", G[0]*w, 1/jointSigma)
	}
}
