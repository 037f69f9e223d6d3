package scene

import (
	"fmt"
	"math"
	"strconv"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/fem"
	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/r3"
)

// Bulk properties of materials that name none.
const (
	defaultDensity = 1000 // kg/m³
	defaultYoungs  = 1e6  // Pa
	defaultPoisson = 0.4
)

// buildMaterials resolves every material: what one leaves out, default gives,
// and what default leaves out, the program.
func (b *builder) buildMaterials() {
	base := b.f.Materials.Get("default")
	if base == nil {
		base = new(Material)
	}
	names := append([]string{"default"}, b.f.Materials.Keys...)
	sound := true // default, and the material at hand: what is inherited is said once
	for i, name := range names {
		if i > 0 && name == "default" {
			continue
		}
		spec := base
		if i > 0 {
			spec = b.f.Materials.Get(name)
		}
		good := b.checkFields(name, spec)
		if i > 0 {
			spec.inherit(base)
		} else {
			sound = good
		}
		m := constraints.DefaultContactMaterial()
		set(&m.Stiffness, spec.Stiffness)
		set(&m.Dissipation, spec.Dissipation)
		set(&m.RelaxationTime, spec.RelaxationTime)
		set(&m.PressureGradient, spec.PressureGradient)
		set(&m.HydroelasticModulus, spec.HydroelasticModulus)
		if spec.Friction != nil {
			m.Friction, m.StaticFriction = spec.Friction.Dynamic, spec.Friction.Static
		}
		set(&m.TransverseFriction, spec.FrictionTransverse)
		set((*[3]float64)(&m.FrictionDirection_B), spec.FrictionDirection)
		set((*[3]float64)(&m.SurfaceVelocity_B), spec.SurfaceVelocity)
		if spec.FrictionDirection != nil && spec.FrictionTransverse == nil {
			b.fail(spec.Pos, "materials.%s: friction_transverse is wanted with friction_direction: friction holds along that direction, friction_transverse across it", name)
		}
		if directional := b.model.Contact == nil || b.model.Contact.Facts().DirectionalFriction; !directional && m.FrictionDirection_B != (r3.Vec{}) {
			b.warn("materials.%s: friction under %s has no direction: the geometric mean of friction and friction_transverse holds; use lagged or similar", name, b.f.Solver.Contact)
		}
		if err := m.Check(); err != nil && sound && good {
			b.fail(spec.Pos, "materials.%s: %v", name, err)
		}
		b.checkBulk(name, spec)
		b.checkColor(spec.Pos, "materials."+name, spec.Color)
		b.materials[name] = len(b.mats)
		b.addMaterial(m, len(b.mats))
	}
}

// addMaterial adds a surface that pairs find under the number base.
func (b *builder) addMaterial(m constraints.ContactMaterial, base int) {
	b.mats, b.bases = append(b.mats, m), append(b.bases, base)
}

// buildSurfaces combines the materials, once robot files have added theirs.
func (b *builder) buildSurfaces() {
	var err error
	if b.surfaces, err = constraints.NewContactMaterials(b.mats); err != nil {
		return // said with the materials
	}
	for i := range b.f.Pairs {
		b.pair(&b.f.Pairs[i])
	}
	for i := range b.softGeoms {
		m := b.mats[b.softGeoms[i].Material]
		if m.FrictionDirection_B != (r3.Vec{}) || m.SurfaceVelocity_B != (r3.Vec{}) {
			b.fail(b.softSpecs[i].Pos, "deformables.%s: its material has a friction_direction or a surface_velocity, which are given in the axes of a rigid body: give it a material without", b.softGeoms[i].Name)
		}
	}
	b.model.ContactMaterials = b.surfaces
}

func set[T any](dst, src *T) {
	if src != nil {
		*dst = *src
	}
}

// inherit fills what is not given from base.
func (m *Material) inherit(base *Material) {
	for _, f := range []struct{ dst, src **float64 }{
		{&m.Stiffness, &base.Stiffness}, {&m.Dissipation, &base.Dissipation},
		{&m.RelaxationTime, &base.RelaxationTime}, {&m.HydroelasticModulus, &base.HydroelasticModulus},
		{&m.PressureGradient, &base.PressureGradient}, {&m.Density, &base.Density},
		{&m.YoungsModulus, &base.YoungsModulus}, {&m.PoissonsRatio, &base.PoissonsRatio},
		{&m.MassDamping, &base.MassDamping}, {&m.StiffnessDamping, &base.StiffnessDamping},
	} {
		if *f.dst == nil {
			*f.dst = *f.src
		}
	}
	if m.Friction == nil {
		m.Friction = base.Friction
	}
	if m.FrictionDirection == nil && m.FrictionTransverse == nil {
		m.FrictionDirection, m.FrictionTransverse = base.FrictionDirection, base.FrictionTransverse
	}
	if m.SurfaceVelocity == nil {
		m.SurfaceVelocity = base.SurfaceVelocity
	}
	if m.Law == "" {
		m.Law = base.Law
	}
	if m.Color == "" {
		m.Color = base.Color
	}
}

func value(p *float64, otherwise float64) float64 {
	if p != nil {
		return *p
	}
	return otherwise
}

