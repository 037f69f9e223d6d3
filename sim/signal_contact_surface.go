package sim

import (
	"errors"
	"fmt"
	"github.com/curlfree/curlfree/kinds"
	"math"

	"github.com/curlfree/curlfree/r3"
)

// ContactSurfaceKind says what a Patch measures.
type ContactSurfaceKind int

// What a Patch measures over all patches between the bodies: the sum of their
// areas; the largest pressure of a face; normal force over area; the mean of the
// sliding speeds, weighted by normal force, and the largest; the centre of
// pressure; how many patches bear force.
const (
	ContactSurfaceArea ContactSurfaceKind = iota
	ContactSurfaceMaxPressure
	ContactSurfaceMeanPressure
	ContactSurfaceSlip
	ContactSurfaceMaxSlip
	ContactSurfaceCenter
	ContactSurfaceCount
)

// ContactSurfaceSignal is measured on the contact surfaces of a body: of pressure fields and of
// deformables, not at contact points.
type ContactSurfaceSignal struct {
	Body int
	From []int // scene bodies; empty: all
	Kind ContactSurfaceKind
	Of   Component // of PatchCenter
}

// Value implements Signal, m², Pa, m/s, m or 1. Without contact it is 0, but there
// is no centre: NaN.
func (g ContactSurfaceSignal) Value(s *Stepper, x *State) float64 {
	area, normal, top, slip, fastest, count := 0.0, 0.0, 0.0, 0.0, 0.0, 0
	var center r3.Vec
	patches := s.patchesOf(x)
	for i := range patches {
		p := &patches[i]
		switch {
		case p.A == g.Body && among(g.From, p.B):
		case p.B == g.Body && among(g.From, p.A):
		default:
			continue
		}
		count++
		area += p.Area
		normal += p.Normal
		top, fastest = math.Max(top, p.MaxPressure), math.Max(fastest, p.MaxSlip)
		slip += p.Normal * p.Slip
		center = center.AddScaled(p.Normal, p.Center_W)
	}
	switch g.Kind {
	case ContactSurfaceArea:
		return area
	case ContactSurfaceMaxPressure:
		return top
	case ContactSurfaceMaxSlip:
		return fastest
	case ContactSurfaceCount:
		return float64(count)
	}
	if count == 0 {
		if g.Kind == ContactSurfaceCenter {
			return math.NaN()
		}
		return 0
	}
	switch g.Kind {
	case ContactSurfaceMeanPressure:
		return normal / area
	case ContactSurfaceSlip:
		return slip / normal
	}
	return g.Of.of(center.Scale(1 / normal))
}

// patchesOf returns the patches of the step that led to a state.
func (s *Stepper) patchesOf(x *State) []ContactSurfaceReport {
	if !s.took(x) {
		return nil
	}
	return s.Report.ContactSurfaces()
}

var _ = Signals.Register(kinds.Kind[SignalSpec]{
	Name: "contact_surface", Doc: "Area, pressure, slip or centre of pressure of the contact surfaces of a body.",
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
	Quantity string   `key:"contact_surface,required" doc:"what is measured" choice:"area,count,max_pressure,mean_pressure,slip,max_slip,center_x,center_y,center_z"`
	Body     string   `key:"body,required" doc:"body with contact surfaces" ref:"body"`
	From     []string `key:"from" doc:"bodies on the other side" ref:"body" default:"all"`
	ofStep
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

// Unit implements SignalSpec.
func (p *ContactSurfaceSpec) Unit() string { return surfaceQuantities[p.Quantity].unit }

// Make implements SignalSpec.
func (p *ContactSurfaceSpec) Make(r *Resolver) (Signal, error) {
	body, err1 := r.Body(p.Body)
	from, err2 := r.Bodies(p.From)
	if err := errors.Join(err1, err2); err != nil {
		return nil, err
	}
	if !r.model.hasContactSurface(body) {
		return nil, fmt.Errorf("%s touches at points only: give its material a hydroelastic_modulus, or to what it touches", p.Body)
	}
	q := surfaceQuantities[p.Quantity]
	return ContactSurfaceSignal{Body: body, From: from, Kind: q.kind, Of: q.of}, nil
}

// hasContactSurface reports whether a body may touch others over an area.
func (m *Model) hasContactSurface(body int) bool {
	if body >= m.Geometry.NumRigid || len(m.Geometry.Deformables) > 0 {
		return true
	}
	for i := range m.Geometry.Geoms {
		if g := &m.Geometry.Geoms[i]; g.Body == body && g.IsHydroelastic() {
			return true
		}
	}
	return false
}
