package sim

// Random drops and linkages whose energy does not rise give no alarm, at steps that an expert would choose and at
// shorter ones. Whether energy rises is measured from the state alone: the energy of all bodies, springs and contacts.
// (That of joints in fast motion oscillates by their velocities, which are half a step behind their positions, and that
// of soft faces that are deep in a field is an upper bound.)

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/fem"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/rigid"
)

// plainScene is a drop or linkage without motors, loads and prescribed motions, so that no work is done on it.
type plainScene struct {
	*scaffold
	r    *rand.Rand
	text string
	h    float64
	n    int // steps
}

// plainKinds are the kinds of scenes, drawn in turn.
var plainKinds = []struct {
	name  string
	build func(*plainScene)
}{
	{"rigid drop", (*plainScene).drop},
	{"drop of pressure fields", (*plainScene).fieldDrop},
	{"soft drop", (*plainScene).softDrop},
	{"soft drop on a pressure field", (*plainScene).softFieldDrop},
	{"four-bar", (*plainScene).fourBar},
	{"hung chain", (*plainScene).hungChain},
	{"floating chain", (*plainScene).floatingChain},
	{"pendulum", (*plainScene).pendulum},
	{"chain on springs", (*plainScene).springs},
	{"falling chain", (*plainScene).fallingChain},
}

// newPlainScene draws scene number i of a seed.
func newPlainScene(t testing.TB, seed, i uint64) *plainScene {
	k := plainKinds[i%uint64(len(plainKinds))]
	s := &plainScene{scaffold: newScaffold(t), r: rand.New(rand.NewPCG(seed, i)), text: k.name}
	s.RelTol = 0 // as of users
	k.build(s)
	s.text += fmt.Sprintf(", h %.3g ms", 1e3*s.h)
	return s
}

// between returns a number between lo and hi, of any order of magnitude.
func (s *plainScene) between(lo, hi float64) float64 { return logUniform(s.r, lo, hi) }

// shape draws a convex shape of about a size (m).
func (s *plainScene) shape(size float64) geometry.Shape {
	a := func() float64 { return size * (0.4 + 0.6*s.r.Float64()) }
	switch s.r.IntN(5) {
	case 0:
		return s.sphere(a() / 2)
	case 1:
		return must(geometry.NewCapsule(a()/4, a()))
	case 2:
		return must(geometry.NewCylinder(a()/2, a()))
	case 3:
		return must(geometry.NewEllipsoid(r3.Vec{a() / 2, a() / 2, a() / 2}))
	}
	return s.box(a(), a(), a())
}

// rotation draws a rotation.
func (s *plainScene) rotation() r3.Mat {
	return r3.RotExp(randomDirection(s.r).Scale(math.Pi * s.r.Float64()))
}

// fall drops bodies of a size (m) and a mass (kg) above the floor, one above the other. Their contacts take five steps
// or more of a tenth of a radian to part.
func (s *plainScene) fall(fields bool) {
	size, mass := s.between(0.01, 0.2), 0.0
	density := s.between(200, 8000)
	mass = density * size * size * size / 2
	k := mass * 9.81 / (size * s.between(1e-5, 3e-4))
	mat := s.material(k, s.between(0.1, 50), s.r.Float64())
	if fields {
		s.mat(mat).HydroelasticModulus = k / size
	}
	s.ground(mat)
	n := 1 + s.r.IntN(3)
	for i := range n {
		X := r3.Pose{R: s.rotation(), P: r3.Vec{0.3 * size * s.r.NormFloat64(), 0.3 * size * s.r.NormFloat64(), size * (1 + 1.8*float64(i))}}
		s.body("part", s.shape(size), density*size*size*size*0.5, X, randomDirection(s.r).Scale(s.r.Float64()*math.Sqrt(9.81/size)), r3.Vec{}, mat)
	}
	// impacts press by a hundredth to a tenth of the size; a step is a quarter of their duration at most, and the way
	// of a tenth of the size in a step
	speed := math.Sqrt(2 * 9.81 * 2 * size * float64(n))
	s.h = min(s.between(0.1, 1)*math.Sqrt(mass/k), 0.1*size/speed, 5e-3)
	s.n = min(2000, int(3*math.Sqrt(2*2*size*float64(n)/9.81)/s.h))
	s.text += fmt.Sprintf(" of %d of %.3g mm, %.3g kg, k %.3g", n, 1e3*size, mass, k)
}

