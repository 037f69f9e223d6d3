package scene

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/elastomers"
	"github.com/curlfree/curlfree/fem"
	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/r3"
)

// randomMaterial gives random values to some keys of a material.
func randomMaterial(rng *rand.Rand) *Material {
	m := new(Material)
	some := func(p **float64) {
		if rng.IntN(2) == 0 {
			x := 0.1 + 0.3*rng.Float64()
			*p = &x
		}
	}
	for _, f := range kinds.Fields(m) {
		if p, ok := f.Value.Addr().Interface().(**float64); ok {
			some(p)
		}
	}
	if rng.IntN(2) == 0 {
		m.Friction = &Friction{Static: 1 + rng.Float64(), Dynamic: rng.Float64()}
	}
	if m.FrictionTransverse != nil {
		m.FrictionDirection = &[3]float64{rng.Float64(), 1, 0}
	}
	if rng.IntN(2) == 0 {
		m.SurfaceVelocity = &[3]float64{rng.Float64(), 0, 0}
	}
	if rng.IntN(2) == 0 {
		m.Color = []string{"#000000", "#ffffff"}[rng.IntN(2)]
	}
	if names := fem.ConstitutiveLaws.Names(); rng.IntN(2) == 0 {
		m.Law.set(names[rng.IntN(len(names))], Pos{})
	}
	return m
}

// inherited is the twin of Material.inherit: every field that is nil or empty is that of
// base, but the two keys of directional friction stay together.
func inherited(m, base *Material) *Material {
	out := new(Material)
	v, own, other := reflect.ValueOf(out).Elem(), reflect.ValueOf(m).Elem(), reflect.ValueOf(base).Elem()
	for _, f := range reflect.VisibleFields(v.Type()) {
		// fields of the embedded parameters come by themselves
		switch i := f.Index; {
		case f.Type == reflect.TypeFor[constraints.GivenParameters]():
		case own.FieldByIndex(i).IsZero():
			v.FieldByIndex(i).Set(other.FieldByIndex(i))
		default:
			v.FieldByIndex(i).Set(own.FieldByIndex(i))
		}
	}
	if m.FrictionDirection != nil || m.FrictionTransverse != nil {
		out.FrictionDirection, out.FrictionTransverse = m.FrictionDirection, m.FrictionTransverse
	}
	out.Law = m.Law
	if m.Law.Name == "" {
		out.Law = base.Law
	}
	return out
}

func TestMaterialsInheritWhatTheyLeaveOut(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for range 200 {
		m, base := randomMaterial(rng), randomMaterial(rng)
		if base.Law.Name == "" {
			base.Law.set(defaultLaw, Pos{})
		}
		want := inherited(m, base)
		m.inherit(base)
		if m.Law.Name != want.Law.Name || m.Law.Spec == base.Law.Spec {
			t.Fatalf("law %s, want %s with parameters of its own", m.Law.Name, want.Law.Name)
		}
		m.Law, want.Law = Item[fem.ConstitutiveSpec]{}, Item[fem.ConstitutiveSpec]{}
		if !reflect.DeepEqual(m, want) {
			t.Fatalf("%+v, want %+v", m, want)
		}
	}
}

// Young's modulus and Poisson's ratio of a material are those of its law, whichever the law is; laws with moduli
// of their own take Poisson's ratio.
func TestLawsGetTheElasticityOfTheirMaterial(t *testing.T) {
	e, nu := 3e5, 0.2
	for _, name := range fem.ConstitutiveLaws.Names() {
		m := &Material{YoungsModulus: &e, PoissonsRatio: &nu}
		m.Law.set(name, Pos{})
		law, err := m.elastic()
		if err != nil {
			t.Fatal(err)
		}
		if !hasParameter(m.Law.Spec, "youngs_modulus") {
			if mu, lambda := law.Lame(); math.Abs(lambda/(2*(lambda+mu))-nu) > 1e-12 {
				t.Errorf("%s: Poisson's ratio %g, want %g", name, lambda/(2*(lambda+mu)), nu)
			}
			continue
		}
		// A small uniaxial strain ε costs (λ/2 + μ) ε².
		const strain = 1e-6
		lambda, mu := e*nu/((1+nu)*(1-2*nu)), e/(2*(1+nu))
		F := r3.Identity()
		F[0] += strain
		if got, want := law.Stress(F, r3.Identity())[0]/strain, lambda+2*mu; math.Abs(got-want) > 1e-4*want {
			t.Errorf("%s: the stiffness under uniaxial strain is %g Pa, want %g", name, got, want)
		}
	}
}

