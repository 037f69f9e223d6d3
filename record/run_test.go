package record

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/internal/mutation"
)

func TestChecksTakeTheirStatisticOverTheirWindow(t *testing.T) {
	signals := &Table{
		Columns: []string{"time_s", "f"},
		Data:    [][]float64{{0, 0.1, 0.2, 0.3000000001, 0.4}, {9, 1, 2, 6, math.NaN()}},
	}
	s := &Summary{Steps: 4, Contacts: Contacts{Mean: 2.5}}
	inf := math.Inf(1)
	for _, c := range []struct {
		check Check
		value float64
		bound string
		ok    bool
	}{
		{Check{Signal: "f", From: 0.1, To: 0.3, Min: 6, Max: inf}, 6, ">= 6", true},
		{Check{Signal: "f", Stat: "first", From: 0, To: 0.3, Min: -inf, Max: 8}, 9, "<= 8", false},
		{Check{Signal: "f", Stat: "min", From: 0.1, To: 0.3, Min: 1, Max: 1}, 1, ">= 1 and <= 1", true},
		{Check{Signal: "f", Stat: "max", From: 0, To: 0.3, Min: -inf, Max: 9}, 9, "<= 9", true},
		{Check{Signal: "f", Stat: "mean", From: 0.1, To: 0.3, Min: 3, Max: 3}, 3, ">= 3 and <= 3", true},
		{Check{Signal: "f", Stat: "range", From: 0.1, To: 0.3, Min: -inf, Max: 4}, 5, "<= 4", false},
		{Check{Signal: "f", Stat: "std", From: 0.1, To: 0.3, Min: 0, Max: inf}, math.Sqrt(14.0 / 3), ">= 0", true},
		{Check{Signal: "f", Stat: "relative_std", From: 0.1, To: 0.3, Min: 0, Max: 1}, math.Sqrt(14.0/3) / 3, ">= 0 and <= 1", true},
		{Check{Signal: "f", From: 0, To: 1, Min: 0, Max: inf}, 0, ">= 0 (no finite value in the window)", false},
		{Check{Signal: "f", From: 2, To: 3, Min: 0, Max: inf}, 0, ">= 0 (no finite value in the window)", false},
		{Check{Run: "contacts.mean", Min: -inf, Max: 2}, 2.5, "<= 2", false},
		{Check{Run: "steps", Min: 4, Max: 4}, 4, ">= 4 and <= 4", true},
	} {
		r := c.check.Evaluate(signals, s)
		if math.Abs(r.Value-c.value) > 1e-12 || r.Bound != c.bound || r.OK != c.ok {
			t.Errorf("%+v: %+v, want %g, %q, %v", c.check, r, c.value, c.bound, c.ok)
		}
	}
}

func TestNumbersAreThoseOfTheSummary(t *testing.T) {
	seen := map[string]bool{}
	for _, path := range Numbers() {
		if _, ok := new(Summary).Number(path); !ok || seen[path] {
			t.Errorf("%s: known %v, twice %v", path, ok, seen[path])
		}
		seen[path] = true
	}
	if _, ok := new(Summary).Number("state_hash"); ok {
		t.Error("a text passes for a number")
	}
}

func TestPercentilesAreValuesThatOccur(t *testing.T) {
	x := []float64{5, 1, 4, 2, 3}
	for p, want := range map[float64]float64{0: 1, 0.2: 1, 0.5: 3, 0.95: 5, 1: 5} {
		if got := percentile(x, p); got != want {
			t.Errorf("percentile %g is %g, want %g", p, got, want)
		}
	}
	if percentile(nil, 0.5) != 0 || mean(nil) != 0 {
		t.Error("nothing has a statistic")
	}
}

func TestTablesReadBackWhatWasWritten(t *testing.T) {
	dir := t.TempDir()
	f, err := Create(dir, &Static{}, []string{"a", "b"}, []string{"time_s"})
	if err != nil {
		t.Fatal(err)
	}
	want := []float64{0.1, math.Pi, 1e-300, -1e300, math.MaxFloat64, 5e-324}
	for range 4000 { // more than the buffer takes
		for _, x := range want {
			if err := f.Step([]float64{x, -x}); err != nil {
				t.Fatal(err)
			}
		}
	}
	if going, err := ReadColumns(dir, StepsFile, nil); err != nil || len(going.Data[0]) == 0 {
		t.Errorf("nothing can be read while the run continues: %v", err)
	}
	if err := f.Finish(&Summary{}); err != nil {
		t.Fatal(err)
	}
	table, err := ReadColumns(dir, StepsFile, nil)
	if err != nil || len(table.Column("b")) != 4000*len(want) {
		t.Fatal(err)
	}
	for i, x := range table.Column("a") {
		if x != want[i%len(want)] {
			t.Fatalf("row %d is %g, want %g", i, x, want[i%len(want)])
		}
	}
	if table.Column("c") != nil {
		t.Error("a column that is not there has values")
	}
}

func TestDamagedTablesNameThePlace(t *testing.T) {
	dir := t.TempDir()
	for text, want := range map[string]string{
		"a,b\n1,2\n3,x\n": `line 3, column b: "x" is not a number`,
		"a,b\n1,2\n3\n":   "line 3 has 1 values",
		"":                "EOF",
	} {
		if err := os.WriteFile(filepath.Join(dir, "t.csv"), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadColumns(dir, "t.csv", nil); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "t.csv") {
			t.Errorf("%q: got %v, want %q in it", text, err, want)
		}
	}
}

func FuzzTable(f *testing.F) {
	seeds := mutation.Texts("time_s,z\n0,1\n0.1,nan\n", "\"a\n\",b\n1,2")
	mutation.Fuzz(f, seeds, func(t testing.TB, b []byte) string {
		table, err := parseTable(bytes.NewReader(b), nil)
		if err != nil {
			return err.Error()
		}
		for i := range table.Data {
			if len(table.Data[i]) != len(table.Data[0]) {
				t.Error("columns of different lengths")
			}
		}
		return ""
	})
}

// Bounds that differ in their seventh digit are written so that they differ.
func TestNarrowBoundsAreDistinguished(t *testing.T) {
	for want, c := range map[string]Check{
		">= -41.88794 and <= -41.88786": {Min: -41.88794, Max: -41.88786},
		">= 0.1 and <= 0.2":             {Min: 0.1, Max: 0.2},
		">= 3 and <= 3":                 {Min: 3, Max: 3},
		"<= 2":                          {Min: math.Inf(-1), Max: 2},
	} {
		if got := c.bound(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
