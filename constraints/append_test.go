package constraints

import (
	"math"
	"testing"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/internal/alloctest"
	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/motion"
	"github.com/curlfree/curlfree/r3"
)

// vertexMean is a feature of the fake's deformable body.
func (f *fake) vertexMean(w ...float64) geometry.MaterialPoint {
	ft := geometry.MaterialPoint{Body: f.soft(), N: len(w)}
	for i, x := range w {
		ft.Vert[i], ft.W[i] = int32(i), x
		ft.Pos_W = ft.Pos_W.AddScaled(x, f.verts[i])
	}
	return ft
}

func contactBetween(a, b geometry.MaterialPoint, at, normal r3.Vec, phi float64) *geometry.Contact {
	// Witness points lie apart by the gap; the force acts at the contact's point.
	a.Pos_W, b.Pos_W = at.Add(r3.Vec{0, 0, 0.1}), at.Add(r3.Vec{0, 0, -0.1})
	return &geometry.Contact{A: a, B: b, Pos_W: at, Normal_W: normal.Unit(), Phi: phi}
}

var pair = Pair{Stiffness: 1e5, Dissipation: 10, RelaxationTime: 1e-3, Friction: 0.7}

// modelOf returns a contact model by the names of its laws, with or without static friction. Its error is that of the
// contact law.
func modelOf(law, normal string, static bool) (ContactModel, error) {
	spec, err := ContactModels.New(law)
	if err != nil {
		return nil, err
	}
	for _, f := range kinds.Fields(spec) {
		if f.Key == "static_friction" {
			f.Value.SetBool(static)
		}
	}
	n, err := NormalModels.New(normal)
	if err != nil {
		return nil, err
	}
	made, err := n.Make()
	if err != nil {
		return nil, err
	}
	return spec.Make(made)
}

// models lists every contact model.
func models(t *testing.T) []ContactModel {
	var all []ContactModel
	for _, name := range ContactModels.Names() {
		m, err := modelOf(name, DefaultNormalModel, false)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, m)
	}
	return all
}

// allModels lists every contact model on every normal law, with static friction.
func allModels() []ContactModel {
	var all []ContactModel
	for _, normal := range NormalModels.Names() {
		for _, name := range ContactModels.Names() {
			if m, err := modelOf(name, normal, true); err == nil {
				all = append(all, m)
			}
		}
	}
	return all
}

// contactsOf returns contacts between every kind of sides of a scene.
func contactsOf(f *fake) []*geometry.Contact {
	body := func(i int) geometry.MaterialPoint { return geometry.MaterialPoint{Body: i} }
	mean := f.vertexMean(0.2, 0.3, 0.5)
	return []*geometry.Contact{
		contactBetween(body(0), body(1), r3.Vec{0.2, -0.1, 0.4}, r3.Vec{1, 2, -3}, -1e-3),
		contactBetween(body(1), mean, mean.Pos_W, r3.Vec{0, 1, 1}, -1e-3),
		contactBetween(mean, body(0), mean.Pos_W, r3.Vec{0, -1, 0.3}, 1e-4),
	}
}

// couplings returns the constraints between the bodies and vertices of a scene.
func couplings(f *fake) []Constraint {
	pose := func(x, y, z float64) r3.Pose {
		return r3.Pose{R: r3.RotExp(r3.Vec{z, x, y}), P: r3.Vec{x, y, z}}
	}
	mean := Anchor{Body: f.soft(), N: 2, Vert: [4]int32{0, 2}, W: [4]float64{0.4, 0.6}}
	fixed := &Fixed{Deformable: f.soft(), Verts: []int32{1, 3}, Body: 0, Pos_B: []r3.Vec{{0.1, 0, 0}, {0, 0.2, 0}}}
	return []Constraint{
		&Ball{A: Anchor{Body: 0, Pos_B: r3.Vec{0.1, 0, 0}}, B: Anchor{Body: 1, Pos_B: r3.Vec{0, 0.3, 0}}},
		&Ball{A: mean, B: Anchor{Body: 1, Pos_B: r3.Vec{0, 0.3, 0}}, Spring: Spring{1e3, 2}},
		&Weld{A: 0, B: 1, X_AP: pose(0.1, 0.2, 0.3), X_BQ: pose(-0.1, 0.3, 0)},
		&Distance{A: Anchor{Body: 0, Pos_B: r3.Vec{0.1, 0, 0}}, B: Anchor{Body: 1}, Length: 0.3, Spring: Spring{Stiffness: 100}},
		&Distance{A: Anchor{Body: 1, Pos_B: r3.Vec{0.1, 0, 0}}, B: VertexAnchor(f.soft(), 3), Length: 0.1, Rope: true},
		fixed,
	}
}

