package constraints

import (
	"maps"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"testing"

	"github.com/curlfree/curlfree/geometry"
)

// The tests of this file read the structures of parameters field by field, so that one which is forgotten in one of
// them fails.

// scalars returns the fields of one type of the struct to which x points, by name.
func scalars[T any](x any) map[string]*T {
	v := reflect.ValueOf(x).Elem()
	fields := map[string]*T{}
	for i := range v.NumField() {
		if p, ok := v.Field(i).Addr().Interface().(*T); ok && v.Type().Field(i).Name != "LaggedImpulse" {
			fields[v.Type().Field(i).Name] = p
		}
	}
	return fields
}

func TestEachParameterOfAMaterialIsChecked(t *testing.T) {
	if n := len(scalars[float64](new(ContactMaterial))); n < 8 {
		t.Fatalf("%d parameters, want 8 at least", n)
	}
	for name := range scalars[float64](new(ContactMaterial)) {
		for _, bad := range []float64{-1, math.NaN(), math.Inf(-1)} {
			m := DefaultContactMaterial()
			if *scalars[float64](&m)[name] = bad; m.Check() == nil {
				t.Errorf("%s of %g is no error", name, bad)
			}
		}
	}
}

// Each given parameter sets the one of the same name and no other; none changes nothing.
func TestGivenParametersReplaceThoseOfTheMaterial(t *testing.T) {
	m := DefaultContactMaterial()
	if new(GivenParameters).Apply(&m) || m != DefaultContactMaterial() {
		t.Errorf("nothing is given, but the material is %+v", m)
	}
	for name := range scalars[*float64](new(GivenParameters)) {
		var g GivenParameters
		*scalars[*float64](&g)[name] = new(7.25)
		want, got := DefaultContactMaterial(), DefaultContactMaterial()
		*scalars[float64](&want)[name] = 7.25
		if !g.Apply(&got) || got != want {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
	}
}

// The manual prints the defaults that materials have.
func TestDefaultsOfTagsAreThoseOfMaterials(t *testing.T) {
	m := DefaultContactMaterial()
	numbers := 0
	for name, want := range scalars[float64](&m) {
		f, _ := reflect.TypeFor[GivenParameters]().FieldByName(name)
		// some have none, or one in words
		if x, err := strconv.ParseFloat(f.Tag.Get("default"), 64); err == nil {
			if numbers++; x != *want {
				t.Errorf("%s: its default is given as %g, but materials have %g", name, x, *want)
			}
		}
	}
	if numbers < 3 {
		t.Errorf("%d parameters have a number for their default, want 3 at least", numbers)
	}
}

// Each parameter of a pair follows from those of both materials, in the same way in both orders, unless it is
// overridden.
func TestEachParameterOfAPairFollowsFromBothMaterials(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 5))
	var m [2]ContactMaterial
	for i := range m {
		fields := scalars[float64](&m[i])
		for _, name := range slices.Sorted(maps.Keys(fields)) {
			*fields[name] = 1 + rng.Float64()
		}
		m[i].TransverseFriction = 0 // has no direction
		m[i].Restitution = 0        // of point contacts alone, see restitution_test.go
	}
	pairOf := func(a, b ContactMaterial, o Override) (pair Pair, err error) {
		s := table(t, a, b)
		if err = s.Override(0, 1, o); err == nil {
			pair, err = s.Pair(&geometry.Contact{Materials: [2]int{0, 1}})
		}
		return pair, err
	}
	usual, err := pairOf(m[0], m[1], Override{})
	if err != nil {
		t.Fatal(err)
	}
	for name, p := range scalars[float64](&usual) {
		if name == "Restitution" {
			continue
		}
		for i := range m {
			changed := m
			*scalars[float64](&changed[i])[name] *= 1.5
			got, err := pairOf(changed[0], changed[1], Override{})
			back, errBack := pairOf(changed[1], changed[0], Override{})
			x, y := *scalars[float64](&got)[name], *scalars[float64](&back)[name]
			if err != nil || errBack != nil || !(x > *p) || math.Abs(x-y) > 1e-15*x {
				t.Errorf("%s of material %d raised: %g and %g, before %g (%v, %v)", name, i, x, y, *p, err, errBack)
			}
		}
		var o Override
		*scalars[*float64](&o)[name] = new(7.25)
		if got, err := pairOf(m[0], m[1], o); err != nil || *scalars[float64](&got)[name] != 7.25 {
			t.Errorf("%s overridden: %+v, %v", name, got, err)
		}
		if *scalars[*float64](&o)[name] = new(-1.0); o.Check() == nil {
			t.Errorf("%s of −1 is no error", name)
		}
	}
	rest := usual
	rest.DropDissipation()
	usual.Dissipation, usual.RelaxationTime = 0, 0
	if rest != usual {
		t.Errorf("without dissipation the pair is %+v, want %+v", rest, usual)
	}
}
