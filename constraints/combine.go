package constraints

// Table of the contact materials of a model, which gives the parameters of each contact by the rules of material.go.

import (
	"fmt"
	"math"

	"github.com/curlfree/curlfree/geometry"
)

// ContactMaterials combines the contact materials of a model pair by pair. It is immutable
// once its overrides are set.
type ContactMaterials struct {
	mats []ContactMaterial
	over []*Override // len(mats)², symmetric

	firstDeformable int       // scene body of the first of gradients
	gradients       []float64 // of deformables whose material states none, Pa/m

	// largest values of any pair: friction coefficient in any direction, relaxation time (s)
	mostFriction, mostRelaxation float64
	rebounds                     bool // of some pair
}

// NewContactMaterials returns the table of the given materials, which it copies, or an
// error that names the first one out of range by its index.
func NewContactMaterials(mats []ContactMaterial) (*ContactMaterials, error) {
	for i := range mats {
		if err := mats[i].Check(); err != nil {
			return nil, fmt.Errorf("constraints: material %d: %w", i, err)
		}
	}
	s := &ContactMaterials{mats: append([]ContactMaterial(nil), mats...), over: make([]*Override, len(mats)*len(mats))}
	s.bound()
	return s, nil
}

// Override sets the effective values of materials a and b, in either order.
func (s *ContactMaterials) Override(a, b int, o Override) error {
	n := len(s.mats)
	if a < 0 || b < 0 || a >= n || b >= n {
		return fmt.Errorf("constraints: override of materials %d and %d: there are %d", a, b, n)
	}
	if err := o.Check(); err != nil {
		return fmt.Errorf("constraints: override of materials %d and %d: %w", a, b, err)
	}
	s.over[a*n+b], s.over[b*n+a] = &o, &o
	s.bound()
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
	if c.Area > 0 && pair.Restitution > 0 {
		return pair, errRestitutionOfSurfaces
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
	pair, err := s.combine(&c, ends[0], ends[1])
	if err == nil && pair.Restitution > 0 {
		err = errRestitutionOfSurfaces
	}
	return pair, err
}

// combine returns the pair by (1) to (4) and its override, but for the stiffness of the
// override.
func (s *ContactMaterials) combine(c *geometry.Contact, ka, kb float64) (Pair, error) {
	a, b := &s.mats[c.Materials[0]], &s.mats[c.Materials[1]]
	var pair Pair
	pair.combine(a, b, ka, kb)
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

// bound finds the largest values of any pair, which each step reads.
func (s *ContactMaterials) bound() {
	s.mostFriction, s.mostRelaxation = s.largestFriction(), s.largest(func(p Pair) float64 { return p.RelaxationTime })
	s.rebounds = s.largest(func(p Pair) float64 { return p.Restitution }) > 0
}

// largestFriction returns the largest friction coefficient of any pair, in any direction.
func (s *ContactMaterials) largestFriction() (mu float64) {
	for i := range s.mats {
		a := &s.mats[i]
		for j := range i + 1 {
			b := &s.mats[j]
			static, dynamic := combineFriction(a.StaticFriction, b.StaticFriction), combineFriction(a.Friction, b.Friction)
			dynamic = math.Max(dynamic, combineFriction(math.Max(a.Friction, a.TransverseFriction), math.Max(b.Friction, b.TransverseFriction)))
			if o := s.over[i*len(s.mats)+j]; o != nil {
				set(&static, o.StaticFriction)
				set(&dynamic, o.Friction)
			}
			mu = math.Max(mu, math.Max(static, dynamic))
		}
	}
	return mu
}

// largest returns the largest value of a parameter of any pair at point contacts.
func (s *ContactMaterials) largest(value func(Pair) float64) (x float64) {
	for i := range s.mats {
		for j := range i + 1 {
			var pair Pair
			pair.combine(&s.mats[i], &s.mats[j], s.mats[i].Stiffness, s.mats[j].Stiffness)
			if o := s.over[i*len(s.mats)+j]; o != nil {
				o.apply(&pair)
			}
			x = math.Max(x, value(pair))
		}
	}
	return x
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