// rigidVelocity fills v with one rigid motion (ω about the world's origin, v) of
// everything in the scene.
func (f *fake) rigidVelocity(p *cliques.Problem, w, u r3.Vec) []float64 {
	v := make([]float64, p.Size())
	at := func(x r3.Vec) r3.Vec { return u.Add(w.Cross(x)) }
	for i, n := range f.bodies {
		if n >= 0 {
			o := at(f.X_WB[i].P)
			copy(v[p.NodeOffset[n]:], w[:])
			copy(v[p.NodeOffset[n]+3:], o[:])
		}
	}
	for i, x := range f.verts {
		o := at(x)
		copy(v[p.NodeOffset[int(f.first)+i]:], o[:])
	}
	return v
}

// TestImpulsesCancelInForceAndMoment uses that Jᵀγ has no resultant for any γ if
// and only if J v = 0 for all rigid motions of the whole.
func TestImpulsesCancelInForceAndMoment(t *testing.T) {
	f := scene()
	var p cliques.Problem
	f.begin(&p, 0, 1e-3)
	for _, m := range models(t) {
		for _, c := range contactsOf(f) {
			AppendContact(m, c, &pair, f, &p)
		}
	}
	for _, c := range couplings(f) {
		c.Append(f, &p)
	}
	motions := [][2]r3.Vec{{{0.3, -0.7, 1.1}, {2, -1, 0.5}}, {{1, 0, 0}, {}}, {{}, {0, 1, 0}}}
	for _, m := range motions {
		v := f.rigidVelocity(&p, m[0], m[1])
		for h := range p.Constraints {
			for i, c := range velocity(&p, cliques.Handle(h), v) {
				if math.Abs(c) > 1e-14 {
					t.Errorf("constraint %d row %d moves by %g with the whole", h, i, c)
				}
			}
		}
	}
}

// velocity returns J v of a constraint, without bias.
func velocity(p *cliques.Problem, h cliques.Handle, v []float64) []float64 {
	c := make([]float64, p.Constraints[h].Dim)
	for _, b := range p.Blocks(h) {
		n, off := p.NodeSize[b.Node], p.NodeOffset[b.Node]
		for i := range c {
			for j := range n {
				c[i] += b.J[i*n+j] * v[off+j]
			}
		}
	}
	return c
}

func TestContactVelocityIsThatOfBRelativeToA(t *testing.T) {
	f := scene()
	at := r3.Vec{0.7, 0.1, -0.2}
	c := contactBetween(geometry.MaterialPoint{Body: 0}, geometry.MaterialPoint{Body: 2}, at, r3.Vec{1, -1, 2}, 1e-2)
	point := func(i int) r3.Vec {
		w, v := r3.Vec(f.V[i][:3]), r3.Vec(f.V[i][3:])
		return v.Add(w.Cross(at.Sub(f.X_WB[i].P)))
	}
	want := ContactFrame(c).TMulVec(point(2).Sub(point(0)))
	var p cliques.Problem
	f.begin(&p, 0, 1e-3)
	h := AppendContact(Lagged{}, c, &pair, f, &p)
	for i := range want {
		if got := p.StartVelocity(h, i); math.Abs(got-want[i]) > 1e-14 {
			t.Errorf("row %d: %g, want %g (body 2 is prescribed)", i, got, want[i])
		}
	}
}

// TestContactPushesWhicheverSideIsCalledA presses body 0 on the ground.
// forceOf is the force that a contact exerts on its B after the solve, world, N.
func forceOf(p *cliques.Problem, h cliques.Handle, c *geometry.Contact) (force_W r3.Vec) {
	var slip_W r3.Vec
	ContactLoad(p, h, c, &force_W, &slip_W)
	return force_W
}

