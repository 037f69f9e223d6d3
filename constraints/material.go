package constraints

// Contact parameters of surfaces and of pairs of them. A scalar is described here alone and read by the law that uses
// it: it is a field of ContactMaterial; of GivenParameters, whose tags scenes, robot files and the manual follow; and,
// where surfaces combine, of Pair, by a rule of combine, and of Override. Two surfaces A and B are springs with
// dampers, in series,
//
//	k = k_A k_B/(k_A + k_B)                                         (1)
//	d = (k_B d_A + k_A d_B)/(k_A + k_B)                             (2)
//	τ = τ_A + τ_B                                                   (3)
//	μ = 2 μ_A μ_B/(μ_A + μ_B), 0 if both are 0                      (4)
//	e = max(e_A, e_B)                                               (5)
//
// with stiffnesses k, Hunt–Crossley dissipations d, relaxation times τ and friction
// coefficients μ and coefficients of restitution e. (2) follows because both springs carry one force, so that rates of
// compression divide like compliances: the more compliant surface dominates, and when one
// is rigid the other's d applies. A contact face of area S on a deformable body has pressure
// gradients g in place of k: k = S g_A g_B/(g_A + g_B), and the g are the weights of (2).
// Source: Drake's "Compliant contact" documentation; Masterjohn et al., "Velocity Level
// Approximation of Pressure Field Contact Patches", 2022.

import (
	"fmt"
	"math"
	"reflect"

	"github.com/curlfree/curlfree/r3"
)

// Defaults of contact materials. Source: the defaults of Drake v1.38, which the published
// experiments use.
const (
	// DefaultStiffness is the stiffness of a point contact, N/m. A body of 1 kg on one contact
	// sinks by 10 µm.
	DefaultStiffness = 1e6
	// DefaultDissipation is Hunt–Crossley's d, s/m: no rebound is faster than
	// 1/d = 2 cm/s.
	DefaultDissipation = 50
	// DefaultRelaxationTime is Kelvin–Voigt's τ_d of the SAP law, s. It is
	// large: a contact sliding at v glides μ(h+τ)v above the surface.
	DefaultRelaxationTime = 0.1
	// DefaultFriction is the coefficient of static and of dynamic friction.
	DefaultFriction = 0.5
	// DefaultPressureGradient is the pressure gradient of the surface of soft deformables, Pa/m: 1 MPa
	// at 1 cm of overlap. Stiffer ones have larger defaults, see ContactMaterials.SetDefaultGradients.
	DefaultPressureGradient = 1e8
)

// ContactMaterial describes a surface in contact, SI units. Start from
// DefaultContactMaterial and change fields.
type ContactMaterial struct {
	// Stiffness is the stiffness k of one surface in point contact, N/m: two equal surfaces give
	// k/2. +Inf is a rigid surface.
	Stiffness float64
	// Dissipation is Hunt–Crossley's d, s/m; that of the more compliant surface dominates. With
	// the default bodies rebound at 0.02 m/s at most.
	Dissipation float64
	// RelaxationTime is Kelvin–Voigt's τ_d, s, which only SAP reads; those of both surfaces are
	// added. Castro et al. 2022.
	RelaxationTime float64
	// Restitution e is the speed of rebound over that of approach of rigid bodies at point contacts, 0 … 1; 0: what
	// Dissipation leaves. See Rebound.
	Restitution float64
	// StaticFriction is the friction coefficient at rest, for contact models with static
	// friction. A value less than Friction is treated as equal to Friction.
	StaticFriction float64
	// Friction is the dynamic (sliding) friction coefficient.
	Friction float64
	// HydroelasticModulus E of a rigid body, Pa; 0: the surface is rigid in hydroelastic contact.
	// The pressure grows linearly from 0 on the surface to E at the innermost points, so thin
	// bodies are stiffer for one E. It is not Young's modulus. Elandt et al. 2019.
	HydroelasticModulus float64
	// PressureGradient is the contact stiffness per area of contact faces, Pa/m, in series with that
	// of the other surface; 0: that of SetDefaultGradients on a deformable body, +Inf, which is
	// rigid, on a rigid one.
	PressureGradient float64

	// The following are of rigid bodies only, in their axes.

	// FrictionDirection_B is the direction along which StaticFriction and Friction apply;
	// zero: they apply in all directions.
	FrictionDirection_B r3.Vec
	// TransverseFriction is the dynamic coefficient across FrictionDirection_B; the static one
	// is in proportion.
	TransverseFriction float64
	// SurfaceVelocity_B is the velocity of the surface along its body, such as that of a
	// conveyor belt, m/s. Its component along a contact's normal is ignored.
	SurfaceVelocity_B r3.Vec
}

