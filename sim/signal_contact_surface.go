package sim

// Sums over the contact surfaces k of a body, each with area S_k, normal force N_k, centre
// of pressure C_k and mean slip s_k (see report_contact_surface.go):
//
//	S = Σ S_k,  p̄ = Σ N_k/S                  area, mean pressure
//	C = Σ N_k C_k/Σ N_k                      centre of pressure
//	s̄ = Σ N_k s_k/Σ N_k                      mean slip
//
// The largest pressure and the largest slip are those of a single face.
//
// Means are over the last step, as those of all forces: a step that was divided has the faces of
// all its parts. Areas of two bodies that touch at points only are 0.

import (
	"errors"
	"fmt"
	"math"

	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/r3"
)

// ContactSurfaceKind is the quantity that a ContactSurfaceSignal measures.
type ContactSurfaceKind int

// What a ContactSurfaceSignal measures, over all contact surfaces of the body with the
// others.
const (
	ContactSurfaceArea         ContactSurfaceKind = iota // sum of areas, m²
	ContactSurfaceMaxPressure                            // largest mean pressure of a face, Pa
	ContactSurfaceMeanPressure                           // normal force over area, Pa
	ContactSurfaceSlip                                   // mean slip speed, weighted by normal force, m/s
	ContactSurfaceMaxSlip                                // largest slip speed of a face, m/s
	ContactSurfaceCenter                                 // a world coordinate of the centre of pressure, m; NaN without contact
	ContactSurfaceCount                                  // number of contact surfaces with force
)

// ContactSurfaceSignal measures the contact surfaces (contact patches) of a body, of
// pressure fields and of deformables, not contact points.
type ContactSurfaceSignal struct {
	// Body is a scene body.
	Body int
	// From are the scene bodies on the other side; empty: all.
	From []int
	// Kind is the measured quantity.
	Kind ContactSurfaceKind
	// Of is the component of a value that is a vector: ContactSurfaceCenter.
	Of Component
}

// Value implements Signal. It is 0 without contact, but NaN for a centre.
func (g ContactSurfaceSignal) Value(s *Stepper, x *State) float64 {
	t := g.sums(s, x)
	switch {
	case g.Kind == ContactSurfaceArea:
		return t.area
	case g.Kind == ContactSurfaceMaxPressure:
		return t.maxPressure
	case g.Kind == ContactSurfaceMaxSlip:
		return t.maxSlip
	case g.Kind == ContactSurfaceCount:
		return float64(t.count)
	case g.Kind == ContactSurfaceCenter && t.count == 0:
		return math.NaN()
	case g.Kind == ContactSurfaceCenter:
		return g.Of.of(t.center.Scale(1 / t.normal))
	case t.count == 0:
		return 0
	case g.Kind == ContactSurfaceMeanPressure:
		return t.normal / t.area
	}
	return t.slip / t.normal
}

// surfaceSums are sums over contact surfaces; slip and center are weighted by normal force.
type surfaceSums struct {
	area, normal, maxPressure, slip, maxSlip float64
	center                                   r3.Vec
	count                                    int
}

// sums adds up the contact surfaces of the body with the others.
func (g *ContactSurfaceSignal) sums(s *Stepper, x *State) (t surfaceSums) {
	// surfaces of the last step; of a state without a step there are none
	surfaces := s.surfacesOf(x)
	for i := range surfaces {
		p := &surfaces[i]
		switch {
		case p.A == g.Body && among(g.From, p.B):
		case p.B == g.Body && among(g.From, p.A):
		default:
			continue
		}
		// the sums that all quantities are made of
		t.count++
		t.area += p.Area
		t.normal += p.Normal
		t.maxPressure, t.maxSlip = math.Max(t.maxPressure, p.MaxPressure), math.Max(t.maxSlip, p.MaxSlip)
		t.slip += p.Normal * p.Slip
		t.center = t.center.AddScaled(p.Normal, p.Center_W)
	}
	return t
}

// surfacesOf returns the contact surfaces of the step that led to a state.
func (s *Stepper) surfacesOf(x *State) []ContactSurfaceReport {
	if !s.took(x) {
		return nil
	}
	return s.Report.ContactSurfaces()
}

