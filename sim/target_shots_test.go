package sim

// Random bodies are shot at plates that give way: at free rigid plates, and at deformable ones
// that are fixed at their rims. None may come out on the other side, and no energy may be won.
// Some shots of a fixed seed run in every test; CURLFREE_LONG=1 shoots thousands with a fresh
// seed, which is logged.

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/r3"
)

// targetEdge is the length of the plates, m; shots meet them within 0.15 m of the middle.
const targetEdge = 0.6

// atFreePlate shoots at a free plate of a random mass and motion. It returns what is wrong, or "".
func (s shot) atFreePlate(t testing.TB, r *rand.Rand) string {
	w := newScaffold(t)
	w.Gravity = r3.Vec{}
	w.Contact = contactModel(s.law, constraints.DefaultNormalModel)
	k := s.mass * math.Pow(s.speed/(0.2*s.plate), 2)
	mat := w.material(math.Max(1e6, k), 1, s.friction)
	w.body("body", s.makeShape(), s.mass, s.start, s.spin, s.direction.Scale(s.speed), mat)
	w.body("plate", w.box(targetEdge, targetEdge, s.plate), logUniform(r, 0.02, 2), at(0, 0, -s.plate/2), r3.Vec{}, r3.Vec{}, mat)
	p, x := w.build()
	defer p.Close()
	before := p.rigid.KineticEnergy()
	inPlate := func() (r3.Vec, r3.Mat) {
		X := p.kin.Pose(1)
		return X.InvPoint(p.kin.Pose(0).P), X.R
	}
	from, R0 := inPlate()
	for range 14 {
		if err := p.Step(x, s.h); err != nil && !errors.Is(err, ErrNotConverged) {
			return "fails: " + err.Error()
		}
		p.Place(x, s.h)
		if e := p.rigid.KineticEnergy(); e > before*(1+1e-6) {
			return fmt.Sprintf("gains energy: %.4g J of %.4g J", e, before)
		}
		// where the centre of the body crosses the middle plane, in the frame of the plate,
		// unless the plate turns by so much that it is beside the plate meanwhile
		to, R1 := inPlate()
		if turn := R1.Mul(R0.T()).Quat().Log().Norm(); from[2] > 0 && to[2] < 0 && turn < 0.3 {
			at := from.AddScaled(from[2]/(from[2]-to[2]), to.Sub(from))
			if math.Max(math.Abs(at[0]), math.Abs(at[1])) < 0.8*targetEdge/2 {
				return fmt.Sprintf("passes at %.3g, %.3g mm of the plate", 1e3*at[0], 1e3*at[1])
			}
		}
		from, R0 = to, R1
	}
	return ""
}

// buildSoft returns the scene of a shot at a deformable plate that is fixed at its rim.
func (s shot) buildSoft(t testing.TB, r *rand.Rand) (*Stepper, *State) {
	w := newScaffold(t)
	w.Gravity, w.RelTol = r3.Vec{}, 1e-5
	w.Contact = contactModel(s.law, constraints.DefaultNormalModel)
	// an impact on a hundredth of the body's section presses the surfaces in by a fraction of the plate
	section := s.size[0] * min(s.size[1], s.size[2])
	gradient := 100 * s.mass * math.Pow(s.speed/(0.2*s.plate), 2) / section
	mat := w.contactMaterial(constraints.ContactMaterial{Stiffness: 1e9, Dissipation: 1, RelaxationTime: 1e-4,
		PressureGradient: math.Max(1e8, gradient), StaticFriction: s.friction, Friction: s.friction})
	w.body("body", s.makeShape(), s.mass, s.start, s.spin, s.direction.Scale(s.speed), mat)
	cells := 4 + 2*r.IntN(3)
	w.soft("plate", r3.Vec{targetEdge, targetEdge, s.plate}, [3]int{cells, cells, 1}, logUniform(r, 1e6, 1e9), at(0, 0, -s.plate/2), r3.Vec{}, mat,
		func(d *DeformableSpec) {
			for i, v := range d.Mesh.Verts {
				if math.Max(math.Abs(v[0]), math.Abs(v[1])) > 0.499*targetEdge {
					fixed(int32(i))(d)
				}
			}
		})
	return w.build()
}

// atSoftPlate shoots at a deformable plate that is fixed at its rim. It returns what is wrong,
// or "".
func (s shot) atSoftPlate(t testing.TB, r *rand.Rand) string {
	p, x := s.buildSoft(t, r)
	defer p.Close()
	before, from, wasUpper := energy(p, x), s.start.P, true
	for range 14 {
		if err := p.Step(x, s.h); err != nil && !errors.Is(err, ErrNotConverged) {
			return "fails: " + err.Error()
		}
		p.Place(x, s.h)
		if e := energy(p, x); e > before*1.01 {
			return fmt.Sprintf("gains energy: %.4g J of %.4g J", e, before)
		}
		to, rim := p.kin.Pose(0).P, -s.plate/2
		upper := isAbovePlate(p, to, rim)
		if wasUpper && !upper && !crossesBeside(from, to, rim) {
			return fmt.Sprintf("passes: its centre comes from %.3g to %.3g mm, below the plate", from.Scale(1e3), to.Scale(1e3))
		}
		from, wasUpper = to, upper
	}
	return ""
}

