package parts

// Mating of parts: compatible kinds, relative pose, transmission of rotation, and
// quality of the contact. All quantities are those of the exact parts; facets
// change them by less than both chord errors.

// Two involute gears run together if their normal base pitches are equal. With
// profile shifts x₁, x₂ the working pressure angle α_w and the centre distance C
// without play follow from (upper signs external, lower a ring around a pinion)
//
//	inv α_w = inv α + 2 tan α_n (x₂ ± x₁)/(z₂ ± z₁)                         (1)
//	C = (r₂ ± r₁) cos α/cos α_w                                             (2)
//
// Teeth thinned by j₁ and j₂ at the pitch circles leave the play (j₁ + j₂) cos α
// along the line of action, the same in every position: with both teeth centred
// each flank has half of it. Measured along the common normal in space, on a
// helix,
//
//	gap = ½ (j₁ + j₂) cos α_n cos β                                         (3)
//
// The tips end the contact: with p_b the base pitch, ε = length of the path / p_b,
//
//	ε = [√(ra₁²−rb₁²) ± √(ra₂²−rb₂²) ∓ C sin α_w]/p_b                       (4)
//
// The mate's tip must meet the flank where there is one, no deeper than its foot:
//
//	C sin α_w − √(ra₂²−rb₂²) ≥ t₀₁ rb₁   (external)                         (5)
//	√(ra₂²−rb₂²) − C sin α_w ≥ t₀₁ rb₁   (ring)
//
// and beside the mesh, where the tip circles of pinion and ring cross at angles
// δ₁ and δ₂ from the line of centres, their tips must pass each other:
//
//	z₁ (inv α_a1 + δ₁) − z₂ (inv α_a2 + δ₂) + (z₂ − z₁) inv α_w ≥ 0         (6)

import (
	"fmt"
	"math"

	"github.com/curlfree/curlfree/r3"
)

// Pair is two mating parts in their relative pose: A in its own frame, B at X_AB
// and turned (a rack or nut: moved) by Mate.
type Pair struct {
	// A is the first part, the one that drives; B is its mate.
	A, B Part

	// X_AB is the pose of B before it turns in the frame of A before it turns.
	X_AB r3.Pose
	// CenterDistance is the distance of the axes, m; with a rack, of the axis
	// from the pitch line.
	CenterDistance float64
	// Ratio is the turn of B per turn of A, rad/rad, negative if they turn in
	// opposite directions; of a rack or nut the travel, m/rad.
	Ratio float64
	// PressureAngle is the working transverse pressure angle α_w, rad; of a
	// screw the flank angle.
	PressureAngle float64
	// BasePitch is the transverse base pitch p_b, m; of a screw the axial
	// pitch.
	BasePitch float64
	// ContactRatio is the mean number of teeth in contact ε (4), in the
	// transverse plane; of a screw the number of turns engaged.
	ContactRatio float64
	// OverlapRatio is the further number of teeth in contact by the helix.
	OverlapRatio float64
	// FlankClearance is the distance of each pair of flanks when teeth are
	// centred in gaps, m, normal to the flanks (3).
	FlankClearance float64

	// position of B when A is at zero, rad or m
	offset float64
	// of B's position from tooth to tooth, rad or m
	period float64
}

// Mate returns the angle of B, rad (of a rack the travel along its x axis, of a
// nut along z, m), at which its teeth are centred in the gaps of A when A is
// turned by q_A, rad.
func (p *Pair) Mate(q_A float64) float64 { return p.offset + p.Ratio*q_A }

// MateAt returns the angle of B as Mate does, with B moved about the axis of A by
// psi, rad, without rotating its frame, as a planet gear: its centre is at the
// angle psi from the x axis of A (that of a ring is opposite). For gears on
// parallel axes.
func (p *Pair) MateAt(psi, q_A float64) float64 {
	// Seen from a frame turned by psi, A has turned by q_A − psi and B by q_B − psi.
	return p.wrap(p.Mate(q_A-psi)+psi, p.Mate(q_A))
}

// wrap returns x moved by whole periods to be as near to y as possible.
func (p *Pair) wrap(x, y float64) float64 {
	return x - p.period*math.Round((x-y)/p.period)
}