// DefaultContactMaterial returns the material of surfaces without a material of their own.
func DefaultContactMaterial() ContactMaterial {
	return ContactMaterial{
		Stiffness:      DefaultStiffness,
		Dissipation:    DefaultDissipation,
		RelaxationTime: DefaultRelaxationTime,
		StaticFriction: DefaultFriction,
		Friction:       DefaultFriction,
	}
}

// Check returns an error that names the first value out of range.
func (m *ContactMaterial) Check() error {
	for _, f := range []struct {
		name  string
		value float64
		inf   bool // +Inf allowed
	}{
		{"stiffness", m.Stiffness, true},
		{"dissipation", m.Dissipation, false},
		{"relaxation time", m.RelaxationTime, false},
		{"restitution", m.Restitution, false},
		{"static friction", m.StaticFriction, false},
		{"friction", m.Friction, false},
		{"pressure gradient", m.PressureGradient, true},
		{"hydroelastic modulus", m.HydroelasticModulus, false},
		{"transverse friction", m.TransverseFriction, false},
	} {
		if !(f.value >= 0) || math.IsInf(f.value, 1) && !f.inf {
			return fmt.Errorf("material: %s is %g, want a finite number ≥ 0", f.name, f.value)
		}
	}
	switch {
	case m.Restitution > 1:
		return fmt.Errorf("material: restitution is %g, want at most 1: bodies would gain energy", m.Restitution)
	case m.Restitution > 0 && (m.HydroelasticModulus > 0 || m.PressureGradient > 0):
		return errRestitutionOfSurfaces
	}
	return m.checkAxes()
}

// GivenParameters are those scalar parameters of a ContactMaterial that a scene or a robot file gives, nil where it
// does not. Friction is left out: its static and dynamic coefficients come together. The tag drake is the name among
// the drake:proximity_properties of robot files.
type GivenParameters struct {
	Stiffness           *float64 `key:"stiffness,inf" unit:"N/m" doc:"stiffness of a point contact" default:"1e6" drake:"point_contact_stiffness"`
	Dissipation         *float64 `key:"dissipation" unit:"s/m" doc:"Hunt–Crossley dissipation d: the rebound speed is at most 1/d" default:"50" drake:"hunt_crossley_dissipation"`
	RelaxationTime      *float64 `key:"relaxation_time" unit:"s" doc:"Kelvin–Voigt relaxation time τ, read by the contact law sap" default:"0.1" drake:"relaxation_time"`
	Restitution         *float64 `key:"restitution" doc:"speed of rebound over that of approach of rigid bodies at point contacts, above a speed of 4 times gravity times the step; the larger one of two surfaces applies" default:"what dissipation leaves" max:"1"`
	HydroelasticModulus *float64 `key:"hydroelastic_modulus" unit:"Pa" doc:"pressure at the innermost points of rigid bodies of this material, which then touch by pressure fields and press on deformables with them, in series with their pressure_gradient; without one in the scene rigid bodies touch at points" default:"none: rigid" drake:"hydroelastic_modulus"`
	PressureGradient    *float64 `key:"pressure_gradient,inf" formerly:"contact_layer" unit:"Pa/m" doc:"contact pressure on a deformable's surface per depth" default:"1e8, or three times Young's modulus over the mean length of the surface's edges where that is more"`
}

// Apply sets those parameters of m that are given, and reports whether any is.
func (g *GivenParameters) Apply(m *ContactMaterial) (changed bool) {
	from, to := reflect.ValueOf(g).Elem(), reflect.ValueOf(m).Elem()
	for i := range from.NumField() {
		if f := from.Field(i); !f.IsNil() {
			to.FieldByName(from.Type().Field(i).Name).Set(f.Elem())
			changed = true
		}
	}
	return changed
}

// Pair has the combined parameters of two surfaces at one contact.
type Pair struct {
	Stiffness      float64 // k, N/m
	Dissipation    float64 // d, s/m
	RelaxationTime float64 // τ_d, s
	Restitution    float64 // e
	Friction       float64 // dynamic μ
	StaticFriction float64 // static μ
	Sides          [2]Side // friction direction and surface velocity of A and of B

	// LaggedImpulse is the normal impulse (N s) that bounds lagged friction and scales
	// regularized friction: for contacts that persist that of the last step. Nil or NaN: it is
	// computed from the present gap and velocity.
	LaggedImpulse *float64

	// EndForce chooses the force at the end of the step under the midpoint rule in place of the mean of the step
	// (normal_mean.go).
	EndForce bool
	// Impact says that the stiffness is that of an impact (Rebound), which no law reduces.
	Impact bool
	// EndShare is η of the mean force of the step, of a face of a contact surface, whose faces share it; nil: that of
	// the contact by itself.
	EndShare *float64

	// Slip_W is a velocity of B against A (world axes, m/s) that friction acts on besides that of the problem: slip
	// that a search for the state at rest has found so far, over its pseudo-step. Its part along the normal has no
	// effect.
	Slip_W r3.Vec
}