var _ = Signals.Register(kinds.Kind[SignalSpec]{
	Name: "contact_surface", Formerly: []string{"patch"}, Doc: "Area, pressure, slip or centre of pressure of the contact surfaces of a body.",
	About: "Contact surfaces are those of pressure fields and of deformables; contact points have none. " +
		"Slip is the sliding speed, as a mean weighted by normal force. Without contact the centre of pressure is not a number.",
	New: func() SignalSpec { return &ContactSurfaceSpec{} },
	Samples: func() []SignalSpec {
		return []SignalSpec{
			&ContactSurfaceSpec{Quantity: "area", Body: "pad", From: []string{"box"}}, &ContactSurfaceSpec{Quantity: "count", Body: "pad"},
			&ContactSurfaceSpec{Quantity: "max_pressure", Body: "pad"}, &ContactSurfaceSpec{Quantity: "mean_pressure", Body: "pad"},
			&ContactSurfaceSpec{Quantity: "slip", Body: "pad"}, &ContactSurfaceSpec{Quantity: "max_slip", Body: "pad"},
			&ContactSurfaceSpec{Quantity: "center_z", Body: "pad"},
		}
	},
})

// ContactSurfaceSpec are the parameters of a ContactSurfaceSignal.
type ContactSurfaceSpec struct {
	// Quantity is the measured quantity: area, count, max_pressure, mean_pressure,
	// slip, max_slip, center_x, center_y or center_z.
	Quantity string `key:"contact_surface,required" doc:"measured quantity" choice:"area,count,max_pressure,mean_pressure,slip,max_slip,center_x,center_y,center_z"`
	// Body with contact surfaces.
	Body string `key:"body,required" doc:"body with contact surfaces" ref:"body"`
	// Bodies on the other side. By default: all.
	From []string `key:"from" doc:"bodies on the other side" ref:"body" default:"all"`
}

// surfaceQuantity is a quantity of contact surfaces.
type surfaceQuantity struct {
	kind ContactSurfaceKind
	of   Component
	unit string
}

// surfaceQuantities are the quantities by name.
var surfaceQuantities = map[string]surfaceQuantity{
	"area": {ContactSurfaceArea, X, "m²"}, "count": {ContactSurfaceCount, X, "1"},
	"max_pressure": {ContactSurfaceMaxPressure, X, "Pa"}, "mean_pressure": {ContactSurfaceMeanPressure, X, "Pa"},
	"slip": {ContactSurfaceSlip, X, "m/s"}, "max_slip": {ContactSurfaceMaxSlip, X, "m/s"},
	"center_x": {ContactSurfaceCenter, X, "m"}, "center_y": {ContactSurfaceCenter, Y, "m"}, "center_z": {ContactSurfaceCenter, Z, "m"},
}

// OfStep implements SignalSpec. The centre of pressure is NaN, not 0, before the first
// step.
func (p *ContactSurfaceSpec) OfStep() bool {
	return surfaceQuantities[p.Quantity].kind != ContactSurfaceCenter
}

// Unit implements SignalSpec.
func (p *ContactSurfaceSpec) Unit() string { return surfaceQuantities[p.Quantity].unit }

// Make implements SignalSpec.
func (p *ContactSurfaceSpec) Make(r *Resolver) (Signal, error) {
	body, err1 := r.Body(p.Body)
	from, err2 := r.Bodies(p.From)
	if err := errors.Join(err1, err2); err != nil {
		return nil, err
	}
	// a signal that could only ever be 0 is a mistake
	if !r.model.hasContactSurface(body) {
		return nil, fmt.Errorf("%s has point contact only: give its material, or that of the bodies that it touches, a hydroelastic_modulus", p.Body)
	}
	q := surfaceQuantities[p.Quantity]
	return ContactSurfaceSignal{Body: body, From: from, Kind: q.kind, Of: q.of}, nil
}

// hasContactSurface reports whether a body may touch others over an area.
func (m *Model) hasContactSurface(body int) bool {
	// deformables have surfaces, and give one to all that they touch
	if body >= m.Geometry.NumRigid || len(m.Geometry.Deformables) > 0 {
		return true
	}
	// other bodies need a pressure field, or a rigid surface for one
	for i := range m.Geometry.Geoms {
		if g := &m.Geometry.Geoms[i]; g.Body == body && g.IsHydroelastic() {
			return true
		}
	}
	return false
}

// whyUnsmooth implements unsmooth. Areas are sums over faces with force, which come and go whole.
func (g ContactSurfaceSignal) whyUnsmooth(*Model) string {
	switch g.Kind {
	case ContactSurfaceMaxPressure, ContactSurfaceMaxSlip:
		return "the largest of several faces, which jumps from one to the next: take the normal contact_force"
	case ContactSurfaceSlip:
		return "a mean of magnitudes, whose derivative jumps where a slip is zero: take a component of a velocity"
	case ContactSurfaceCount:
		return "a count: take the normal contact_force"
	case ContactSurfaceArea, ContactSurfaceMeanPressure:
		return "made of areas, which jump where a face begins to touch: take the normal contact_force"
	}
	return ""
}
