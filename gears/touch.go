package gears

import "math"

// Placement is where the gears of a pair are in a transverse plane. The axis of A is the origin.
type Placement struct {
	// Center is the axis of B, of a rack its origin, m.
	Center [2]float64
	// TurnA and TurnB are the angles of the gears, rad; of a rack that of its x axis.
	TurnA, TurnB float64
}

// Place returns the placement in which B lies at the pair's distance: an external gear on the x axis, an internal one
// on its negative part, a rack below, moved by turnB, m.
func (p *Pair) Place(turnA, turnB float64) Placement {
	switch p.B.Form {
	case Internal:
		return Placement{Center: [2]float64{-p.Distance, 0}, TurnA: turnA, TurnB: turnB}
	case Rack:
		return Placement{Center: [2]float64{turnB, -p.Distance}, TurnA: turnA}
	}
	return Placement{Center: [2]float64{p.Distance, 0}, TurnA: turnA, TurnB: turnB}
}

// Edge says which of two flanks touches with the edge at its tip.
type Edge int

// Edges at which flanks touch.
const (
	NoEdge Edge = iota
	EdgeA
	EdgeB
)

// Touch is where a tooth of A and one of B are nearest in a transverse plane.
type Touch struct {
	// ToothA and ToothB are their numbers, which count on beyond a turn; of an internal gear that of the gap.
	ToothA, ToothB int
	// Side is 1 where flanks of A touch that follow the middle of their tooth counter-clockwise, −1 on the other.
	Side int
	// Gap is their distance, m, along the normal, modifications and errors included; negative in overlap.
	Gap float64
	// Point is on the flank of A without its modifications, m, from the axis of A; Normal points from A to B.
	Point, Normal [2]float64
	// SA and SB are path lengths on both flanks, m, from the tangent points of the base circles.
	SA, SB float64
	Edge   Edge
}

// Touches appends the pairs of teeth whose gap is at most reach, m, in the transverse plane at z, m, for both
// sides of
// the teeth, in the order of the teeth of A. Involutes that touch do so on the common tangent of the base circles,
// which
// is normal to both, wherever the axes are; beyond the end of a flank the edge of its tip touches the other flank.
//
// With the axes at the distance vector d, the tangent has the normal n = σ e'(τ) (1) with d·e(τ) = r_b1 ± r_b2, and
//
//	gap = d·n − s_A ∓ s_B                                                                        (2)
//
// (upper signs: B external, lower: internal).
func (p *Pair) Touches(dst []Touch, at Placement, z, reach float64) []Touch {
	for _, side := range [2]float64{1, -1} {
		if p.B.Form == Rack {
			dst = p.rackSide(dst, at, side, z, reach)
		} else {
			dst = p.gearSide(dst, at, side, z, reach)
		}
	}
	return dst
}

// eccentric returns where the axis of a gear's teeth lies from that of rotation, m.
func (g *Gear) eccentric(turn float64) (x, y float64) {
	if g.Eccentricity == 0 {
		return 0, 0
	}
	sin, cos := math.Sincos(turn + g.EccentricityAt)
	return g.Eccentricity * cos, g.Eccentricity * sin
}

// gearSide appends touches of one side with an external or internal gear.
func (p *Pair) gearSide(dst []Touch, at Placement, side, z, reach float64) []Touch {
	a, b := &p.ToothA, &p.ToothB
	ax, ay := p.A.eccentric(at.TurnA)
	bx, by := p.B.eccentric(at.TurnB)
	d := [2]float64{at.Center[0] + bx - ax, at.Center[1] + by - ay}
	distance := math.Hypot(d[0], d[1])
	cosine := p.baseDistance() / distance
	if !(cosine < 1) {
		return dst // the base circles overlap: no line of action
	}
	tau, tauB := math.Atan2(d[1], d[0]), 0.0
	if p.e > 0 {
		tau -= side * math.Acos(cosine)
		tauB = tau + math.Pi
	} else { // d·e(τ) = r_b1 − r_b2 is negative
		tau += side * (math.Pi - math.Acos(cosine))
		tauB = tau
	}
	sin, cos := math.Sincos(tau)
	n := [2]float64{-side * sin, side * cos}
	length := d[0]*n[0] + d[1]*n[1]
	turnA, turnB := at.TurnA+p.A.twist()*z, at.TurnB+p.B.twist()*z
	// Path length of tooth 0 of A; those of others differ by base pitches.
	s0 := a.RBase * side * (a.middle0() + side*a.HalfBase + turnA - tau)
	first, last := teethWithin(s0, side*p.BasePitch, -p.BasePitch, a.STip+p.BasePitch)
	for k := first; k <= last; k++ {
		sA := a.RBase * side * (a.middle(k) + side*a.HalfBase + turnA - tau)
		// The tooth of B whose gap is nearest to zero.
		want := (length - sA) * p.e
		sB0 := b.RBase * side * (b.middle0() + side*b.HalfBase + turnB - tauB)
		j := int(math.Round((want - sB0) / (side * p.BasePitch)))
		sB := b.RBase * side * (b.middle(j) + side*b.HalfBase + turnB - tauB)
		t := Touch{ToothA: k, ToothB: j, Side: int(side), Normal: n, SA: sA, SB: sB, Gap: length - sA - p.e*sB}
		pastA, pastB := sA > a.STip, p.e*(sB-b.STip) > 0
		switch {
		case pastA && pastB:
			continue
		case pastA:
			if !p.edgeOfA(&t, d, side, turnA, turnB) {
				continue
			}
		case pastB:
			if !p.edgeOfB(&t, d, side, turnA, turnB) {
				continue
			}
		case sA < 0 || sB < 0:
			continue
		default:
			t.Point = [2]float64{a.RBase*cos + sA*n[0], a.RBase*sin + sA*n[1]}
		}
		t.Gap += a.Removed(t.SA, z) + b.Removed(t.SB, z)
		t.Point[0] += ax
		t.Point[1] += ay
		if t.Gap <= reach {
			dst = append(dst, t)
		}
	}
	return dst
}

