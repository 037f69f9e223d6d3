package kinds_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/kinds"
)

// fruit is a seam of its own for the tests below.
type fruit interface{ Weight() float64 }

type apple struct {
	Mass float64 `key:"mass" unit:"kg" doc:"mass"`
}

func (a *apple) Weight() float64 { return 9.81 * a.Mass }

var fruits = kinds.NewRegistry[fruit]("fruit", "What grows on trees.").In(kinds.Typed)

var appleName = fruits.Register(kinds.Kind[fruit]{
	Name: "apple", Doc: "Round.", About: "Keeps the doctor away.", Formerly: []string{"pome", "malum"},
	New:     func() fruit { return &apple{Mass: 0.2} },
	Samples: func() []fruit { return []fruit{&apple{Mass: 0.1}, &apple{Mass: 0.3}} },
})

func TestARegistryAnswersForItsKinds(t *testing.T) {
	if appleName != "apple" || fruits.Name() != "fruit" || fruits.Doc() != "What grows on trees." || fruits.Style() != kinds.Typed {
		t.Errorf("%s, %s, %s, %d", appleName, fruits.Name(), fruits.Doc(), fruits.Style())
	}
	if e := fruits.Entry("apple"); e == nil || e.New().Weight() != (&apple{Mass: 0.2}).Weight() || fruits.Entry("pear") != nil {
		t.Error("entries are not found by name")
	}
	if len(fruits.Entries()) != 1 || fruits.Make("pear") != nil || fruits.Make("apple").(*apple).Mass != 0.2 {
		t.Error("kinds are not made by name")
	}
	if fruits.Type() != reflect.TypeFor[fruit]() || kinds.Of(reflect.TypeFor[fruit]()) != kinds.Seam(fruits) {
		t.Error("the seam is not that of its interface")
	}
	info := fruits.Kinds()[0]
	if info.Seam != "fruit" || info.Doc != "Round." || info.About == "" || info.Sample().(*apple).Mass != 0.1 || info.Params[0].Default != "0.2" {
		t.Errorf("%+v", info)
	}
}

// Every call of New and Make returns parameters of its own.
func TestParametersAreNotShared(t *testing.T) {
	a, err := fruits.New("apple")
	if err != nil {
		t.Fatal(err)
	}
	a.(*apple).Mass = 7
	if b := fruits.Make("apple").(*apple); b.Mass != 0.2 {
		t.Errorf("a new apple has %g kg", b.Mass)
	}
}

func TestEarlierNamesLeadToThePresentOne(t *testing.T) {
	for name, want := range map[string]string{"apple": "apple", "pome": "apple", "malum": "apple", "pear": "", "": ""} {
		if got, ok := fruits.Current(name); got != want || ok != (want != "") {
			t.Errorf("%q is now %q, %v", name, got, ok)
		}
	}
	if _, err := fruits.New("pome"); err == nil {
		t.Error("New takes an earlier name: only Current does")
	}
}

func TestSeamsAreListedByNameAndOnlyOnce(t *testing.T) {
	var names []string
	for _, s := range kinds.All() {
		names = append(names, s.Name())
	}
	if !slices.IsSorted(names) || !slices.Contains(names, "fruit") || len(slices.Compact(slices.Clone(names))) != len(names) {
		t.Errorf("seams %v", names)
	}
	defer func() {
		if r := fmt.Sprint(recover()); !strings.Contains(r, "the seam fruit exists already") {
			t.Errorf("panic %q", r)
		}
	}()
	kinds.NewRegistry[error]("fruit", "")
}

// outside is a seam that is not a Registry.
type outside struct{ *kinds.Registry[fruit] }

func (outside) Name() string { return "zz outside" }

func (outside) Type() reflect.Type { return reflect.TypeFor[outside]() }

func TestSeamsMayComeFromOutside(t *testing.T) {
	kinds.AddSeam(outside{fruits})
	all := kinds.All()
	if last := all[len(all)-1]; last.Name() != "zz outside" || kinds.Of(reflect.TypeFor[outside]()) != last {
		t.Errorf("the last seam is %s", last.Name())
	}
}
