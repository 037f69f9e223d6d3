package scene

// A material takes each value from the first of these places that gives it:
//
//	its own entry → the entry default → defaults of the program
//
// The coefficients of directional friction are inherited together, because one without the
// other has no meaning. A contact combines the materials of both bodies by the rules of
// package constraints, unless an entry of pairs gives the effective values. Shapes of robot
// files may change some values of their robot's material; such variants are materials of
// their own in the model, and pairs apply to them as for the material that they came from.
//
// With
//
//	materials: {default: {friction: 0.3, density: 800}, rubber: {friction: 1}}
//
// rubber has μ = 1 of its own, 800 kg/m³ of default and d = 50 s/m of the program. On a surface of
// default, μ = 2 · 1 · 0.3/(1 + 0.3) ≈ 0.46.

import (
	"cmp"
	"math"
	"reflect"
	"slices"
	"strconv"

	"github.com/curlfree/curlfree/check"
	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/fem"
	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/r3"
)

// Bulk properties of materials that name none, those of a soft rubber: elastomers have 0.1 to 10 MPa
// and are nearly incompressible, but linear tetrahedra lock as Poisson's ratio comes near 0.5.
const (
	defaultDensity = 1000 // kg/m³
	defaultYoungs  = 1e6  // Pa
	defaultPoisson = 0.4
)

// defaultMaterial is the name of the material of bodies that name none.
const defaultMaterial = "default"

// materialTable are the contact materials of the builder, in its order: those of the
// scene, and variants of these that robot files make.
type materialTable struct {
	// list has the materials of the scene and, behind them, variants of robot files.
	list []check.Material
	// names are those that the builder has, variants included.
	names []string
	// index of the materials of the scene in list.
	index map[string]int
	// faulty materials have a reported fault: bodies of these are not checked.
	faulty map[string]bool
}

// newMaterialTable returns an empty table.
func newMaterialTable() materialTable {
	return materialTable{index: map[string]int{}, faulty: map[string]bool{}}
}

// addMaterials adds every material: what one leaves out, default gives, and what
// default leaves out, the program.
func (l *loader) addMaterials() {
	// default comes first: others inherit from it
	base := l.f.Materials.Get(defaultMaterial)
	// scenes need no section materials
	if base == nil {
		base = new(Material)
	}
	base.takeElastomer()
	// the law is a kind, so it has no nil to inherit from
	if base.Law.Name == "" {
		base.Law.set(defaultLaw, base.Pos)
	}
	sound := l.checkFields(defaultMaterial, base)
	sound = l.addMaterial(defaultMaterial, base, sound) && sound
	l.materials.faulty[defaultMaterial] = !sound
	for _, name := range l.f.Materials.Keys {
		if name == defaultMaterial {
			continue
		}
		// checked before it inherits, so that a fault of default is reported once
		spec := l.f.Materials.Get(name)
		good := l.checkFields(name, spec)
		spec.takeElastomer()
		spec.inherit(base)
		good = l.addMaterial(name, spec, good && sound) && good
		l.materials.faulty[name] = !good || !sound
	}
}

// addMaterial adds a material and reports whether it could. Inherited values are checked
// only once: sound reports that no fault was found so far.
func (l *loader) addMaterial(name string, spec *Material, sound bool) bool {
	m := spec.contact()
	// the law is known here; the material alone does not determine it
	if !l.builder.Contact.Facts().DirectionalFriction && m.FrictionDirection_B != (r3.Vec{}) {
		l.warn("materials.%s: friction under %s has no direction: the geometric mean of friction and friction_transverse holds; use lagged or similar", name, l.f.Solver.Contact.Name)
	}
	if err := m.Check(); err != nil {
		if sound {
			l.fail(spec.Pos, "materials.%s: %v", name, err)
		}
		return false
	}
	l.put("material", name, spec.Pos, "materials."+name)
	l.materials.index[name] = len(l.materials.list)
	l.materials.add(check.Material{Name: name, Base: len(l.materials.list), Contact: m}, name)
	l.builder.AddMaterial(name, m)
	return true
}

// add appends a material under the name that the builder uses for it.
func (t *materialTable) add(m check.Material, name string) {
	t.list, t.names = append(t.list, m), append(t.names, name)
}