// combine sets the parameters of two surfaces by (1) to (4). ka and kb are their stiffnesses, pressure gradients or
// hydroelastic moduli, which are the weights of (2).
func (pair *Pair) combine(a, b *ContactMaterial, ka, kb float64) {
	pair.Stiffness = CombineStiffness(ka, kb)                                   // (1)
	pair.Dissipation = combineDissipation(ka, a.Dissipation, kb, b.Dissipation) // (2)
	pair.RelaxationTime = a.RelaxationTime + b.RelaxationTime                   // (3)
	pair.Restitution = math.Max(a.Restitution, b.Restitution)                   // (5)
	pair.Friction = combineFriction(a.Friction, b.Friction)                     // (4)
	pair.StaticFriction = combineFriction(a.StaticFriction, b.StaticFriction)   // (4)
}

// DropDissipation makes the pair elastic.
func (pair *Pair) DropDissipation() { pair.Dissipation, pair.RelaxationTime = 0, 0 }

// CombineStiffness returns (1) of stiffnesses or pressure gradients; +Inf where both are.
func CombineStiffness(ka, kb float64) float64 {
	switch {
	case math.IsInf(ka, 1):
		return kb
	case math.IsInf(kb, 1):
		return ka
	case ka+kb == 0:
		return 0
	}
	return ka * (kb / (ka + kb))
}

// combineDissipation returns (2) for surfaces of stiffness (or pressure gradient) ka and kb;
// the mean where both are rigid or both are zero.
func combineDissipation(ka, da, kb, db float64) float64 {
	infA, infB := math.IsInf(ka, 1), math.IsInf(kb, 1)
	switch {
	case infA && infB || ka+kb == 0:
		return (da + db) / 2
	case infA:
		return db
	case infB:
		return da
	}
	return (kb*da + ka*db) / (ka + kb)
}

// combineFriction returns (4).
func combineFriction(a, b float64) float64 {
	if a+b == 0 {
		return 0
	}
	return 2 * a * b / (a + b)
}

// Override has values for one pair of materials in place of (1) to (4); nil fields follow
// these rules. The tags describe them to scenes and the manual, GivenParameters.
type Override struct {
	Stiffness        *float64 `key:"stiffness" unit:"N/m" doc:"effective stiffness of a point contact"`
	PressureGradient *float64 `key:"pressure_gradient" formerly:"contact_layer" unit:"Pa/m" doc:"effective contact pressure per depth"`
	Dissipation      *float64 `key:"dissipation" unit:"s/m" doc:"effective Hunt–Crossley dissipation"`
	RelaxationTime   *float64 `key:"relaxation_time" unit:"s" doc:"effective relaxation time"`
	Restitution      *float64 `key:"restitution" doc:"effective coefficient of restitution of point contacts" max:"1"`
	Friction         *float64 // dynamic coefficient, in all directions
	StaticFriction   *float64 // static coefficient, in all directions
}

// Check returns an error that quotes the first value that is not finite or negative.
func (o *Override) Check() error {
	v := reflect.ValueOf(o).Elem()
	for i := range v.NumField() {
		if f := v.Field(i).Interface().(*float64); f != nil && !(*f >= 0 && !math.IsInf(*f, 1)) {
			return fmt.Errorf("every value must be finite and not negative: %g", *f)
		}
	}
	if e := o.Restitution; e != nil && *e > 1 {
		return fmt.Errorf("restitution is %g, want at most 1: bodies would gain energy", *e)
	}
	return nil
}

// apply sets what the override has, but for the stiffness, which depends on the kind of contact.
func (o *Override) apply(pair *Pair) {
	set(&pair.Dissipation, o.Dissipation)
	set(&pair.RelaxationTime, o.RelaxationTime)
	set(&pair.Restitution, o.Restitution)
	set(&pair.Friction, o.Friction)
	set(&pair.StaticFriction, o.StaticFriction)
	if o.Friction != nil || o.StaticFriction != nil {
		for i := range pair.Sides {
			pair.Sides[i] = Side{SurfaceVelocity_B: pair.Sides[i].SurfaceVelocity_B}
		}
	}
}

func set(dst, src *float64) {
	if src != nil {
		*dst = *src
	}
}
