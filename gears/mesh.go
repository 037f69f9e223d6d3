package gears

import (
	"fmt"
	"math"
)

// Mesh is a pair at its centre distance whose first gear turns counter-clockwise and drives the second against a
// torque,
// slowly: inertia and friction are left out. Slices of the face width are springs beside each other, without
// coupling.
type Mesh struct {
	// TheoreticalPath leaves out edges of tips, which touch before and after the path of contact as loaded
	// teeth give:
	// what standards compute. Then forces jump as teeth enter and leave.
	TheoreticalPath bool

	pair       *Pair
	compliance *Compliance
	slices     int
	phase      float64 // of B where A is at 0
	touches    []Touch
	points     []Point
}

// Point is a slice of a pair of teeth that carries load.
type Point struct {
	Touch
	// Z is the middle of the slice, m.
	Z float64
	// Load is the force per length of the line of contact, N/m; Force that of the slice in the transverse
	// plane, N.
	Load, Force float64
	// Pressure is the largest of Hertz' theory, Pa; at edges of tips it is only nominal.
	Pressure float64
}

// Loaded is the equilibrium at one angle of the first gear.
type Loaded struct {
	// Turn is the angle of the first gear, rad.
	Turn float64
	// Unloaded and Error are the transmission errors without load and with it: how far the flanks of the
	// second gear
	// lag behind their place, m along the line of action.
	Unloaded, Error float64
	// Force is the sum of the flanks' forces in the transverse plane, N; Stiffness its derivative by Error, N/m.
	Force, Stiffness float64
	// Points carry the load; they are overwritten by the next call.
	Points []Point
}

// NewMesh returns the mesh of a pair with its compliance, in slices of the common face width; 0 slices: one for spur
// gears without lead crowning, 64 for others.
func NewMesh(p *Pair, c *Compliance, slices int) (*Mesh, error) {
	if c.pair != p {
		return nil, fmt.Errorf("gears: the compliance is that of another pair")
	}
	switch {
	case slices < 0 || slices > 10000:
		return nil, fmt.Errorf("gears: %d slices: give 1 to 10000, or 0 for the default", slices)
	case slices == 0 && p.A.Helix == 0 && p.A.LeadCrowning == 0 && p.B.LeadCrowning == 0:
		slices = 1
	case slices == 0:
		slices = 64
	}
	m := &Mesh{pair: p, compliance: c, slices: slices}
	if lag, ok := m.unloaded(0); ok {
		m.phase = -m.direction() * lag / p.lever()
	}
	return m, nil
}

// direction is the sign of the motion of B.
func (m *Mesh) direction() float64 { return math.Copysign(1, m.pair.Ratio()) }

// place returns the placement with the flanks of B moved by lag against the drive, m.
func (m *Mesh) place(turn, lag float64) Placement {
	p := m.pair
	return p.Place(turn, p.Ratio()*turn+m.phase-m.direction()*lag/p.lever())
}

// width returns the common face width, m.
func (m *Mesh) width() float64 { return math.Min(m.pair.A.FaceWidth, m.pair.B.FaceWidth) }

// slice returns the middle of a slice, m.
func (m *Mesh) slice(i int) float64 { return m.width() * ((float64(i)+0.5)/float64(m.slices) - 0.5) }

// nearest returns the smallest gap of driving flanks.
func (m *Mesh) nearest(at Placement) float64 {
	gap := math.Inf(1)
	for i := range m.slices {
		m.touches = m.pair.Touches(m.touches[:0], at, m.slice(i), math.Inf(1))
		for k := range m.touches {
			if t := &m.touches[k]; t.Side > 0 {
				gap = math.Min(gap, t.Gap)
			}
		}
	}
	return gap
}

// unloaded returns the lag at which flanks touch without load; false where none faces another.
func (m *Mesh) unloaded(turn float64) (lag float64, ok bool) {
	for range 20 {
		gap := m.nearest(m.place(turn, lag))
		if math.IsInf(gap, 1) {
			return lag, false
		}
		lag += gap
		if math.Abs(gap) < 1e-15 {
			break
		}
	}
	return lag, true
}

// load computes the points at a lag and returns the moment about B over its lever, N, its derivative by the lag,
// and the
// sum of forces.
func (m *Mesh) load(turn, lag float64) (moment, slope, force float64) {
	p, at := m.pair, m.place(turn, lag)
	dz, cos := m.width()/float64(m.slices), math.Cos(p.A.BaseHelix())
	m.points = m.points[:0]
	for i := range m.slices {
		z := m.slice(i)
		m.touches = p.Touches(m.touches[:0], at, z, 0)
		for _, t := range m.touches {
			if t.Side < 0 || m.TheoreticalPath && t.Edge != NoEdge {
				continue
			}
			w, k := m.compliance.At(t.SA, t.SB).Load(-t.Gap * cos)
			// A line of contact of length dz/cos β_b, whose force leans by β_b out of the transverse
			// plane.
			f := w * dz
			lever := p.arm(&t, at) / p.lever()
			moment += f * lever
			slope += k * cos * dz * lever * lever
			force += f
			m.points = append(m.points, Point{t, z, w, f, p.HertzAt(t.SA, t.SB).Pressure(w)})
		}
	}
	return moment, slope, force
}

// arm returns the lever by which the force of a touch turns B back, m; of a rack its share along the rack.
func (p *Pair) arm(t *Touch, at Placement) float64 {
	if p.B.Form == Rack {
		return t.Normal[0]*math.Cos(at.TurnB) + t.Normal[1]*math.Sin(at.TurnB)
	}
	x, y := t.Point[0]-at.Center[0], t.Point[1]-at.Center[1]
	return math.Abs(x*t.Normal[1] - y*t.Normal[0])
}

// At returns the equilibrium at an angle of the first gear, rad, under the torque, N m, that the drive gives on
// the mean.
// The load of the second gear is constant: that torque over the base radius of the first.
func (m *Mesh) At(turn, torque float64) (Loaded, error) {
	unloaded, ok := m.unloaded(turn)
	if !ok {
		return Loaded{}, fmt.Errorf("gears: no flanks face each other at the angle %.6g rad of the first gear", turn)
	}
	want := torque / m.pair.ToothA.RBase
	if !(want >= 0) || math.IsInf(want, 0) {
		return Loaded{}, fmt.Errorf("gears: torque %g N m: give a finite one of 0 or more", torque)
	}
	lo, hi, x := unloaded, unloaded+m.pair.A.Module, unloaded
	var force, slope float64
	for range 200 {
		var moment float64
		moment, slope, force = m.load(turn, x)
		if math.Abs(moment-want) <= 1e-12*want {
			break
		}
		if moment < want {
			lo = x
		} else {
			hi = x
		}
		if hi-lo <= 1e-16*m.pair.A.Module {
			break
		}
		next := (lo + hi) / 2
		if slope > 0 {
			if newton := x + (want-moment)/slope; newton > lo && newton < hi {
				next = newton
			}
		}
		x = next
	}
	if x > unloaded+m.pair.A.Module/4 {
		return Loaded{}, fmt.Errorf("gears: teeth give by more than a quarter of the module under %g N m, which no theory of small deflections holds for: give a smaller torque", torque)
	}
	return Loaded{Turn: turn, Unloaded: unloaded, Error: x, Force: force, Stiffness: slope, Points: m.points}, nil
}