func (s *plainScene) drop()      { s.fall(false) }
func (s *plainScene) fieldDrop() { s.fall(true) }

// soften drops a deformable block, in some scenes with a rigid body on it.
func (s *plainScene) soften(field bool) {
	size, E := s.between(0.01, 0.1), s.between(3e4, 1e7)
	k := E * size
	mat := s.material(k, s.between(0.1, 50), s.r.Float64())
	if field {
		s.mat(mat).HydroelasticModulus = s.between(0.3, 10) * E
	}
	s.ground(mat)
	top := s.r.IntN(2) == 0
	if top {
		s.body("rider", s.shape(size), 1000*size*size*size*0.3, r3.Pose{R: s.rotation(), P: r3.Vec{0, 0, 3 * size}}, r3.Vec{}, r3.Vec{}, mat)
	}
	elements := []fem.Elements{fem.Tet4, fem.Hex12}[s.r.IntN(2)]
	edge := r3.Vec{size, size * (0.5 + s.r.Float64()), size * (0.5 + s.r.Float64())}
	cells := [3]int{1 + s.r.IntN(3), 1 + s.r.IntN(3), 1 + s.r.IntN(3)}
	s.AddDeformable("block", DeformableSpec{
		Elements: elements, Mesh: must(meshes.BoxTets(edge, cells)), Law: must(fem.NewCorotational(E, 0.45*s.r.Float64())), Material: materialName(mat),
		Pose: r3.Pose{R: s.rotation(), P: r3.Vec{0, 0, 1.2 * size}}, AngularVelocity: randomDirection(s.r).Scale(s.r.Float64() * math.Sqrt(9.81/size)),
		StiffnessDamping: 1e-3 * s.r.Float64(),
	})
	s.h = min(s.between(0.02, 0.2)*math.Sqrt(size/9.81), 5e-3)
	s.n = min(600, int(3*math.Sqrt(6*size/9.81)/s.h))
	s.text += fmt.Sprintf(" of %.3g mm, E %.3g Pa, cells %v, rider %v", 1e3*size, E, cells, top)
}

func (s *plainScene) softDrop()      { s.soften(false) }
func (s *plainScene) softFieldDrop() { s.soften(true) }

// swing sets a step at which joints of links of a length (m) turn by some hundredths of a radian at most.
func (s *plainScene) swing(length, rate float64, links int) {
	rate += 2 * math.Sqrt(9.81/length*float64(links))
	s.h = s.between(1e-3, 3e-2) / rate
	s.n = min(1500, int(20/rate/s.h))
	s.text += fmt.Sprintf(", links of %.3g mm, %.3g rad/s", 1e3*length, rate)
}

// bar returns a link of a length (m) along a direction.
func (s *plainScene) bar(name string, parent int, joint rigid.Joint, at, way r3.Vec) int {
	m := s.between(0.1, 1)
	l2 := m * way.Norm2()
	thin := 0.002 * l2
	R := s.rotation()
	return s.link(rigid.LinkSpec{
		Name: name, Parent: parent, Joint: joint, X_PF: r3.Pose{R: r3.Identity(), P: at}, Mass: m, Com_B: way.Scale(0.5),
		Inertia_B: R.Mul(r3.Diag(r3.Vec{0.05*l2 + thin, 0.06*l2 + thin, 0.08*l2 + thin})).Mul(R.T()),
	})
}

