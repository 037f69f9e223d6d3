package gears

import "math"

// Pair is two gears that mesh: A is external, B external, internal or a rack.
type Pair struct {
	A, B Gear
	// ToothA and ToothB are their sections.
	ToothA, ToothB Tooth
	// Distance is the centre distance, m; of a rack that of the axis from the pitch line.
	Distance float64
	// WorkingAngle is the transverse pressure angle at that distance, rad.
	WorkingAngle float64
	// BasePitch is the transverse base pitch, m.
	BasePitch float64
	// ContactRatio and OverlapRatio are ε_α of the transverse plane and ε_β of the helix.
	ContactRatio, OverlapRatio float64
	// Play is the distance of flanks along the line of action when those of the other side touch, m.
	Play float64

	// e is 1 if B is external, −1 if it is internal
	e float64
}

// NewPair checks two gears and how they mesh at the centre distance, m; 0: that without play of teeth of full
// thickness.
func NewPair(a, b Gear, distance float64) (*Pair, error) {
	if err := a.Check(); err != nil {
		return nil, err
	}
	if err := b.Check(); err != nil {
		return nil, err
	}
	if err := mates(&a, &b); err != nil {
		return nil, err
	}
	p := &Pair{A: a, B: b, Distance: distance, BasePitch: a.BasePitch(), e: 1}
	p.ToothA, p.ToothB = p.A.Tooth(), p.B.Tooth()
	if b.Form == Internal {
		p.e = -1
	}
	if distance == 0 {
		d, err := p.standardDistance()
		if err != nil {
			return nil, err
		}
		p.Distance = d
	}
	p.derive()
	if err := p.check(); err != nil {
		return nil, err
	}
	return p, nil
}

// standardDistance is where teeth of full thickness mesh without play: with the sum (internal: difference) of
// shifts Σx
// and of teeth Σz, inv α_w = inv α + 2 Σx tan α_n/Σz and a = (r_b2 ± r_b1)/cos α_w (ISO 21771).
func (p *Pair) standardDistance() (float64, error) {
	a, b := &p.A, &p.B
	if b.Form == Rack {
		return p.ToothA.R + a.Shift*a.Module, nil
	}
	shifts, teeth := b.Shift+p.e*a.Shift, float64(b.Teeth)+p.e*float64(a.Teeth)
	v := Inv(p.ToothA.Alpha) + 2*shifts*math.Tan(a.PressureAngle)/teeth
	if v <= 0 {
		return 0, shiftsTooSmall(p, shifts, teeth)
	}
	return (p.ToothB.RBase + p.e*p.ToothA.RBase) / math.Cos(InvAngle(v)), nil
}

// baseDistance is the centre distance at which the working pressure angle is zero, m.
func (p *Pair) baseDistance() float64 { return p.ToothB.RBase + p.e*p.ToothA.RBase }

// derive computes what follows from the distance.
func (p *Pair) derive() {
	a, b := &p.ToothA, &p.ToothB
	p.OverlapRatio = math.Min(p.A.FaceWidth, p.B.FaceWidth) * math.Abs(math.Sin(p.A.Helix)) / (math.Pi * p.A.Module)
	if p.B.Form == Rack {
		p.WorkingAngle = a.Alpha
		// The pitch line of the rack lies below the pitch circle by the difference of distance and radius.
		over := p.Distance - a.R
		p.ContactRatio = (a.STip - a.RBase*math.Tan(a.Alpha) + (b.RTip-over)/math.Sin(a.Alpha)) / p.BasePitch
		// thickness of the tooth at the pitch circle and of the rack there, against the pitch
		p.Play = (p.BasePitch - 2*(a.HalfBase-Inv(a.Alpha))*a.R*math.Cos(a.Alpha)) - 2*b.HalfAt(over)*math.Cos(a.Alpha)
		return
	}
	p.WorkingAngle = math.Acos(math.Min(1, p.baseDistance()/p.Distance))
	p.ContactRatio = (a.STip + p.e*b.STip - p.e*p.Distance*math.Sin(p.WorkingAngle)) / p.BasePitch
	// Lengths of arcs on the base circles: both lines of action leave 2 L for teeth, gaps and play.
	thick := 2 * (a.RBase*a.HalfBase + p.e*b.RBase*b.HalfBase)
	pitches := p.BasePitch
	if p.e < 0 {
		pitches = 0
	}
	p.Play = pitches - thick + 2*p.e*p.baseDistance()*Inv(p.WorkingAngle)
}

// Ratio returns how far B turns when A turns by one, rad/rad; of a rack how far it moves, m/rad.
func (p *Pair) Ratio() float64 {
	if p.B.Form == Rack {
		return p.ToothA.R // A is above the rack, at y > 0 of it
	}
	return -p.e * float64(p.A.Teeth) / float64(p.B.Teeth)
}

// lever is how far flanks of B move along the line of action when it turns by one, m/rad; of a rack m/m.
func (p *Pair) lever() float64 {
	if p.B.Form == Rack {
		return math.Cos(p.ToothA.Alpha)
	}
	return p.ToothB.RBase
}

// EffectiveRadius returns that of the curvature of two flanks which touch on a line of action at the path lengths of
// both, m, in the section normal to the flanks.
func (p *Pair) EffectiveRadius(sA, sB float64) float64 {
	curvature := 1 / math.Max(sA, 1e-3*p.A.Module)
	if p.B.Form != Rack {
		curvature += p.e / math.Max(sB, 1e-3*p.A.Module)
	}
	return 1 / (curvature * math.Cos(p.A.BaseHelix()))
}
