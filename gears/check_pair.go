package gears

import (
	"fmt"
	"math"
)

// mates refuses gears that never mesh.
func mates(a, b *Gear) error {
	if a.Form != External {
		return fmt.Errorf("gears: the first gear of a pair is %s: give the external one first", a.Form)
	}
	if math.Abs(a.Module-b.Module) > 1e-9*a.Module {
		return fmt.Errorf("gears: modules %.6g m and %.6g m differ: give both gears one module", a.Module, b.Module)
	}
	if math.Abs(a.PressureAngle-b.PressureAngle) > 1e-9 {
		return fmt.Errorf("gears: pressure angles %.6g° and %.6g° differ: give both gears one pressure angle", a.PressureAngle*deg, b.PressureAngle*deg)
	}
	want, hand := -a.Helix, "opposite"
	if b.Form == Internal {
		want, hand = a.Helix, "equal"
	}
	if math.Abs(b.Helix-want) > 1e-9 {
		return fmt.Errorf("gears: helix angles %.6g° and %.6g°: on parallel axes those of an %s gear's mate are %s; give the second %.6g°", a.Helix*deg, b.Helix*deg, b.Form, hand, want*deg)
	}
	if b.Form == Internal && b.Teeth <= a.Teeth {
		return fmt.Errorf("gears: a gear of %d teeth does not fit into an internal one of %d: give that at least %d", a.Teeth, b.Teeth, a.Teeth+8)
	}
	return nil
}

// shiftsTooSmall is the error of shifts that no pressure angle fits.
func shiftsTooSmall(p *Pair, shifts, teeth float64) error {
	least := -Inv(p.ToothA.Alpha) * teeth / (2 * math.Tan(p.A.PressureAngle))
	return fmt.Errorf("gears: no centre distance meshes without play at a sum (internal: difference) of profile shifts of %.4g: give more than %.4g", shifts, least)
}

// check refuses centre distances at which the pair does not run.
func (p *Pair) check() error {
	if p.B.Form != Rack && p.Distance <= p.baseDistance() {
		return fmt.Errorf("gears: centre distance %.6g m is not above that of the base circles, %.6g m: flanks have no line of action; give at least %.6g m", p.Distance, p.baseDistance(), p.leastDistance())
	}
	if p.Play < -1e-9*p.A.Module {
		return fmt.Errorf("gears: at centre distance %.6g m teeth overlap by %.4g m along the line of action: give %.6g m, or thin the teeth of both by %.4g m together",
			p.Distance, -p.Play, p.leastDistance(), -p.Play/math.Cos(p.ToothA.Alpha))
	}
	if err := p.checkTips(); err != nil {
		return err
	}
	if err := p.checkFeet(); err != nil {
		return err
	}
	if total := p.ContactRatio + p.OverlapRatio; total < 1 {
		return fmt.Errorf("gears: contact ratio %.4g at centre distance %.6g m: below 1 the next tooth comes too late; give %s, larger addenda or smaller shifts", total, p.Distance, p.mostDistance())
	}
	return nil
}

// checkTips refuses tips that meet the root circle of the mate.
func (p *Pair) checkTips() error {
	a, b := &p.ToothA, &p.ToothB
	type clearance struct {
		gear string
		room float64
	}
	var rooms []clearance
	switch p.B.Form {
	case External:
		rooms = []clearance{{"first", p.Distance - a.RTip - b.RRoot}, {"second", p.Distance - b.RTip - a.RRoot}}
	case Internal:
		rooms = []clearance{{"first", b.RRoot - p.Distance - a.RTip}, {"second", b.RTip - p.Distance - a.RRoot}}
	default:
		rooms = []clearance{{"first", p.Distance - a.RTip - b.RRoot}, {"second", p.Distance - b.RTip - a.RRoot}}
	}
	for i, r := range rooms {
		if r.room < -1e-9*p.A.Module {
			g := &p.A
			if i == 1 {
				g = &p.B
			}
			return fmt.Errorf("gears: tips of the %s gear reach %.4g m into the root of its mate at centre distance %.6g m: give it an addendum of at most %.4g (now %.4g), or the mate more clearance",
				r.gear, -r.room, p.Distance, math.Floor((g.Addendum+r.room/g.Module)*1e4)/1e4, g.Addendum)
		}
	}
	return nil
}

// footSlack is how far over the module a tip may reach below the foot of a flank: the standard proportions, with a
// fillet of 0.38, are rounded by as much.
const footSlack = 1e-3

// checkFeet refuses tips that touch the mate below its involute.
func (p *Pair) checkFeet() error {
	a, b := &p.ToothA, &p.ToothB
	// Where the tips end the path of contact on the flank of the other gear, past its foot.
	length := p.Distance * math.Sin(p.WorkingAngle)
	onA, onB := length-b.STip-a.SFoot, length-a.STip-b.SFoot
	switch p.B.Form {
	case Internal:
		onA, onB = b.STip-length-a.SFoot, b.SFoot-length-a.STip
	case Rack:
		over := p.Distance - a.R
		pitch := a.RBase * math.Tan(a.Alpha)
		onA = pitch - (b.RTip-over)/math.Sin(a.Alpha) - a.SFoot
		onB = pitch + over/math.Sin(a.Alpha) - b.SFoot - a.STip
	}
	for i, room := range []float64{onA, onB} {
		if room < -footSlack*p.A.Module {
			tip, foot, names := &p.ToothB, &p.A, [2]string{"second", "first"}
			if i == 1 {
				tip, foot, names = &p.ToothA, &p.B, [2]string{"first", "second"}
			}
			return fmt.Errorf("gears: interference: the tip of the %s gear reaches %.4g m along the line of action below the involute of the %s: give the %s %s, or the %s a larger profile shift (now %.4g)",
				names[0], -room, names[1], names[0], tip.shorter(-room), names[1], foot.Shift)
		}
	}
	if p.B.Form == Internal {
		return p.checkPassing()
	}
	return nil
}