func TestContactPushesWhicheverSideIsCalledA(t *testing.T) {
	for _, m := range models(t) {
		var up [2]r3.Vec
		for swap := range 2 {
			f := scene()
			f.V[0] = [6]float64{3: 0.5, 5: -1}
			a, b, n := geometry.MaterialPoint{Body: geometry.World}, geometry.MaterialPoint{Body: 0}, r3.Vec{0, 0, 1}
			if swap == 1 {
				a, b, n = b, a, n.Neg()
			}
			c := contactBetween(a, b, f.X_WB[0].P, n, -1e-3)
			var p cliques.Problem
			f.begin(&p, 0, 1e-3)
			h := AppendContact(m, c, &pair, f, &p)
			v := solve(t, &p)
			force := forceOf(&p, h, c)
			if swap == 1 {
				force = force.Neg()
			}
			up[swap] = force
			// The momentum gained is the impulse: unit mass, centre hit.
			closeTo(t, "momentum", []float64{v[3] - 0.5, v[4], v[5] + 1}, []float64{force[0] * p.H, force[1] * p.H, force[2] * p.H}, 1e-9)
		}
		if up[0][2] <= 0 || up[0][0] >= 0 {
			t.Errorf("%T: force %v on a body that sinks along x", m, up[0])
		}
		closeTo(t, "swapped", up[1][:], up[0][:], 1e-9)
	}
}

func TestSpeculativeContactActsOnlyWhenReached(t *testing.T) {
	for _, m := range models(t) {
		for _, tc := range []struct {
			speed float64
			hit   bool
		}{{-0.5, false}, {-20, true}} {
			f := scene()
			f.V[0] = [6]float64{5: tc.speed}
			c := contactBetween(geometry.MaterialPoint{Body: geometry.World}, geometry.MaterialPoint{Body: 0}, f.X_WB[0].P, r3.Vec{0, 0, 1}, 1e-3)
			var p cliques.Problem
			f.begin(&p, 0, 1e-3)
			h := AppendContact(m, c, &pair, f, &p)
			solve(t, &p)
			if hit := forceOf(&p, h, c)[2] > 0; hit != tc.hit {
				t.Errorf("%T: gap 1 mm, step 1 ms, %g m/s: hit is %v", m, tc.speed, hit)
			}
		}
	}
}

// TestSteadyStepsAllocateNothing appends and evaluates one of every kind.
func TestSteadyStepsAllocateNothing(t *testing.T) {
	f := scene()
	all := append(couplings(f),
		&Coupler{A: 0, B: 1, Ratio: 2},
		&Limit{Dof: 0, Lower: 0.499, Upper: 0.5},
		&PD{Dof: 1, Kp: 10, Kd: 1, Min: -1, Max: 2, Target: motion.Constant(0.3), FeedForward: math.Sin},
		&JointFriction{Dof: 2, Effort: 0.3},
		&Actuator{JointSum: JointSum{[]int{0, 2}, []float64{1, -3}}, Gain: [3]float64{1}, Min: -1, Max: 2, Control: math.Sin},
		&JointSumLimit{JointSum: JointSum{[]int{0, 2}, []float64{1, -3}}, Lower: 0, Upper: 0},
	)
	ms, cs := allModels(), contactsOf(f)
	rough := DefaultContactMaterial()
	rough.StaticFriction, rough.TransverseFriction, rough.FrictionDirection_B, rough.SurfaceVelocity_B = 0.8, 0.2, r3.Vec{1, 0, 0}, r3.Vec{0, 1, 0}
	cs[0].Materials[0] = 1
	surfaces, err := NewContactMaterials([]ContactMaterial{DefaultContactMaterial(), rough})
	if err != nil {
		t.Fatal(err)
	}
	var p cliques.Problem
	var combined Pair // escapes
	var gamma, w [6]float64
	var G [36]float64
	for i := range w {
		w[i] = 1
	}
	step := func() {
		f.begin(&p, 0, 1e-3)
		for _, m := range ms {
			for _, c := range cs {
				if combined, err = surfaces.Pair(c); err != nil {
					t.Fatal(err)
				}
				combined.LaggedImpulse = &w[0]
				AppendContact(m, c, &combined, f, &p)
			}
		}
		for _, c := range all {
			c.Append(f, &p)
		}
		for i := range p.Constraints {
			c := &p.Constraints[i]
			c.Law.Prepare(p.H, w[:c.Dim])
			c.Law.Eval(p.Bias[c.Row:c.Row+c.Dim], gamma[:c.Dim], G[:c.Dim*c.Dim])
		}
	}
	step()
	if n := alloctest.PerRun(20, step); n != 0 {
		t.Errorf("%g allocations a step", n)
	}
}