// fourBar swings freely from rest.
func (s *plainScene) fourBar() {
	size := s.between(0.02, 0.5)
	a, b, c, d := size, size*(2+s.r.Float64()), size*(1.8+s.r.Float64()), size*2.5
	_, coupler, rocker, _ := fourBar(s.scaffold, a, b, c, d)
	s.constrain(&constraints.Ball{A: constraints.Anchor{Body: coupler, Pos_B: r3.Vec{b, 0, 0}}, B: constraints.Anchor{Body: rocker, Pos_B: r3.Vec{c, 0, 0}}, Spring: constraints.Spring{Stiffness: math.Inf(1)}})
	s.swing(size, 0, 1)
}

// joint draws a joint with its rates, rad/s.
func (s *plainScene) joint(rate float64) (rigid.Joint, []float64) {
	v := func() float64 { return rate * (2*s.r.Float64() - 1) }
	switch s.r.IntN(4) {
	case 0:
		return rigid.Ball{}, []float64{v(), v(), v()}
	case 1:
		return rigid.Revolute{Axis: r3.Vec{0, 1, 0}}, []float64{v()}
	}
	return rigid.Revolute{Axis: randomDirection(s.r)}, []float64{v()}
}

// links appends links that hang on each other.
func (s *plainScene) links(n, parent int, at r3.Vec, length, rate float64) (last int, end r3.Vec) {
	for i := range n {
		joint, v := s.joint(rate)
		way := randomDirection(s.r).Scale(length * (0.5 + 0.5*s.r.Float64()))
		parent = s.bar(fmt.Sprint("link ", i), parent, joint, at, way)
		s.setV(parent, v...)
		at = way
	}
	return parent, at
}

func (s *plainScene) hungChain() {
	length := s.between(0.02, 0.5)
	n, rate := 2+s.r.IntN(4), s.r.Float64()*math.Sqrt(9.81/length)
	s.links(n, rigid.World, r3.Vec{}, length, rate)
	s.swing(length, 2*rate, n)
}

func (s *plainScene) floatingChain() {
	length := s.between(0.02, 0.5)
	n, rate := 1+s.r.IntN(4), s.between(1, 30)
	base := s.bar("base", rigid.World, rigid.Floating{}, r3.Vec{}, randomDirection(s.r).Scale(length))
	w := randomDirection(s.r).Scale(rate)
	s.setV(base, w[0], w[1], w[2], 0, 0, 0)
	s.links(n, base, randomDirection(s.r).Scale(length), length, rate)
	if s.r.IntN(2) == 0 {
		s.Gravity = r3.Vec{}
	}
	s.swing(length, 3*rate, 1)
}

func (s *plainScene) pendulum() {
	length := s.between(0.02, 0.5)
	rate := s.r.Float64() * math.Sqrt(9.81/length)
	s.links(1, rigid.World, r3.Vec{}, length, rate)
	s.swing(length, rate, 1)
}

// springs hangs a chain, and a ball, on springs.
func (s *plainScene) springs() {
	length := s.between(0.02, 0.5)
	n := 1 + s.r.IntN(3)
	last, end := s.links(n, rigid.World, r3.Vec{}, length, 0)
	far := randomDirection(s.r).Scale(2 * length)
	k := s.between(10, 3000)
	s.AddConstraint("spring", &constraints.DistanceSpec{TwoBodies: constraints.TwoBodies{B: fmt.Sprint("link ", n-1)}, PointA: far, PointB: end, Stiffness: &k})
	_ = last
	s.AddBody("ball", BodySpec{Pose: at(far[0], far[1], far[2]-length), Mass: 0.3, Shapes: []ShapeSpec{{Shape: s.sphere(0.2 * length), Material: materialName(s.material(1e5, 10, 0.5))}}})
	s.AddConstraint("rope", &constraints.DistanceSpec{TwoBodies: constraints.TwoBodies{B: "ball"}, PointA: far.Add(r3.Vec{length, 0, 0}), Stiffness: &k, Rope: s.r.IntN(2) == 0})
	s.swing(length, math.Sqrt(k/0.1), n)
}

