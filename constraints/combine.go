package constraints

// Combination of two contact materials A and B: each surface is a spring with a damper, in
// series,
//
//	k = k_A k_B/(k_A + k_B)                                         (1)
//	d = (k_B d_A + k_A d_B)/(k_A + k_B)                             (2)
//	τ = τ_A + τ_B                                                   (3)
//	μ = 2 μ_A μ_B/(μ_A + μ_B), 0 if both are 0                      (4)
//
// with stiffnesses k, Hunt–Crossley dissipations d, relaxation times τ and friction
// coefficients μ. (2) follows because both springs carry one force, so that rates of
// compression divide like compliances: the more compliant surface dominates, and when one
// is rigid the other's d holds. A contact face of area S on a deformable body has pressure
// gradients g in place of k: k = S g_A g_B/(g_A + g_B), and the g are the weights of (2).
// Source: Drake's "Compliant contact" documentation; Masterjohn et al., "Velocity Level
// Approximation of Pressure Field Contact Patches", 2022.

import (
	"fmt"
	"math"

	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
)

// ContactMaterial describes a surface in contact, SI units. Start from
// DefaultContactMaterial and change fields.
type ContactMaterial struct {
	// Stiffness k of point contact, N/m; +Inf: rigid.
	Stiffness float64
	// Dissipation is Hunt–Crossley's d, s/m.
	Dissipation float64
	// RelaxationTime is Kelvin–Voigt's τ_d, s, which only SAP reads.
	RelaxationTime float64
	// StaticFriction is the friction coefficient at rest, for contact models with static
	// friction. A value less than Friction is treated as equal to Friction.
	StaticFriction float64
	// Friction is the dynamic (sliding) friction coefficient.
	Friction float64
	// HydroelasticModulus is the modulus of the pressure field of a rigid body, Pa; 0: the
	// surface is rigid in hydroelastic contact.
	HydroelasticModulus float64
	// PressureGradient is the pressure gradient of contact faces, Pa/m; 0: that of
	// SetDefaultGradients on a deformable body, +Inf on a rigid one.
	PressureGradient float64

	// The following are of rigid bodies only, in their axes.

	// FrictionDirection_B is the direction along which StaticFriction and Friction hold;
	// zero: they hold in all directions.
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
		{"static friction", m.StaticFriction, false},
		{"friction", m.Friction, false},
		{"layer stiffness", m.PressureGradient, true},
		{"modulus", m.HydroelasticModulus, false},
		{"transverse friction", m.TransverseFriction, false},
	} {
		if !(f.value >= 0) || math.IsInf(f.value, 1) && !f.inf {
			return fmt.Errorf("material: %s is %g, want a finite number ≥ 0", f.name, f.value)
		}
	}
	return m.checkAxes()
}

// Pair holds the combined parameters of two surfaces at one contact.
type Pair struct {
	Stiffness      float64 // k, N/m
	Dissipation    float64 // d, s/m
	RelaxationTime float64 // τ_d, s
	Friction       float64 // dynamic μ
	StaticFriction float64 // static μ
	Sides          [2]Side // friction direction and surface velocity of A and of B

	// LaggedImpulse is the normal impulse (N s) that bounds lagged friction and scales
	// regularised friction: for contacts that persist that of the last step. Nil or NaN: it is
	// computed from the present gap and velocity.
	LaggedImpulse *float64

	// Slip_W is a velocity of B against A (world axes, m/s) that friction acts on besides that of the problem: slip that a
	// search for the state at rest has found so far, over its pseudo-step. Its part along the normal has no effect.
	Slip_W r3.Vec
}

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

// Override holds values for one pair of materials in place of (1) to (4); nil fields follow
// these rules.
type Override struct {
	Stiffness        *float64 // stiffness of point contacts, N/m
	PressureGradient *float64 // pressure gradient of contact faces, Pa/m
	Dissipation      *float64 // s/m
	RelaxationTime   *float64 // s
	Friction         *float64 // dynamic coefficient, in all directions
	StaticFriction   *float64 // static coefficient, in all directions
}