// middle0 returns the middle of tooth 0 without errors.
func (t *Tooth) middle0() float64 {
	if t.gear.Form == Internal {
		return t.Pitch / 2
	}
	return 0
}

// teethWithin returns the range of k for which s0 + k·step lies in [lo, hi].
func teethWithin(s0, step, lo, hi float64) (first, last int) {
	u, v := (lo-s0)/step, (hi-s0)/step
	if u > v {
		u, v = v, u
	}
	return int(math.Ceil(u)), int(math.Floor(v))
}

// edgeOfA moves a touch to the edge of A's tip on the flank of B; false if the edge is inside B's base circle.
func (p *Pair) edgeOfA(t *Touch, d [2]float64, side, turnA, turnB float64) bool {
	a, b := &p.ToothA, &p.ToothB
	roll := a.STip / a.RBase
	sin, cos := math.Sincos(a.middle(t.ToothA) + turnA + side*(a.HalfBase-(roll-math.Atan(roll))))
	point := [2]float64{a.RTip * cos, a.RTip * sin}
	sP, sFlank, n, ok := b.nearest([2]float64{point[0] - d[0], point[1] - d[1]}, side, b.middle(t.ToothB)+turnB)
	if !ok || p.e*(sFlank-b.STip) > 0 { // beside the flank
		return false
	}
	t.Gap, t.SA, t.SB, t.Point, t.Edge = p.e*(sP-sFlank), a.STip, sFlank, point, EdgeA
	t.Normal = [2]float64{-p.e * n[0], -p.e * n[1]}
	return true
}

// edgeOfB moves a touch to the edge of B's tip on the flank of A.
func (p *Pair) edgeOfB(t *Touch, d [2]float64, side, turnA, turnB float64) bool {
	a, b := &p.ToothA, &p.ToothB
	roll := b.STip / b.RBase
	sin, cos := math.Sincos(b.middle(t.ToothB) + turnB + side*(b.HalfBase-(roll-math.Atan(roll))))
	point := [2]float64{d[0] + b.RTip*cos, d[1] + b.RTip*sin}
	sP, sFlank, n, ok := a.nearest(point, side, a.middle(t.ToothA)+turnA)
	if !ok || sFlank > a.STip {
		return false
	}
	t.Gap, t.SA, t.SB, t.Normal, t.Edge = sP-sFlank, sFlank, b.STip, n, EdgeB
	t.Point = [2]float64{point[0] - t.Gap*n[0], point[1] - t.Gap*n[1]}
	return true
}

// nearest returns the path lengths of a point and of the flank on the tangent of the base circle through the
// point, m,
// and the flank's outward normal there; middle is the angle of the tooth.
func (t *Tooth) nearest(point [2]float64, side, middle float64) (sPoint, sFlank float64, n [2]float64, ok bool) {
	radius := math.Hypot(point[0], point[1])
	if radius < t.RBase {
		return
	}
	roll := rollAt(t.RBase, radius)
	tau := math.Atan2(point[1], point[0]) - side*math.Atan(roll)
	own := side * (middle + side*t.HalfBase - tau)
	own += 2 * math.Pi * math.Round((roll-own)/(2*math.Pi))
	if own < 0 {
		return
	}
	sin, cos := math.Sincos(tau)
	return t.RBase * roll, t.RBase * own, [2]float64{-side * sin, side * cos}, true
}