// shorter says what ends the flank ds earlier, m.
func (t *Tooth) shorter(ds float64) string {
	if t.gear.Form == Rack {
		return fmt.Sprintf("an addendum of at most %.4g (now %.4g)", math.Floor((t.RTip-ds*math.Sin(t.Alpha))/t.gear.Module*1e4)/1e4, t.gear.Addendum)
	}
	if t.gear.Form == Internal {
		return fmt.Sprintf("a tip diameter of at least %.6g m (now %.6g)", 2*t.radiusAt(t.STip+ds), 2*t.RTip)
	}
	return fmt.Sprintf("a tip diameter of at most %.6g m (now %.6g)", 2*t.radiusAt(t.STip-ds), 2*t.RTip)
}

// checkPassing refuses internal pairs whose tips meet beside the mesh, where the tip circles cross: at angles δ_A and
// δ_B from the line of centres,
//
//	z_A (inv α_aA + δ_A) − z_B (inv α_aB + δ_B) + (z_B − z_A) inv α_w ≥ 0.
func (p *Pair) checkPassing() error {
	a, b := &p.ToothA, &p.ToothB
	ra, rb, d := a.RTip, b.RTip, p.Distance
	if ra+d <= rb || d+rb <= ra || math.Abs(ra-rb) >= d {
		return nil // tip circles do not cross
	}
	cosA := (rb*rb - ra*ra - d*d) / (2 * ra * d)
	cosB := (d*d + rb*rb - ra*ra) / (2 * rb * d)
	za, zb := float64(p.A.Teeth), float64(p.B.Teeth)
	alphaA, alphaB := math.Acos(a.RBase/ra), math.Acos(math.Min(1, b.RBase/rb))
	room := za*(Inv(alphaA)+math.Acos(cosA)) - zb*(Inv(alphaB)+math.Acos(cosB)) + (zb-za)*Inv(p.WorkingAngle)
	if room < 0 {
		return fmt.Errorf("gears: tips of %d and %d teeth meet beside the mesh: give the internal gear more teeth (a difference of at least 8 to 10 at 20°), smaller addenda (now %.4g and %.4g), or a larger shift", p.A.Teeth, p.B.Teeth, p.A.Addendum, p.B.Addendum)
	}
	return nil
}

// leastDistance returns the centre distance of no play (of internal gears the largest), rounded up (down), m.
func (p *Pair) leastDistance() float64 {
	q := *p
	lo, hi := p.baseDistance()*(1+1e-12), p.baseDistance()+10*p.A.Module
	if p.B.Form == Rack {
		lo, hi = p.ToothA.R-2*p.A.Module, p.ToothA.R+4*p.A.Module
	}
	for range 100 {
		q.Distance = (lo + hi) / 2
		q.derive()
		if (q.Play < 0) == (p.e > 0) {
			lo = q.Distance
		} else {
			hi = q.Distance
		}
	}
	if p.e < 0 {
		return math.Floor(lo*1e7) / 1e7
	}
	return math.Ceil(hi*1e7) / 1e7
}

// mostDistance says at which centre distance the contact ratio is 1.
func (p *Pair) mostDistance() string {
	q := *p
	least := p.leastDistance()
	if p.e < 0 {
		return fmt.Sprintf("a centre distance of up to %.6g m", least)
	}
	q.Distance = least
	q.derive()
	if q.ContactRatio+q.OverlapRatio < 1 {
		return "more teeth (no centre distance of these two reaches 1)"
	}
	lo, hi := least, p.Distance
	for range 60 {
		q.Distance = (lo + hi) / 2
		q.derive()
		if q.ContactRatio+q.OverlapRatio >= 1 {
			lo = q.Distance
		} else {
			hi = q.Distance
		}
	}
	return fmt.Sprintf("a centre distance of at most %.6g m", math.Floor(lo*1e7)/1e7)
}

// CheckPlanets returns an error if count planets cannot be assembled evenly between a sun and a ring, or would touch
// each other: each meshes with both at once if (z_sun + z_ring)/count is whole.
func CheckPlanets(sun, planet, ring Gear, count int) error {
	if count < 1 {
		return fmt.Errorf("gears: %d planets: give at least 1", count)
	}
	inner, err := NewPair(sun, planet, 0)
	if err != nil {
		return fmt.Errorf("gears: sun and planet: %w", err)
	}
	outer, err := NewPair(planet, ring, inner.Distance)
	if err != nil {
		return fmt.Errorf("gears: planet and ring at the centre distance %.6g m of sun and planet: %w", inner.Distance, err)
	}
	if sum := sun.Teeth + ring.Teeth; sum%count != 0 {
		down, up := sum-sum%count, sum-sum%count+count
		return fmt.Errorf("gears: %d planets cannot be assembled at equal angles between %d and %d teeth, whose sum %d is not a multiple of %d: give the ring %d or %d teeth, or another number of planets",
			count, sun.Teeth, ring.Teeth, sum, count, down-sun.Teeth, up-sun.Teeth)
	}
	if count > 1 {
		apart := 2 * inner.Distance * math.Sin(math.Pi/float64(count))
		if room := apart - 2*outer.ToothA.RTip; room <= 0 {
			most := int(math.Pi / math.Asin(math.Min(1, outer.ToothA.RTip/inner.Distance)))
			return fmt.Errorf("gears: %d planets of %.6g m tip diameter are %.6g m apart and touch: give at most %d", count, 2*outer.ToothA.RTip, apart, most)
		}
	}
	return nil
}