// ContactMaterials combines the contact materials of a model pair by pair. It is immutable
// once its overrides are set.
type ContactMaterials struct {
	mats []ContactMaterial
	over []*Override // len(mats)², symmetric

	firstDeformable int       // scene body of the first of gradients
	gradients       []float64 // of deformables whose material states none, Pa/m
}

// NewContactMaterials returns the table of the given materials, which it copies, or an
// error that names the first one out of range by its index.
func NewContactMaterials(mats []ContactMaterial) (*ContactMaterials, error) {
	for i := range mats {
		if err := mats[i].Check(); err != nil {
			return nil, fmt.Errorf("constraints: material %d: %w", i, err)
		}
	}
	return &ContactMaterials{mats: append([]ContactMaterial(nil), mats...), over: make([]*Override, len(mats)*len(mats))}, nil
}

// Override sets the effective values of materials a and b, in either order.
func (s *ContactMaterials) Override(a, b int, o Override) error {
	n := len(s.mats)
	if a < 0 || b < 0 || a >= n || b >= n {
		return fmt.Errorf("constraints: override of materials %d and %d: there are %d", a, b, n)
	}
	for _, v := range []*float64{o.Stiffness, o.PressureGradient, o.Dissipation, o.RelaxationTime, o.Friction, o.StaticFriction} {
		if v != nil && !(*v >= 0 && !math.IsInf(*v, 1)) {
			return fmt.Errorf("constraints: override of materials %d and %d: %g, want a finite number ≥ 0", a, b, *v)
		}
	}
	s.over[a*n+b], s.over[b*n+a] = &o, &o
	return nil
}

// Pair returns the parameters of a contact: by pressure gradients where the contact has an
// area, else by point stiffnesses. The error reports that both surfaces are rigid.
func (s *ContactMaterials) Pair(c *geometry.Contact) (Pair, error) {
	a, b := &s.mats[c.Materials[0]], &s.mats[c.Materials[1]]
	ka, kb := a.Stiffness, b.Stiffness
	scale := 1.0
	if c.Area > 0 {
		ka, kb = s.pressureGradient(c.Materials[0], &c.A), s.pressureGradient(c.Materials[1], &c.B)
		if c.PressureGradient > 0 {
			ka = CombineStiffness(ka, c.PressureGradient)
		}
		scale = c.Area
	} else if c.Weight > 0 {
		scale = c.Weight
	}
	pair, err := s.combine(c, ka, kb)
	if err != nil {
		return pair, err
	}
	if o := s.over[c.Materials[0]*len(s.mats)+c.Materials[1]]; o != nil {
		if c.Area > 0 {
			set(&pair.Stiffness, o.PressureGradient)
		} else {
			set(&pair.Stiffness, o.Stiffness)
		}
	}
	if math.IsInf(pair.Stiffness, 1) {
		return pair, fmt.Errorf("constraints: materials %d and %d are both rigid in contact: give one a finite stiffness", c.Materials[0], c.Materials[1])
	}
	pair.Stiffness *= scale
	return pair, nil
}

// HydroelasticPair returns the parameters of the faces of a hydroelastic contact, without the
// stiffness, which each face has. Dissipations are weighted by the hydroelastic moduli.
func (s *ContactMaterials) HydroelasticPair(pt *geometry.HydroelasticContact) (Pair, error) {
	ends := [2]float64{}
	for i, m := range pt.Materials {
		if ends[i] = s.mats[m].HydroelasticModulus; ends[i] == 0 {
			ends[i] = math.Inf(1)
		}
	}
	c := geometry.Contact{A: geometry.MaterialPoint{Body: pt.A}, B: geometry.MaterialPoint{Body: pt.B}, Materials: pt.Materials}
	return s.combine(&c, ends[0], ends[1])
}

