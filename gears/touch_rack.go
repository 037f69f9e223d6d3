package gears

import "math"

// rackSide appends touches of one side with a rack: its flanks are planes whose outward normal leans by α from the
// rack,
// so that the line of action has a fixed direction, and
//
//	gap = (q − T)·n − s_A                                                                        (3)
//
// for a point q of the plane and the tangent point T of A's base circle.
func (p *Pair) rackSide(dst []Touch, at Placement, side, z, reach float64) []Touch {
	a, b := &p.ToothA, &p.ToothB
	ax, ay := p.A.eccentric(at.TurnA)
	d := [2]float64{at.Center[0] - ax, at.Center[1] - ay}
	xs, xc := math.Sincos(at.TurnB)
	sinA, cosA := math.Sincos(b.Alpha)
	// A's flanks of side 1 touch those flanks of the rack that face −x, with the normal (−cos α, sin α).
	local := [2]float64{side * cosA, -sinA} // from A into the rack
	n := [2]float64{local[0]*xc - local[1]*xs, local[0]*xs + local[1]*xc}
	// n = σ e'(τ)
	tau := math.Atan2(-side*n[0], side*n[1])
	sin, cos := math.Sincos(tau)
	turnA, moved := at.TurnA+p.A.twist()*z, p.B.twist()*z
	s0 := a.RBase * side * (side*a.HalfBase + turnA - tau)
	first, last := teethWithin(s0, side*p.BasePitch, -p.BasePitch, a.STip+p.BasePitch)
	base := [2]float64{a.RBase * cos, a.RBase * sin}
	for k := first; k <= last; k++ {
		sA := a.RBase * side * (a.middle(k) + side*a.HalfBase + turnA - tau)
		point := [2]float64{base[0] + sA*n[0], base[1] + sA*n[1]}
		// The flank of tooth j goes through x = middle − σ·half at the pitch line.
		x, y := toRack(point, d, xs, xc)
		gapAt := func(j int, x, y float64) float64 {
			return (b.middle(j)+moved-side*b.HalfBase-x)*local[0] - y*local[1]
		}
		j := int(math.Round(-gapAt(0, x, y) / (side * p.BasePitch)))
		if j < 0 || j >= p.B.Teeth {
			// Teeth are numbered from the one at x = 0; those of a finite rack lie on both sides of it.
			if n := p.B.Teeth / 2; j < -n || j >= p.B.Teeth-n {
				continue
			}
		}
		t := Touch{ToothA: k, ToothB: j, Side: int(side), Normal: n, SA: sA, Point: point, Gap: gapAt(j, x, y)}
		t.SB = (y + t.Gap*local[1]) / sinA // of the point on the plane
		pastA, pastB := sA > a.STip, t.SB > b.STip
		switch {
		case pastA && pastB:
			continue
		case pastA:
			roll := a.STip / a.RBase
			ts, tc := math.Sincos(a.middle(k) + turnA + side*(a.HalfBase-(roll-math.Atan(roll))))
			t.Point = [2]float64{a.RTip * tc, a.RTip * ts}
			x, y = toRack(t.Point, d, xs, xc)
			t.Gap, t.SA, t.Edge = gapAt(j, x, y), a.STip, EdgeA
			if t.SB = (y + t.Gap*local[1]) / sinA; t.SB > b.STip { // beside the flank
				continue
			}
		case pastB:
			edge := [2]float64{b.middle(j) + moved - side*b.HalfAt(b.RTip), b.RTip}
			point := [2]float64{d[0] + edge[0]*xc - edge[1]*xs, d[1] + edge[0]*xs + edge[1]*xc}
			sP, sFlank, m, ok := a.nearest(point, side, a.middle(k)+turnA)
			if !ok || sFlank > a.STip {
				continue
			}
			t.Gap, t.SA, t.SB, t.Normal, t.Edge = sP-sFlank, sFlank, b.STip, m, EdgeB
			t.Point = [2]float64{point[0] - t.Gap*m[0], point[1] - t.Gap*m[1]}
		case sA < 0:
			continue
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

// toRack returns a point in the frame of a rack at d whose x axis has that sine and cosine.
func toRack(q, d [2]float64, sin, cos float64) (x, y float64) {
	u, v := q[0]-d[0], q[1]-d[1]
	return u*cos + v*sin, -u*sin + v*cos
}
