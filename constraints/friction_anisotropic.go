package constraints

// Orthotropic friction: a surface with a friction direction g, fixed to its body, has the
// coefficient μ_g along g and μ_c across it. On a contact with normal n its friction tensor is
//
//	e = (I − n nᵀ) g/|…|,  M_i = μ_g e eᵀ + μ_c e⊥ e⊥ᵀ                (1)
//
// and, where g is normal to the surface so that e is undefined, the isotropic √(μ_g μ_c) I.
// Two surfaces combine by the rule of isotropic ones, the harmonic mean, which for tensors of
// the plane is
//
//	M = 2 (M_A⁻¹ + M_B⁻¹)⁻¹ = 2 (|M_B| M_A + |M_A| M_B)/|M_A + M_B|.  (2)
//
// The friction −n0 M s̃ is largest along the rough direction and deviates from the velocity
// towards it, yet always dissipates.
// Source: Castro et al., "Irrotational Contact Fields", appendix on anisotropic friction;
// (1) and (2) are this program's.

import (
	"fmt"
	"math"

	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
)

// Side has the parameters of one surface of a contact that depend on its body's axes; see
// ContactMaterial.
type Side struct {
	Friction            float64 // dynamic friction coefficient along the friction direction, or in all directions
	StaticFriction      float64 // static friction coefficient, likewise
	TransverseFriction  float64 // dynamic friction coefficient across the friction direction
	FrictionDirection_B r3.Vec  // unit vector; zero: isotropic
	SurfaceVelocity_B   r3.Vec  // velocity of the surface along its body, m/s
}

// checkAxes checks the vectors in the body's axes.
func (m *ContactMaterial) checkAxes() error {
	if !m.FrictionDirection_B.IsFinite() || !m.SurfaceVelocity_B.IsFinite() {
		return fmt.Errorf("material: friction direction %v and surface velocity %v must be finite", m.FrictionDirection_B, m.SurfaceVelocity_B)
	}
	if m.TransverseFriction > 0 && m.FrictionDirection_B == (r3.Vec{}) {
		return fmt.Errorf("material: friction across the friction direction is %g, but there is no direction: give one", m.TransverseFriction)
	}
	return nil
}

// init reads the material of side i of a contact. The error reports that a
// deformable body has no axes.
func (s *Side) init(m *ContactMaterial, c *geometry.Contact, i int) error {
	*s = Side{Friction: m.Friction, StaticFriction: m.StaticFriction, TransverseFriction: m.Friction, SurfaceVelocity_B: m.SurfaceVelocity_B}
	if m.FrictionDirection_B != (r3.Vec{}) {
		s.FrictionDirection_B, s.TransverseFriction = m.FrictionDirection_B.Unit(), m.TransverseFriction
	}
	if f := [2]*geometry.MaterialPoint{&c.A, &c.B}[i]; f.N > 0 && (s.FrictionDirection_B != r3.Vec{} || s.SurfaceVelocity_B != r3.Vec{}) {
		return fmt.Errorf("constraints: material %d has a friction direction or a surface velocity, but scene body %d is deformable and has no axes: give it a material without", c.Materials[i], f.Body)
	}
	return nil
}

// meanFriction returns the geometric mean of both coefficients.
func (s *Side) meanFriction() float64 {
	if s.FrictionDirection_B == (r3.Vec{}) {
		return s.Friction
	}
	return math.Sqrt(s.Friction * s.TransverseFriction)
}

// anisotropic reports whether friction depends on direction.
func (pair *Pair) anisotropic() bool {
	return pair.Sides[0].FrictionDirection_B != r3.Vec{} || pair.Sides[1].FrictionDirection_B != r3.Vec{}
}

// meanCoefficients returns the isotropic coefficients that replace the tensor in laws without
// friction direction.
func (pair *Pair) meanCoefficients() (dynamic, static float64) {
	a, b := &pair.Sides[0], &pair.Sides[1]
	ratio := func(s *Side) float64 {
		if s.Friction == 0 {
			return 1
		}
		return s.meanFriction() / s.Friction
	}
	return combineFriction(a.meanFriction(), b.meanFriction()), combineFriction(a.StaticFriction*ratio(a), b.StaticFriction*ratio(b))
}