// contact returns the contact parameters of a material. Call it after inherit: what is nil then
// has the program's default.
func (m *Material) contact() constraints.ContactMaterial {
	// the program, under all that is given
	c := constraints.DefaultContactMaterial()
	m.GivenParameters.Apply(&c)
	// static and dynamic coefficients come together
	if m.Friction != nil {
		c.Friction, c.StaticFriction = m.Friction.Dynamic, m.Friction.Static
	}
	set(&c.TransverseFriction, m.FrictionTransverse)
	set((*[3]float64)(&c.FrictionDirection_B), m.FrictionDirection)
	set((*[3]float64)(&c.SurfaceVelocity_B), m.SurfaceVelocity)
	return c
}

// inherit fills parameters that are not given from base. Friction is one value: static and
// dynamic coefficients of different materials do not mix.
func (m *Material) inherit(base *Material) {
	direction, transverse := m.FrictionDirection, m.FrictionTransverse
	// nil means that the entry leaves a value out; a given 0 is not replaced
	given := kinds.Fields(base)
	for i, f := range kinds.Fields(m) {
		if f.Value.IsZero() {
			f.Value.Set(given[i].Value)
		}
	}
	// both or none, see the head of the file
	if direction != nil || transverse != nil {
		m.FrictionDirection, m.FrictionTransverse = direction, transverse
	}
	m.Law.inherit(&base.Law)
}

// takeElastomer gives a material what its elastomer has and it does not give itself: the law, or the modulus of a law
// of Young's modulus. Call it before inherit.
func (m *Material) takeElastomer() {
	if m.Elastomer.Name == "" {
		return
	}
	rubber := m.Elastomer.Spec.Elastomer()
	if m.Law.Name == "" {
		m.Law.set("ogden", m.Elastomer.Pos)
		ogden := m.Law.Spec.(*fem.OgdenSpec)
		ogden.Moduli, ogden.Exponents = []float64{rubber.Modulus}, []float64{rubber.Exponent}
		ogden.StretchLimit.StretchLimit = rubber.Limit
	}
	// a body that is not quite incompressible has the shear modulus of rest
	if hasParameter(m.Law.Spec, "youngs_modulus") {
		nu := value(m.PoissonsRatio, fem.RubberPoissonsRatio)
		e := rubber.YoungsModulus() / 3 * 2 * (1 + nu)
		if m.PoissonsRatio == nil {
			m.PoissonsRatio = &nu
		}
		if m.YoungsModulus == nil {
			m.YoungsModulus = &e
		}
	}
}

// checkFields checks the values that a material itself gives, before it inherits others;
// false when there is a fault.
func (l *loader) checkFields(name string, m *Material) bool {
	before := len(l.errs)
	if m.FrictionDirection != nil && m.FrictionTransverse == nil {
		l.fail(m.Pos, "materials.%s: friction_transverse is required with friction_direction: friction holds along that direction, friction_transverse across it", name)
	}
	l.checkInterior(name, m)
	if m.YoungsModulus != nil && m.Law.Name != "" && !hasParameter(m.Law.Spec, "youngs_modulus") {
		l.fail(m.Pos, "materials.%s: %s has moduli of its own, from which Young's modulus follows: leave out youngs_modulus, or choose a law of Young's modulus, such as neo_hookean", name, m.Law.Name)
	}
	l.checkColor(m.Pos, "materials."+name, m.Color)
	if e := value(m.HydroelasticModulus, 1); !(e > 0) {
		l.fail(m.Pos, "materials.%s.hydroelastic_modulus is %g Pa: it must be positive, such as 1e7; leave it out for a rigid surface", name, e)
	}
	if k := value(m.PressureGradient, 1); !(k > 0) {
		l.fail(m.Pos, "materials.%s.pressure_gradient is %g Pa/m: it must be positive, such as 1e8", name, k)
	}
	return len(l.errs) == before
}

// checkInterior checks density, elasticity and damping.
func (l *loader) checkInterior(name string, m *Material) {
	if r := value(m.Density, defaultDensity); !(r > 0) || math.IsInf(r, 0) {
		l.fail(m.Pos, "materials.%s.density is %g kg/m³: it must be positive", name, r)
	}
	if e := value(m.YoungsModulus, defaultYoungs); !(e > 0) || math.IsInf(e, 0) {
		l.fail(m.Pos, "materials.%s.youngs_modulus is %g Pa: it must be positive, such as 1e6 for soft rubber", name, e)
	}
	// Lamé's λ = E ν/((1 + ν)(1 − 2ν)) has no value at either bound
	if nu := value(m.PoissonsRatio, defaultPoisson); !(nu > -1 && nu < 0.5) {
		l.fail(m.Pos, "materials.%s.poissons_ratio is %g: it must lie between -1 and 0.5, and linear tetrahedra lock near 0.5", name, nu)
	}
	if x := value(m.MassDamping, 0); !(x >= 0) || math.IsInf(x, 0) {
		l.fail(m.Pos, "materials.%s.mass_damping is %g 1/s: it must not be negative", name, x)
	}
	if x := value(m.StiffnessDamping, 0); !(x >= 0) || math.IsInf(x, 0) {
		l.fail(m.Pos, "materials.%s.stiffness_damping is %g s: it must not be negative", name, x)
	}
}