// fallingChain drops a chain of capsules on the floor.
func (s *plainScene) fallingChain() {
	length := s.between(0.02, 0.3)
	n := 1 + s.r.IntN(4)
	mat := s.material(0.3*9.81/(length*s.between(1e-5, 3e-4)), s.between(0.1, 50), s.r.Float64())
	s.ground(mat)
	base := s.bar("base", rigid.World, rigid.Floating{}, r3.Vec{}, r3.Vec{length, 0, 0})
	s.setQ(base, 1, 0, 0, 0, 0, 0, 2*length*float64(n))
	for i, parent, at := 0, base, (r3.Vec{length, 0, 0}); i < n; i++ {
		joint, v := s.joint(1)
		parent = s.bar(fmt.Sprint("link ", i), parent, joint, at, r3.Vec{length, 0, 0})
		s.setV(parent, v...)
	}
	for b := range n + 1 {
		s.geom(b, r3.Pose{R: r3.RotRPY(0, math.Pi/2, 0), P: r3.Vec{length / 2, 0, 0}}, must(geometry.NewCapsule(0.1*length, 0.7*length)), mat)
	}
	s.swing(length, math.Sqrt(2*9.81*2*length*float64(n))/length, n)
}

// run steps the scene. It returns the energy that it reports as gained, J, by what, and the largest rise of its energy,
// J.
func (s *plainScene) run(t testing.TB) (gained float64, by string, rise, scale float64, err error) {
	m, err := s.Build()
	if err != nil {
		t.Fatalf("%s: %v", s.text, err)
	}
	p, x := start(t, m, 1)
	defer p.Close()
	least := math.Inf(1)
	measure := func() {
		e := p.stateEnergy(x, s.h)
		least = min(least, e)
		rise = max(rise, e-least)
		scale = max(scale, p.KineticEnergy(x)+p.elasticEnergy())
	}
	largest := 0.0
	note := func(g GainedEnergy) {
		if gained += g.Energy; g.Energy > largest {
			largest, by = g.Energy, p.GainedBy(&g)
		}
	}
	for range s.n {
		if err := p.Step(x, s.h); err != nil {
			return gained, by, rise, scale, err
		}
		note(p.Report.EnergyGained)
		measure()
	}
	note(p.GainedBefore(x, s.h))
	return gained, by, rise, scale, nil
}

// stateEnergy returns the energy of all bodies, springs and contacts at a state, J.
func (s *Stepper) stateEnergy(x *State, h float64) float64 {
	contacts := s.ContactsAt(x, h)
	e := energy(s, x)
	for i := range contacts {
		e += s.storedEnergy(&contacts[i], contacts[i].Phi)
	}
	for i := range s.Geometry.NumSurfacePairs() {
		e += s.Geometry.EnergyAtStart(i)
	}
	return e
}

func TestSoundDropsAndLinkagesGiveNoAlarm(t *testing.T) {
	seed, n := shots(t, 10)
	n = min(n, 1000)
	alarms := 0
	for i := range n {
		if !isSelected(i) {
			continue
		}
		s := newPlainScene(t, seed, uint64(i))
		gained, by, rise, scale, err := s.run(t)
		if err != nil {
			t.Errorf("%d: %s: %v", i, s.text, err)
			continue
		}
		if gained > 0 {
			alarms++
			report := t.Logf // an alarm that is true is none that is false
			if gained > 2*rise {
				report = t.Errorf
			}
			report("%d: %s: %s gained %.3g of %.3g J, and energy rises by %.3g J", i, s.text, by, gained, scale, rise)
		}
	}
	t.Logf("%d alarms", alarms)
}