// principalCoefficients returns the combined coefficients along the friction directions.
func (pair *Pair) principalCoefficients() (static, dynamic float64) {
	a, b := &pair.Sides[0], &pair.Sides[1]
	return combineFriction(a.StaticFriction, b.StaticFriction), combineFriction(a.Friction, b.Friction)
}

// tensor returns (2) in the contact's frame.
func (pair *Pair) tensor(c *geometry.Contact, k Kinematics) tensor {
	return combineTensors(pair.Sides[0].tensor(c, c.A.Body, k), pair.Sides[1].tensor(c, c.B.Body, k))
}

// tensor returns (1) in the contact's frame.
func (s *Side) tensor(c *geometry.Contact, body int, k Kinematics) tensor {
	if s.FrictionDirection_B == (r3.Vec{}) {
		return tensor{s.Friction, 0, s.Friction}
	}
	t1, t2 := r3.Basis(c.Normal_W)
	g_W := k.Pose(body).R.MulVec(s.FrictionDirection_B)
	x, y := g_W.Dot(t1), g_W.Dot(t2)
	e := math.Hypot(x, y)
	if e < directionFloor {
		mean := s.meanFriction()
		return tensor{mean, 0, mean}
	}
	x, y = x/e, y/e
	a, b := s.Friction, s.TransverseFriction
	return tensor{a*x*x + b*y*y, (a - b) * x * y, a*y*y + b*x*x}
}

// tensor is a symmetric 2×2 matrix.
type tensor struct{ xx, xy, yy float64 }

func (m tensor) scale(s float64) tensor { return tensor{s * m.xx, s * m.xy, s * m.yy} }

func (m tensor) det() float64 { return m.xx*m.yy - m.xy*m.xy }

// norm returns the largest principal value of a tensor ⪰ 0.
func (m tensor) norm() float64 { return 0.5*(m.xx+m.yy) + math.Hypot(0.5*(m.xx-m.yy), m.xy) }

// congruent returns M H M.
func (m tensor) congruent(h tensor) tensor {
	axx, axy := m.xx*h.xx+m.xy*h.xy, m.xx*h.xy+m.xy*h.yy // M H
	ayx, ayy := m.xy*h.xx+m.yy*h.xy, m.xy*h.xy+m.yy*h.yy
	return tensor{axx*m.xx + axy*m.xy, axx*m.xy + axy*m.yy, ayx*m.xy + ayy*m.yy}
}

// combineTensors returns (2), with the limit that it has where both are singular
// in one direction.
func combineTensors(a, b tensor) tensor {
	S := tensor{a.xx + b.xx, a.xy + b.xy, a.yy + b.yy}
	tr := S.xx + S.yy
	if tr == 0 {
		return tensor{}
	}
	det := S.det()
	if det <= 1e-12*tr*tr {
		return S.scale(combineFriction(a.xx+a.yy, b.xx+b.yy) / tr)
	}
	u, v := 2*b.det()/det, 2*a.det()/det
	return tensor{u*a.xx + v*b.xx, u*a.xy + v*b.xy, u*a.yy + v*b.yy}
}

// Check returns an error when a material has a friction direction, which the contact
// model does not honour.
func (s *ContactMaterials) Check(m ContactModel) error {
	if m.Facts().DirectionalFriction {
		return nil
	}
	for i := range s.mats {
		if s.mats[i].FrictionDirection_B != (r3.Vec{}) {
			return fmt.Errorf("constraints: material %d has a friction direction, but the contact model has isotropic friction: use lagged or similar", i)
		}
	}
	return nil
}

// Directed reports whether a contact has a direction beside its normal: of friction or of a surface that moves.
func (p *Pair) Directed() bool {
	for i := range p.Sides {
		if p.Sides[i].FrictionDirection_B != (r3.Vec{}) || p.Sides[i].SurfaceVelocity_B != (r3.Vec{}) {
			return true
		}
	}
	return false
}