// Pairs of a scene apply in both orders, and also for values that materials inherit.
func TestPairsApplyInBothOrders(t *testing.T) {
	for _, order := range []string{"[a, b]", "[b, a]"} {
		sc := mustLoad(t, t.TempDir(), timeOf+ball+"materials: {default: {stiffness: 3e5}, a: {}, b: {}}\npairs: [{materials: "+order+", dissipation: 7}]\n")
		for _, pair := range [][2]int{{1, 2}, {2, 1}} {
			c := contactOf(0)
			c.Materials = pair
			p, err := sc.Model.ContactMaterials.Pair(c)
			if err != nil || p.Dissipation != 7 || p.Stiffness != 1.5e5 {
				t.Errorf("%s: pair %v has dissipation %g and stiffness %g, want 7 and 1.5e5 (%v)", order, pair, p.Dissipation, p.Stiffness, err)
			}
		}
	}
	for _, c := range []struct{ pair, want string }{
		{"{materials: [default, default], stiffness: -1}", "every value must be finite and not negative: -1"},
		{"{materials: [default, default], friction: -0.5}", "every value must be finite and not negative: -0.5"},
		{"{materials: [default], stiffness: 1}", "materials names two materials"},
	} {
		oneFault(t, c.pair, timeOf+ball+"pairs: ["+c.pair+"]\n", c.want)
	}
}

func TestColoursAreSixHexadecimalDigits(t *testing.T) {
	for text, good := range map[string]bool{
		"": true, "#000000": true, "#d9822B": true, "red": false, "#12345": false, "#1234567": false, "#12345g": false, "123456#": false, "#+12345": false,
	} {
		f := newFaults("scene.yaml", defaults())
		if f.checkColor(Pos{}, "bodies.a", text); (len(f.errs) == 0) != good {
			t.Errorf("%q: %v", text, f.errs)
		}
	}
}

// Parameters of laws that are not chosen wait for their choice; the latest value of a
// key that several laws share applies.
func TestParametersFollowTheChoiceOfALaw(t *testing.T) {
	f, err := decode("solver: {contact: lagged, sigma: 2e-3, beta: 0.3}\n")
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		set  string
		key  string
		want float64
	}{
		{"solver.contact=similar_regularized", "sigma", 2e-3},
		{"solver.sigma=3e-3", "sigma", 3e-3},
		{"solver.contact=sap", "beta", 0.3},
		{"solver.sigma=4e-3", "sigma", 4e-3},
		{"solver.contact=lagged_regularized", "sigma", 4e-3},
		{"solver.contact=similar_regularized", "sigma", 4e-3},
		{"solver.beta=0.2", "sigma", 4e-3},
		{"solver.contact=sap", "beta", 0.2},
		{"solver.beta=null", "beta", math.NaN()},
	} {
		if err := f.Override(step.set); err != nil {
			t.Fatal(err)
		}
		for _, p := range kinds.Fields(f.Solver.Contact.Spec) {
			if p.Key != step.key {
				continue
			}
			if got := p.Value.Float(); got != step.want && !math.IsNaN(step.want) {
				t.Errorf("after %s, %s of %s is %g, want %g", step.set, step.key, f.Solver.Contact.Name, got, step.want)
			} else if math.IsNaN(step.want) && kinds.Number(got) != p.Default && !reflect.DeepEqual(f.Solver.Contact.Spec, f.Solver.Contact.seam().Make("sap")) {
				t.Errorf("after %s, %s is %g, not its default", step.set, step.key, got)
			}
		}
	}
}

// A material of an elastomer has its law, or its modulus at rest with a law of Young's modulus; what the material gives
// itself stays.
func TestElastomersGiveLawsAndModuli(t *testing.T) {
	for _, name := range elastomers.Elastomers.Names() {
		rubber := elastomers.Elastomers.Make(name).(elastomers.Spec).Elastomer()
		shear := rubber.Modulus * rubber.Exponent / 2
		for law, keys := range map[string]string{"ogden": "", "corotational": ", constitutive_law: corotational", "neo_hookean": ", constitutive_law: neo_hookean, poissons_ratio: 0.45"} {
			m, base := new(Material), new(Material)
			if err := Decode("m", []byte("{elastomer: "+name+keys+"}\n"), m); err != nil {
				t.Fatal(err)
			}
			base.Law.set(defaultLaw, Pos{})
			m.takeElastomer()
			m.inherit(base)
			got, err := m.elastic()
			if err != nil {
				t.Fatal(name, err)
			}
			if mu, _ := got.Lame(); m.Law.Name != law || math.Abs(mu/shear-1) > 1e-9 {
				t.Errorf("%s, %s: law %s of shear modulus %g, want %g", name, law, m.Law.Name, mu, shear)
			}
		}
	}
}
