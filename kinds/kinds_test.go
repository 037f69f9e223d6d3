package kinds_test

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/kinds"
)

type solid interface{ Volume() float64 }

type ball struct {
	Radius float64 `key:"radius,required" unit:"m" doc:"radius" above:"0"`
	Name   string  `key:"name" doc:"label" choice:"red,green"`
}

func (b *ball) Volume() float64 { return 4.0 / 3 * math.Pi * math.Pow(b.Radius, 3) }

type common struct {
	Tilt float64 `key:"tilt" unit:"deg" doc:"inclination" min:"-90" max:"90"`
}

type slab struct {
	common
	Size  [3]float64 `key:"size" unit:"m" doc:"edges" above:"0"`
	Lower *float64   `key:"lower,inf" unit:"m" doc:"lower limit" default:"none"`
}

func (s *slab) Volume() float64 { return s.Size[0] * s.Size[1] * s.Size[2] }

var solids = kinds.NewRegistry[solid]("solid", "Shape with a volume.")

var _ = solids.Register(kinds.Kind[solid]{
	Name: "slab", Doc: "Box.", New: func() solid { return &slab{Size: [3]float64{1, 1, 0.5}, common: common{Tilt: math.Pi / 9}} },
	Samples: func() []solid { return []solid{&slab{Size: [3]float64{1, 2, 3}}} },
})

var _ = solids.Register(kinds.Kind[solid]{
	Name: "ball", Doc: "Ball.", New: func() solid { return &ball{} },
	Samples: func() []solid { return []solid{&ball{Radius: 2}} },
})

func TestKindsAreListedByName(t *testing.T) {
	if got := fmt.Sprint(solids.Names()); got != "[ball slab]" {
		t.Errorf("names %s", got)
	}
	if err := kinds.Check(solids); err != nil {
		t.Error(err)
	}
	if kinds.Of(reflect.TypeFor[solid]()) == nil || kinds.Of(reflect.TypeFor[error]()) != nil {
		t.Error("seams are not found by their interface")
	}
}

func TestParametersFollowFromTags(t *testing.T) {
	params := solids.Kinds()[1].Params
	var keys, defaults []string
	for _, p := range params {
		keys, defaults = append(keys, p.Key+" "+p.Unit), append(defaults, p.Default)
	}
	if got := strings.Join(keys, ", "); got != "tilt deg, size m, lower m" {
		t.Errorf("keys %q", got)
	}
	if got := strings.Join(defaults, ", "); got != "20, [1, 1, 0.5], none" {
		t.Errorf("defaults %q", got)
	}
	if p := params[2]; !p.Infinite || p.Required || p.Type.Kind() != reflect.Float64 {
		t.Errorf("lower is read as %+v", p)
	}
}

func TestUnknownKindsNameTheNearest(t *testing.T) {
	_, err := solids.New("bal")
	if want := `unknown solid "bal": did you mean "ball"?`; err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

func TestValuesOutOfBoundsAreNamed(t *testing.T) {
	for _, c := range []struct {
		spec solid
		want string
	}{
		{&ball{Radius: 1, Name: "red"}, ""},
		{&ball{Radius: -1}, "radius is -1 m: it must be positive"},
		{&ball{Radius: math.NaN()}, "radius is NaN m: it must be positive"},
		{&ball{Radius: 1, Name: "gren"}, `name is "gren": did you mean "green"?`},
		{&slab{Size: [3]float64{1, 0, 1}}, "size is 0 m: it must be positive"},
		{&slab{Size: [3]float64{1, 1, 1}, common: common{Tilt: math.Pi}}, "tilt is 180 deg: it must be at least -90 and must be at most 90"},
	} {
		got := ""
		for _, err := range kinds.Validate(c.spec) {
			got += err.Error()
		}
		if got != c.want {
			t.Errorf("%+v: %q, want %q", c.spec, got, c.want)
		}
	}
}

type mute struct {
	X float64 `key:"x"`
}

func (*mute) Volume() float64 { return 0 }

func TestKindsWithoutFactsFail(t *testing.T) {
	r := kinds.NewRegistry[interface{ Volume() float64 }]("mute thing", "")
	r.Register(kinds.Kind[interface{ Volume() float64 }]{Name: "mute", New: func() interface{ Volume() float64 } { return &mute{} }})
	err := kinds.Check(r)
	for _, want := range []string{"the seam mute thing has no documentation", "mute has no documentation", "no samples", "documentation of x"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v does not say %q", err, want)
		}
	}
}

func TestANameIsTakenOnce(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a second ball was registered")
		}
	}()
	solids.Register(kinds.Kind[solid]{Name: "ball"})
}

func Example() {
	s, _ := solids.New("ball")
	kinds.Fields(s)[0].Value.SetFloat(0.5)
	fmt.Printf("%.4f m³\n", s.Volume())
	// Output: 0.5236 m³
}