// NewPair checks that two parts mate and computes their relative pose. It pairs
// Spur with Spur, RingGear or Rack, Worm with WormWheel, Screw with Nut, in this
// order. The second part then lies
//
//	Spur       at (Distance, 0, 0)
//	RingGear   at (−Distance, 0, 0): the mesh is on the x axis of both
//	Rack       at (0, −Distance, 0), its x along that of A
//	WormWheel  at (−Distance, 0, 0), its z axis along −y, its x axis along x: A's
//	           own z axis is along the y axis of the wheel
//	Nut        at the origin
func NewPair(a, b Part) (*Pair, error) {
	for _, p := range [2]Part{a, b} {
		if err := p.Check(); err != nil {
			return nil, err
		}
	}
	c := checker{part: "mesh"}
	p := &Pair{A: a, B: b, X_AB: r3.PoseIdentity()}
	switch a := a.(type) {
	case Spur:
		switch b := b.(type) {
		case Spur:
			p.spurs(&c, a, b)
		case RingGear:
			p.ring(&c, a, b)
		case Rack:
			p.rack(&c, a, b)
		default:
			return nil, errNotAPair(a, b)
		}
	case Worm:
		wheel, ok := b.(WormWheel)
		if !ok {
			return nil, errNotAPair(a, b)
		}
		p.worm(&c, a, wheel)
	case Screw:
		nut, ok := b.(Nut)
		if !ok {
			return nil, errNotAPair(a, b)
		}
		p.screw(&c, a, nut)
	default:
		return nil, errNotAPair(a, b)
	}
	if c.err != nil {
		return nil, c.err
	}
	return p, nil
}

// errNotAPair reports that two kinds of parts never mate.
func errNotAPair(a, b Part) error {
	return fmt.Errorf("parts: mesh: %s and %s do not make a pair: take spur with spur, ring gear or rack, worm with worm wheel, screw with nut, in this order", nameOf(a), nameOf(b))
}

// sameTeeth requires equal modules, m, and pressure angles, rad.
func (c *checker) sameTeeth(ma, mb, aa, ab float64) {
	c.require(math.Abs(ma-mb) <= 1e-6*ma, "modules %.6g m and %.6g m differ: only gears of one module run together", ma, mb)
	c.require(math.Abs(aa-ab) <= 1e-6, "pressure angles %.5g° and %.5g° differ: only gears of one pressure angle run together", deg(aa), deg(ab))
}

// spurs checks and places two external gears.
func (p *Pair) spurs(c *checker, a, b Spur) {
	c.sameTeeth(a.Module, b.Module, a.PressureAngle, b.PressureAngle)
	c.require(math.Abs(a.Helix+b.Helix) <= 1e-6, "helix angles %.5g° and %.5g° are not opposite: on parallel axes one gear is right-handed, the other left-handed", deg(a.Helix), deg(b.Helix))
	if c.err != nil {
		return
	}
	f, g := a.profile(), b.profile()
	alpha, ok := workingAngle(f.alpha, a.PressureAngle, (a.Shift+b.Shift)/float64(a.Teeth+b.Teeth))
	c.require(ok, "shifts %.4g and %.4g bring the gears too close: their sum must be larger", a.Shift, b.Shift)
	if !ok {
		return
	}
	// Place the mate at the working distance.
	p.CenterDistance = (f.r + g.r) * math.Cos(f.alpha) / math.Cos(alpha) // (2)
	p.X_AB.P = r3.Vec{p.CenterDistance, 0, 0}
	p.Ratio = -float64(a.Teeth) / float64(b.Teeth)
	p.period = 2 * math.Pi / float64(b.Teeth)
	p.offset = p.wrap(math.Pi-p.period/2, 0)
	// Lengths along the line of action.
	pathA, pathB := f.t1*f.rb, g.t1*g.rb
	reach := p.CenterDistance * math.Sin(alpha)
	p.gears(a, alpha, pathA+pathB-reach, min(a.FaceWidth, b.FaceWidth), a.Backlash+b.Backlash) // (4)
	c.foot(a.Module, reach-pathB-f.t0*f.rb, "second", "first")                                 // (5)
	c.foot(a.Module, reach-pathA-g.t0*g.rb, "first", "second")
	c.tips(p.CenterDistance-g.ra-f.rf, p.CenterDistance-f.ra-g.rf)
	c.overlaps(p)
}