// checkColor refuses texts that are not colours; none is given by an empty text.
func (l *faults) checkColor(p Pos, where, s string) {
	if s == "" {
		return
	}
	// no names of colours: they differ between programs
	if len(s) == 7 && s[0] == '#' {
		if _, err := strconv.ParseUint(s[1:], 16, 32); err == nil {
			return
		}
	}
	l.fail(p, "%s.color: %q is not a colour: write \"#rrggbb\", such as \"#d9822b\"", where, s)
}

// defaultLaw is the constitutive law of materials that name none.
const defaultLaw = "corotational"

// elastic returns the constitutive law of the material's interior. Parameters of the law that are
// keys of the material have its values. Laws have parameters of their own besides, which the
// material gives under the keys of the law.
func (m *Material) elastic() (fem.ConstitutiveLaw, error) {
	// elastic constants are keys of the material, not of its law, so that laws can be exchanged; those that the
	// material does not give have the defaults of the law
	own := map[string]*float64{"youngs_modulus": m.YoungsModulus, "poissons_ratio": m.PoissonsRatio}
	for _, f := range kinds.Fields(m.Law.Spec) {
		if x := own[f.Key]; x != nil && f.Value.Kind() == reflect.Float64 {
			f.Value.SetFloat(*x)
		}
	}
	return m.Law.Spec.Make()
}

// hasParameter reports whether a kind has a parameter of that key.
func hasParameter(spec any, key string) bool {
	return slices.ContainsFunc(kinds.Params(spec), func(p kinds.Param) bool { return p.Key == key })
}

// addPairs adds the effective parameters of pairs of materials, also of the variants
// that robot files made of these.
func (l *loader) addPairs() {
	for i := range l.f.Pairs {
		p := &l.f.Pairs[i]
		if len(p.Materials) != 2 {
			l.fail(p.Pos, "pairs: materials names two materials, such as [steel, rubber]")
			continue
		}
		// nil leaves the rule of combination
		o := p.Override
		if p.Friction != nil {
			o.Friction, o.StaticFriction = &p.Friction.Dynamic, &p.Friction.Static
		}
		if !l.knownMaterial(p.Pos, p.Materials[0]) || !l.knownMaterial(p.Pos, p.Materials[1]) {
			continue
		}
		if err := o.Check(); err != nil {
			l.fail(p.Pos, "pairs: %s and %s: %v", p.Materials[0], p.Materials[1], err)
			continue
		}
		// the pair applies to all variants of both materials; the builder takes them in both orders
		a, b := l.materials.index[p.Materials[0]], l.materials.index[p.Materials[1]]
		// variants of robot files by their base
		for i, m := range l.materials.list {
			for j, n := range l.materials.list {
				if m.Base == a && n.Base == b {
					l.builder.OverridePair(l.materials.names[i], l.materials.names[j], o)
				}
			}
		}
	}
}

// soundMaterial reports whether there is a material of that name without a fault; none
// means default.
func (l *loader) soundMaterial(p Pos, name string) bool {
	return l.knownMaterial(p, name) && !l.materials.faulty[cmp.Or(name, defaultMaterial)]
}

// knownMaterial reports whether there is a material of that name; none means default.
// The default material exists even where the scene has no section materials.
func (l *loader) knownMaterial(p Pos, name string) bool {
	if name == "" || name == defaultMaterial || l.f.Materials.Get(name) != nil {
		return true
	}
	// default is suggested as well, although the scene may not write it
	names := append([]string{defaultMaterial}, l.f.Materials.Keys...)
	slices.Sort(names)
	l.fail(p, "unknown material %q%s", name, kinds.Suggest(name, slices.Compact(names)))
	return false
}

// materialSpec returns the resolved specification of a material. It never returns nil: a name
// that is unknown is reported elsewhere and stands for default.
func (l *loader) materialSpec(name string) *Material {
	if m := l.f.Materials.Get(name); m != nil {
		return m
	}
	if m := l.f.Materials.Get(defaultMaterial); m != nil {
		return m
	}
	m := new(Material)
	m.Law.set(defaultLaw, Pos{})
	return m
}