// isAbovePlate reports whether a point is on the upper side of the surface of deformable 0 that is
// continued by the plane z = rim beyond the plate's rim, which is fixed there: a line downwards
// from it meets that surface an odd number of times. The plate may hang down as a bag that is
// wider than its rim.
func isAbovePlate(p *Stepper, at r3.Vec, rim float64) bool {
	_, below := crossings(p, at)
	sheets := (below + 1) / 2 // each has two faces
	if isBeside(at) && at[2] > rim {
		sheets++
	}
	return sheets%2 == 1
}

// crossesBeside reports whether the way between two points leads down through the plane
// z = rim beside the plate, as that of a body does which slides off its edge.
func crossesBeside(from, to r3.Vec, rim float64) bool {
	if !(from[2] > rim && to[2] <= rim) {
		return false
	}
	return isBeside(from.AddScaled((from[2]-rim)/(from[2]-to[2]), to.Sub(from)))
}

// isBeside reports whether a point is beside the plate at rest, seen from above.
func isBeside(at r3.Vec) bool { return math.Max(math.Abs(at[0]), math.Abs(at[1])) > targetEdge/2 }

// crossings counts the triangles of deformable 0 above and below a point.
func crossings(p *Stepper, at r3.Vec) (above, below int) {
	verts := p.Geometry.X_W[0]
	for _, tri := range p.Model.Geometry.Deformables[0].Tris {
		a, b, c := verts[tri[0]].Sub(at), verts[tri[1]].Sub(at), verts[tri[2]].Sub(at)
		// areas of the triangles with the vertical line, seen from above
		u, v, w := b[0]*c[1]-b[1]*c[0], c[0]*a[1]-c[1]*a[0], a[0]*b[1]-a[1]*b[0]
		if (u < 0) != (v < 0) || (v < 0) != (w < 0) || u+v+w == 0 {
			continue
		}
		if u*a[2]+v*b[2]+w*c[2] > 0 == (u+v+w > 0) {
			above++
		} else {
			below++
		}
	}
	return above, below
}

// isSelected reports whether a shot is run: CURLFREE_SHOT names the only ones, divided by commas.
func isSelected(i int) bool {
	list := os.Getenv("CURLFREE_SHOT")
	return list == "" || slices.Contains(strings.Split(list, ","), strconv.Itoa(i))
}

// shootAll runs shots of all shapes and laws, spun and not, and reports those that fail.
func shootAll(t *testing.T, few int, shoot func(s shot, r *rand.Rand) string) {
	seed, n := shots(t, few)
	failed := 0
	for i := range n {
		if !isSelected(i) {
			continue
		}
		s := newShot(seed, uint64(i), i%2 == 1)
		if what := shoot(s, rand.New(rand.NewPCG(seed+1, uint64(i)))); what != "" {
			if failed++; failed <= 10 {
				t.Errorf("shot %d: %v\n%s", i, s, what)
			}
		}
	}
	if failed > 0 {
		t.Errorf("%d of %d failed", failed, n)
	}
}

func TestNoBodyPassesAFreePlate(t *testing.T) {
	shootAll(t, 150, func(s shot, r *rand.Rand) string { return s.atFreePlate(t, r) })
}

func TestNoBodyPassesASoftPlate(t *testing.T) {
	shootAll(t, 20, func(s shot, r *rand.Rand) string { return s.atSoftPlate(t, r) })
}

// Corners, edges and rims that strike large faces of thin plates beside the points of their
// contacts: the plates gave back more than they had got, in the last one six times the energy of the
// shot.
func TestSoftPlatesGiveBackWhatTheyGot(t *testing.T) {
	long(t)
	for seed, list := range map[uint64][]uint64{1795419914244411415: {39, 58, 145, 260, 297, 326, 344, 381, 412}, 1: {15}} {
		for _, i := range list {
			s := newShot(seed, i, i%2 == 1)
			if what := s.atSoftPlate(t, rand.New(rand.NewPCG(seed+1, i))); what != "" {
				t.Errorf("shot %d: %v\n%s", i, s, what)
			}
		}
	}
}

// A heavy ball stretches a plate to seven times its length, where the corotational law makes its thickness
// negative: faces of elements that were turned inside out had no contact, and the ball passed.
func TestPlatesStopWhatStretchesThem(t *testing.T) {
	long(t)
	const seed, i = 1795419914244411415, 223
	s := newShot(seed, i, true)
	if what := s.atSoftPlate(t, rand.New(rand.NewPCG(seed+1, i))); what != "" {
		t.Errorf("%v\n%s", s, what)
	}
}