// ring checks and places a ring around a pinion.
func (p *Pair) ring(c *checker, a Spur, b RingGear) {
	c.sameTeeth(a.Module, b.Module, a.PressureAngle, b.PressureAngle)
	c.require(math.Abs(a.Helix-b.Helix) <= 1e-6, "helix angles %.5g° and %.5g° differ: ring and pinion are of one hand", deg(a.Helix), deg(b.Helix))
	c.require(b.Teeth > a.Teeth, "a pinion of %d teeth does not fit into a ring of %d", a.Teeth, b.Teeth)
	if c.err != nil {
		return
	}
	f, g := a.profile(), b.gap().profile()
	tip, root := b.radii()
	alpha, ok := workingAngle(f.alpha, a.PressureAngle, (b.Shift-a.Shift)/float64(b.Teeth-a.Teeth))
	c.require(ok, "shifts %.4g and %.4g leave no centre distance: the ring's must be larger", a.Shift, b.Shift)
	if !ok {
		return
	}
	// Place the ring at the working distance.
	p.CenterDistance = (g.r - f.r) * math.Cos(f.alpha) / math.Cos(alpha) // (2)
	p.X_AB.P = r3.Vec{-p.CenterDistance, 0, 0}
	p.Ratio = float64(a.Teeth) / float64(b.Teeth)
	p.period = 2 * math.Pi / float64(b.Teeth)
	p.offset = p.wrap(-p.period/2, 0)
	pathA, pathB := f.t1*f.rb, rollAt(g.rb, tip)*g.rb
	reach := p.CenterDistance * math.Sin(alpha)
	p.gears(a, alpha, pathA-pathB+reach, min(a.FaceWidth, b.FaceWidth), a.Backlash+b.Backlash) // (4)
	if room := pathB - reach - f.t0*f.rb; room < -footSlack*a.Module {                         // (5)
		most := b.Addendum - (math.Hypot(g.rb, reach+f.t0*f.rb)-tip)/b.Module
		c.require(false, "the ring's tip reaches %.3g m below the pinion's involute, into its root: give the ring an addendum of at most %.4g (now %.4g), or the pinion more teeth", -room, math.Floor(most*1e3)/1e3, b.Addendum)
	}
	c.tips(root-p.CenterDistance-f.ra, tip-p.CenterDistance-f.rf)
	if d := p.CenterDistance; d+f.ra > tip { // the tip circles cross (6)
		d1 := math.Acos((tip*tip - f.ra*f.ra - d*d) / (2 * f.ra * d))
		d2 := math.Acos((d*d + tip*tip - f.ra*f.ra) / (2 * tip * d))
		pass := float64(a.Teeth)*(inv(math.Acos(f.rb/f.ra))+d1) - float64(b.Teeth)*(inv(math.Acos(g.rb/tip))+d2) + float64(b.Teeth-a.Teeth)*inv(alpha)
		c.require(!(pass < 0), "the tips of pinion and ring foul beside the mesh: choose a ring with more teeth (now %d more) or smaller addenda", b.Teeth-a.Teeth)
	}
	c.overlaps(p)
}

// rack checks and places a rack at a gear.
func (p *Pair) rack(c *checker, a Spur, b Rack) {
	c.sameTeeth(a.Module, b.Module, a.PressureAngle, b.PressureAngle)
	c.require(math.Abs(a.Helix+b.Helix) <= 1e-6, "helix angles %.5g° and %.5g° are not opposite", deg(a.Helix), deg(b.Helix))
	if c.err != nil {
		return
	}
	f := a.profile()
	tip, root := b.span()
	p.CenterDistance = f.r + a.Shift*a.Module
	p.X_AB.P = r3.Vec{0, -p.CenterDistance, 0}
	p.Ratio = f.r
	p.period = b.Pitch()
	p.offset = p.wrap(f.r*math.Pi/2+p.period/2, 0)
	sin := math.Sin(f.alpha)
	below := f.r*sin - (tip-a.Shift*a.Module)/sin // roll, along the line, where the rack's tip begins
	p.gears(a, f.alpha, f.t1*f.rb-below, min(a.FaceWidth, b.FaceWidth), a.Backlash+b.Backlash)
	c.foot(a.Module, below-f.t0*f.rb, "rack's", "gear's")
	c.tips(p.CenterDistance-tip-f.rf, p.CenterDistance-root-f.ra)
	c.overlaps(p)
}