// combine returns the pair by (1) to (4) and its override, but for the stiffness of the
// override.
func (s *ContactMaterials) combine(c *geometry.Contact, ka, kb float64) (Pair, error) {
	a, b := &s.mats[c.Materials[0]], &s.mats[c.Materials[1]]
	pair := Pair{
		Stiffness:      CombineStiffness(ka, kb),                                 // (1)
		Dissipation:    combineDissipation(ka, a.Dissipation, kb, b.Dissipation), // (2)
		RelaxationTime: a.RelaxationTime + b.RelaxationTime,                      // (3)
		Friction:       combineFriction(a.Friction, b.Friction),                  // (4)
		StaticFriction: combineFriction(a.StaticFriction, b.StaticFriction),
	}
	for i, m := range [2]*ContactMaterial{a, b} {
		if err := pair.Sides[i].init(m, c, i); err != nil {
			return pair, err
		}
	}
	if pair.anisotropic() {
		pair.Friction, pair.StaticFriction = pair.meanCoefficients()
	}
	if o := s.over[c.Materials[0]*len(s.mats)+c.Materials[1]]; o != nil {
		o.apply(&pair)
	}
	return pair, nil
}

// largestFrictionAndRelaxation returns the largest friction coefficient and relaxation time
// (s) of any pair.
func (s *ContactMaterials) largestFrictionAndRelaxation() (mu, tau float64) {
	for i := range s.mats {
		a := &s.mats[i]
		for j := range i + 1 {
			b := &s.mats[j]
			m := math.Max(combineFriction(a.StaticFriction, b.StaticFriction), combineFriction(a.Friction, b.Friction))
			m = math.Max(m, combineFriction(math.Max(a.Friction, a.TransverseFriction), math.Max(b.Friction, b.TransverseFriction)))
			r := a.RelaxationTime + b.RelaxationTime
			if o := s.over[i*len(s.mats)+j]; o != nil {
				set(&m, o.Friction)
				if o.StaticFriction != nil {
					m = math.Max(m, *o.StaticFriction)
				}
				set(&r, o.RelaxationTime)
			}
			mu, tau = math.Max(mu, m), math.Max(tau, r)
		}
	}
	return mu, tau
}

// largestSurfaceMotion returns the largest speed of two surfaces relative to each other
// (m/s) if their bodies are at rest: two of the fastest material that run against each other.
func (s *ContactMaterials) largestSurfaceMotion() float64 {
	u := 0.0
	for i := range s.mats {
		u = math.Max(u, s.mats[i].SurfaceVelocity_B.Norm())
	}
	return 2 * u
}

// SetDefaultGradients sets the pressure gradients (Pa/m) of deformables whose materials
// define none, one for each deformable; first is the number of the first deformable among the
// scene bodies. Without it they have DefaultPressureGradient. Like Override it comes before
// the first step.
func (s *ContactMaterials) SetDefaultGradients(first int, gradients []float64) {
	s.firstDeformable, s.gradients = first, gradients
}

// DeformableGradient returns the pressure gradient of the surface of a deformable scene body
// with a material, Pa/m.
func (s *ContactMaterials) DeformableGradient(body, material int) float64 {
	if g := s.mats[material].PressureGradient; g > 0 {
		return g
	}
	if i := body - s.firstDeformable; i >= 0 && i < len(s.gradients) {
		return s.gradients[i]
	}
	return DefaultPressureGradient
}

// pressureGradient returns the pressure gradient of one side of a contact face, Pa/m.
func (s *ContactMaterials) pressureGradient(material int, f *geometry.MaterialPoint) float64 {
	if f.N > 0 {
		return s.DeformableGradient(f.Body, material)
	}
	if g := s.mats[material].PressureGradient; g > 0 {
		return g
	}
	return math.Inf(1)
}

func (o *Override) apply(pair *Pair) {
	set(&pair.Dissipation, o.Dissipation)
	set(&pair.RelaxationTime, o.RelaxationTime)
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
