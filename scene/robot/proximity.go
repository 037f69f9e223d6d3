package robot

import (
	"fmt"
	"iter"
	"math"
	"reflect"
)

// drakeModulus is the hydroelastic modulus (Pa) that Drake assumes for compliant
// shapes that give none.
// Source: Drake's documentation of hydroelastic contact.
const drakeModulus float64 = 1e7

// Properties returns the parameters that drake:proximity_properties have, with the elements that give them.
func (m *ContactMaterial) Properties() iter.Seq2[string, **float64] {
	return func(yield func(element string, value **float64) bool) {
		v := reflect.ValueOf(m).Elem()
		for _, f := range reflect.VisibleFields(v.Type()) {
			name, ok := f.Tag.Lookup("drake")
			if ok && !yield("drake:"+name, v.FieldByIndex(f.Index).Addr().Interface().(**float64)) {
				return
			}
		}
	}
}

// ProximityProperties reads the drake:proximity_properties of an element. The function
// value reads the number that a child has, or returns otherwise where there is no
// such child: formats write numbers differently.
func (r *Reader) ProximityProperties(e *Element, value func(e *Element, child string, otherwise float64) float64) (s ContactMaterial) {
	p := r.One(e, "drake:proximity_properties")
	if p == nil {
		return s
	}
	for element, dst := range s.Properties() {
		if x := value(p, element, math.NaN()); x < 0 {
			r.Fail(p.Line, "<%s>: %g must not be negative", element, x)
		} else if !math.IsNaN(x) {
			*dst = &x
		}
	}
	// A modulus counts unless the shape is marked as rigid.
	rigid, compliant := r.One(p, "drake:rigid_hydroelastic"), r.One(p, "drake:compliant_hydroelastic")
	switch {
	case rigid != nil && compliant != nil:
		r.Fail(rigid.Line, "<drake:rigid_hydroelastic> and <drake:compliant_hydroelastic> exclude each other")
	case rigid != nil:
		s.HydroelasticModulus = nil
	case compliant != nil && s.HydroelasticModulus == nil:
		s.HydroelasticModulus = new(drakeModulus)
	}
	return s
}

// ReflectedInertia returns the reflected inertia of a motor's rotor at the joint
// behind a gear, ratio² times inertia (kg m²). A negative inertia and a ratio whose
// square overflows are faults, whose messages name the motor by the parameter what.
func (r *Reader) ReflectedInertia(line int, what string, ratio, inertia float64) float64 {
	felt := ratio * ratio * inertia
	switch {
	case inertia < 0:
		r.Fail(line, "%s: its rotor inertia %g must not be negative", what, inertia)
	case math.IsInf(felt, 0) || math.IsNaN(felt):
		r.Fail(line, "%s: its gear ratio %g is too large", what, ratio)
	}
	return felt
}

// HexColor writes red, green and blue, each from 0 to 1, as #rrggbb. Values out of
// range are clamped.
func HexColor(rgb [3]float64) string {
	var c [3]int
	for i, x := range rgb {
		c[i] = int(math.Round(255 * min(1, max(0, x))))
	}
	return fmt.Sprintf("#%02x%02x%02x", c[0], c[1], c[2])
}