// Slip offsets of friction that were too large kept contacts open through which the plate then was: the next
// step began with 24 times the energy of the shot in them.
func TestSlipOffsetsHideNoOverlaps(t *testing.T) {
	const seed = 1795470000000000002
	for _, i := range []uint64{72, 320} {
		s := newShot(seed, i, i%2 == 1)
		if what := s.atSoftPlate(t, rand.New(rand.NewPCG(seed+1, i))); what != "" {
			t.Errorf("%v\n%s", s, what)
		}
	}
}

// A cone that strikes a plate 400 mm from where the step began is turned by a radian. A vertex that goes
// through it had a contact that was linear about the start, where it was 870 mm deep, and predicted
// so much energy that all other overlaps were allowed: the next step began with a million joules in them.
func TestVerticesThatPassThroughTurningBodiesHideNoOverlaps(t *testing.T) {
	long(t)
	const seed, i = 1795419914244411415, 648
	p, x := newShot(seed, i, false).buildSoft(t, rand.New(rand.NewPCG(seed+1, i)))
	defer p.Close()
	start := energy(p, x)
	h := newShot(seed, i, false).h
	run(t, p, x, h, 3)
	stored := 0.0
	for _, c := range p.ContactsAt(x, h) {
		stored += p.storedEnergy(&c, c.Phi)
	}
	if t.Logf("%.3g J of %.3g J in overlaps", stored, start); stored > 0.02*start {
		t.Errorf("overlaps store %.3g J, the shot has %.3g J", stored, start)
	}
}

// Lenses whose rims cut into a plate along their own side, which opens while the overlap grows: contacts along the
// normal of that side stopped nothing, and steps of 64 parts ended with up to 5e7 joules in overlaps.
func TestRimsThatCutIntoPlatesAreStoppedByTheirFaces(t *testing.T) {
	long(t)
	const seed = 1795470000000000005
	for _, i := range []uint64{399, 976} {
		s := newShot(seed, i, i%2 == 1)
		if what := s.atSoftPlate(t, rand.New(rand.NewPCG(seed+1, i))); what != "" {
			t.Errorf("shot %d: %v\n%s", i, s, what)
		}
	}
}

// Ellipsoids that spin by one to two radians a step on a light plate: contacts that were added
// between points which face each other at the end only did not open within the step, with
// dissipation, and let the plate sink deeper into the ellipsoid than it is thick.
func TestSpinningEllipsoidsDoNotSinkIntoLightPlates(t *testing.T) {
	const seed = 1795394169816480917
	for _, i := range []uint64{1408, 2116} {
		s := newShot(seed, i, i%2 == 1)
		if what := s.atFreePlate(t, rand.New(rand.NewPCG(seed+1, i))); what != "" {
			t.Errorf("shot %d: %v\n%s", i, s, what)
		}
	}
}

// A lens comes off a light plate with nineteen radians a step after an impact at 97 m/s. Contacts
// added at the end of the step start as deep as their points were then apart, 0.2 m: normals along
// which the lens was that deep at the start counted as separating, also that of the plate's
// back, so that it passed.
func TestTumblingLensDoesNotPassALightPlate(t *testing.T) {
	const seed, i = 1795419914244411415, 882
	s := newShot(seed, i, false)
	if what := s.atFreePlate(t, rand.New(rand.NewPCG(seed+1, i))); what != "" {
		t.Errorf("%v\n%s", s, what)
	}
}

// A lens at 323 mm a step stretches a plate of 0.55 mm to five times its length, where the corotational law has its
// elements inside out and no contact stops it. It gains energy in parts of a step that end with contacts too deep, of
// which that step has to report no less, and not the next one.
func TestStepsThatLeaveEnergyReportIt(t *testing.T) {
	long(t)
	const seed, i = 2026113004, 3054
	s := newShot(seed, i, false)
	p, x := s.buildSoft(t, rand.New(rand.NewPCG(seed+1, i)))
	defer p.Close()
	before := energy(p, x)
	for k := range 5 {
		if err := p.Step(x, s.h); err != nil {
			t.Fatal(err)
		}
		gained := p.Report.EnergyGained.Energy
		p.Place(x, s.h)
		e := energy(p, x)
		if t.Logf("step %d: %.4g J of %.4g J, reported %.3g J", k, e, before, gained); gained < e-before {
			t.Errorf("step %d: %.4g J of %.4g J, reported %.3g J", k, e, before, gained)
		}
		if of := p.Report.Defects[facesTerm]; (of.Left > 0) != (gained > 0) {
			t.Errorf("step %d: %d parts left, reported %.3g J", k, of.Left, gained)
		}
	}
}