// worm checks and places a wheel at a worm.
func (p *Pair) worm(c *checker, a Worm, b WormWheel) {
	r, gamma := a.pitchRadius()
	c.sameTeeth(a.Module, b.Module, a.PressureAngle, b.PressureAngle)
	c.require(math.Abs(gamma-b.LeadAngle) <= 1e-4, "the worm's lead angle is %.5g°, the wheel is made for %.5g°: give the wheel the worm's", deg(gamma), deg(b.LeadAngle))
	c.require(a.Left == b.Left, "worm and wheel are of different hand: make both right-handed or both left-handed")
	if c.err != nil {
		return
	}
	g := b.Spur()
	f := g.profile()
	tip, root, _ := a.radii()
	shift := g.Shift * g.Module
	p.CenterDistance = r + f.r + shift
	// The wheel's axes in the worm's frame: x, z and −y.
	p.X_AB = r3.Pose{R: r3.FromColumns(r3.Vec{1, 0, 0}, r3.Vec{0, 0, 1}, r3.Vec{0, -1, 0}), P: r3.Vec{-p.CenterDistance, 0, 0}}
	p.Ratio = -float64(a.Starts) / float64(b.Teeth)
	if a.Left {
		p.Ratio = -p.Ratio
	}
	p.period = 2 * math.Pi / float64(b.Teeth)
	// The worm faces the wheel with its angle π, where its thread lies half a lead on.
	p.offset = p.wrap(p.Mate(-math.Pi)+p.period/2, 0)
	sin := math.Sin(f.alpha)
	below := f.r*sin - (tip-r-shift)/sin
	p.gears(g, f.alpha, f.t1*f.rb-below, g.FaceWidth, a.Backlash+b.Backlash)
	p.OverlapRatio = 0 // the point of contact stays near the middle of the face
	c.foot(a.Module, below-f.t0*f.rb, "worm's", "wheel's")
	c.tips(p.CenterDistance-tip-f.rf, p.CenterDistance-f.ra-root)
	c.overlaps(p)
}

// gears sets the quantities that all involute pairs have in common; path is the
// length of the path of contact and play the sum of the backlashes, m.
func (p *Pair) gears(a Spur, alpha, path, face, play float64) {
	f := a.profile()
	p.PressureAngle = alpha
	p.BasePitch = 2 * math.Pi * f.rb / float64(a.Teeth)
	p.ContactRatio = path / p.BasePitch
	p.OverlapRatio = face * math.Abs(math.Sin(a.Helix)) / (math.Pi * a.Module)
	p.FlankClearance = play / 2 * math.Cos(a.PressureAngle) * math.Cos(a.Helix) // (3)
}

// footSlack is how far, over the module, a tip may reach below the foot of a
// flank: the standard proportions, with a fillet of 0.38, are rounded by as
// much.
const footSlack = 1e-3

// foot refuses a mate's tip that reaches below the foot of a flank; room is the
// remaining length, m.
func (c *checker) foot(module, room float64, tip, flank string) {
	c.require(room > -footSlack*module, "the %s tip reaches %.3g m below the %s involute, into its root: choose a smaller addendum, a smaller fillet, or shift the profiles", tip, -room, flank)
}

// tips refuses tips that meet the mate's root.
func (c *checker) tips(clearances ...float64) {
	for _, x := range clearances {
		c.require(x > 0, "a tip digs %.3g m into the mate's root: choose a larger clearance or a smaller addendum", -x)
	}
}

// overlaps refuses pairs that lose contact from tooth to tooth.
func (c *checker) overlaps(p *Pair) {
	c.require(p.ContactRatio+p.OverlapRatio >= 1, "the contact ratio is %.3f: below 1 the next tooth comes too late; choose larger addenda, more teeth or smaller shifts", p.ContactRatio+p.OverlapRatio)
}

// workingAngle solves (1) for the working pressure angle, rad, by bisection;
// sum is the sum or difference of the shifts over that of the numbers of teeth.
// It returns false if there is no solution.
func workingAngle(alpha, normal, sum float64) (float64, bool) {
	want := inv(alpha) + 2*math.Tan(normal)*sum
	if !(want > 1e-6) {
		return 0, false
	}
	if sum == 0 {
		return alpha, true
	}
	lo, hi := 0.0, math.Pi/2*(1-1e-9)
	for range 200 {
		if mid := (lo + hi) / 2; inv(mid) < want {
			lo = mid
		} else {
			hi = mid
		}
	}
	return (lo + hi) / 2, true
}