// checkFields checks what a material itself, not the default one, says of pressure;
// false when there is a fault.
func (b *builder) checkFields(name string, m *Material) bool {
	before := len(b.errs)
	if e := value(m.HydroelasticModulus, 1); !(e > 0) {
		b.fail(m.Pos, "materials.%s.hydroelastic_modulus is %g Pa: it must be positive, such as 1e7; leave it out for a rigid surface", name, e)
	}
	if k := value(m.PressureGradient, 1); !(k > 0) {
		b.fail(m.Pos, "materials.%s.pressure_gradient is %g Pa/m: it must be positive, such as 1e8", name, k)
	}
	return len(b.errs) == before
}

func (b *builder) checkBulk(name string, m *Material) {
	if r := value(m.Density, defaultDensity); !(r > 0) || math.IsInf(r, 0) {
		b.fail(m.Pos, "materials.%s.density is %g kg/m³: it must be positive", name, r)
	}
	if e := value(m.YoungsModulus, defaultYoungs); !(e > 0) || math.IsInf(e, 0) {
		b.fail(m.Pos, "materials.%s.youngs_modulus is %g Pa: it must be positive, such as 1e6 for soft rubber", name, e)
	}
	if nu := value(m.PoissonsRatio, defaultPoisson); !(nu > -1 && nu < 0.5) {
		b.fail(m.Pos, "materials.%s.poissons_ratio is %g: it must lie between -1 and 0.5, and linear tetrahedra lock above 0.45", name, nu)
	}
	if x := value(m.MassDamping, 0); !(x >= 0) || math.IsInf(x, 0) {
		b.fail(m.Pos, "materials.%s.mass_damping is %g 1/s: it must not be negative", name, x)
	}
	if x := value(m.StiffnessDamping, 0); !(x >= 0) || math.IsInf(x, 0) {
		b.fail(m.Pos, "materials.%s.stiffness_damping is %g s: it must not be negative", name, x)
	}
	if _, known := laws[m.law()]; !known {
		b.fail(m.Pos, "materials.%s.constitutive_law: unknown %q%s", name, m.Law, kinds.Suggest(m.Law, keysOf(laws)))
	}
}

// checkColor refuses what is not a colour; none is given by an empty text.
func (b *builder) checkColor(p Pos, where, s string) {
	if s == "" {
		return
	}
	if len(s) == 7 && s[0] == '#' {
		if _, err := strconv.ParseUint(s[1:], 16, 32); err == nil {
			return
		}
	}
	b.fail(p, "%s.color: %q is not a colour: write \"#rrggbb\", such as \"#d9822b\"", where, s)
}

// laws are the constitutive laws by name.
var laws = map[string]func(youngs, poisson float64) (fem.ConstitutiveLaw, error){
	"corotational": func(e, nu float64) (fem.ConstitutiveLaw, error) { return fem.NewCorotational(e, nu) },
	"linear":       func(e, nu float64) (fem.ConstitutiveLaw, error) { return fem.NewLinear(e, nu) },
	"neo_hookean":  func(e, nu float64) (fem.ConstitutiveLaw, error) { return fem.NewNeoHookean(e, nu) },
}

func (m *Material) law() string {
	if m.Law == "" {
		return "corotational"
	}
	return m.Law
}

// elastic returns the constitutive law of the material's inside.
func (m *Material) elastic() (fem.ConstitutiveLaw, error) {
	build, ok := laws[m.law()]
	if !ok {
		return nil, fmt.Errorf("unknown law %q", m.Law)
	}
	return build(value(m.YoungsModulus, defaultYoungs), value(m.PoissonsRatio, defaultPoisson))
}

func (b *builder) pair(p *Pair) {
	if len(p.Materials) != 2 {
		b.fail(p.Pos, "pairs: materials names two materials, such as [steel, rubber]")
		return
	}
	i, ok1 := b.material(p.Pos, p.Materials[0])
	j, ok2 := b.material(p.Pos, p.Materials[1])
	if !ok1 || !ok2 {
		return
	}
	o := constraints.Override{Stiffness: p.Stiffness, PressureGradient: p.PressureGradient, Dissipation: p.Dissipation, RelaxationTime: p.RelaxationTime}
	if p.Friction != nil {
		o.Friction, o.StaticFriction = &p.Friction.Dynamic, &p.Friction.Static
	}
	for k := range b.mats { // also the surfaces that robot files made of these
		for l := range b.mats {
			if b.bases[k] != i || b.bases[l] != j {
				continue
			}
			if err := b.surfaces.Override(k, l, o); err != nil {
				b.fail(p.Pos, "pairs: %s and %s: every value must be finite and not negative (%v)", p.Materials[0], p.Materials[1], err)
				return
			}
		}
	}
}

// material returns the index of a material by name; no name means default.
func (b *builder) material(p Pos, name string) (int, bool) {
	if name == "" {
		name = "default"
	}
	i, ok := b.materials[name]
	if !ok {
		b.fail(p, "unknown material %q%s", name, kinds.Suggest(name, keysOf(b.materials)))
	}
	return i, ok
}

// materialSpec returns the resolved specification of a material.
func (b *builder) materialSpec(name string) *Material {
	if m := b.f.Materials.Get(name); m != nil {
		return m
	}
	if m := b.f.Materials.Get("default"); m != nil {
		return m
	}
	return new(Material)
}
