package record

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestChosenColumnsAreThoseOfTheWholeTable(t *testing.T) {
	dir := t.TempDir()
	text := "time_s,a,b,c\n0,1,-2e-3,nan\n0.5,+Inf,4,5\r\n1,7,8,9\n"
	if err := os.WriteFile(filepath.Join(dir, "t.csv"), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	all, err := ReadColumns(dir, "t.csv", nil)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(all.Columns, []string{"time_s", "a", "b", "c"}) || !math.IsInf(all.Column("a")[1], 1) || !math.IsNaN(all.Column("c")[0]) {
		t.Errorf("%v", all)
	}
	some, err := ReadColumns(dir, "t.csv", []string{"b", "time_s", "missing"})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(some.Columns, []string{"time_s", "b"}) || !slices.Equal(some.Column("b"), all.Column("b")) || some.Column("missing") != nil {
		t.Errorf("%v", some)
	}
	header, err := ReadHeader(dir, "t.csv")
	if err != nil || !slices.Equal(header, all.Columns) {
		t.Errorf("header %v, %v", header, err)
	}
	// a file without a row has columns; one without a line is not a table
	if err := os.WriteFile(filepath.Join(dir, "e.csv"), []byte("time_s,a"), 0o666); err != nil {
		t.Fatal(err)
	}
	if e, err := ReadColumns(dir, "e.csv", nil); err != nil || len(e.Columns) != 2 || len(e.Data[1]) != 0 {
		t.Errorf("%v, %v", e, err)
	}
	if _, err := ReadHeader(dir, "missing.csv"); err == nil {
		t.Error("a missing file has a header")
	}
}

// A run that is under way may have written half a line.
func TestLastLinesCutShortAreLeftOut(t *testing.T) {
	whole := "t,a,b\n1,2,3\n4,5,6\n"
	for cut := len("t,a,b\n1,2,3\n"); cut <= len(whole); cut++ {
		table, err := parseTable(strings.NewReader(whole[:cut]), nil)
		if err != nil {
			t.Fatalf("cut at %d: %v", cut, err)
		}
		n := len(table.Data[0])
		if n < 1 || n > 2 || len(table.Data[1]) != n || len(table.Data[2]) != n {
			t.Errorf("cut at %d: %v", cut, table.Data)
		}
	}
	for _, text := range []string{"t,a\n1,2\n3,e", "t,a\n1,2\n-,4"} {
		table, err := parseTable(strings.NewReader(text), nil)
		if err != nil || len(table.Data[0]) != 1 || len(table.Data[1]) != 1 {
			t.Errorf("%q: %v, %v", text, table, err)
		}
	}
}

// References have very many rows: a column of 200,000 is read well within a second.
func TestLongTablesAreReadQuickly(t *testing.T) {
	var b bytes.Buffer
	b.WriteString("time_s,a,b,c,d\n")
	const rows = 200_000
	for i := range rows {
		x := float64(i) * 1e-7
		fmt.Fprintf(&b, "%g,%g,%g,%g,%g\n", x, math.Sin(x), math.Cos(x), math.Exp(x), x*x)
	}
	start := time.Now()
	table, err := parseTable(&b, []string{"time_s", "c"})
	if err != nil || len(table.Data) != 2 || len(table.Data[1]) != rows || table.Data[1][rows-1] != math.Exp(float64(rows-1)*1e-7) {
		t.Fatalf("%v", err)
	}
	if d := time.Since(start); d > 2*time.Second {
		t.Errorf("it took %v", d)
	}
}

func TestStatisticsOfASample(t *testing.T) {
	table := &Table{Columns: []string{"time_s", "x"}, Data: [][]float64{{0, 1, 2, 3, 4}, {-5, 1, 2, 3, 100}}}
	for stat, want := range map[string]float64{
		"last": 3, "first": -5, "min": -5, "max": 3, "abs_max": 5, "mean": 0.25, "median": 1, "p95": 3,
		"rms": math.Sqrt(39.0 / 4), "range": 8, "std": math.Sqrt(39.0/4 - 0.0625), "relative_std": 4 * math.Sqrt(39.0/4-0.0625),
	} {
		c := Check{Signal: "x", Stat: stat, From: 0, To: 3}
		if got := c.Statistic(table); math.Abs(got-want) > 1e-12 {
			t.Errorf("%s is %v, want %v", stat, got, want)
		}
		if !slices.Contains(Stats, stat) {
			t.Errorf("%s is not listed", stat)
		}
	}
}

// The table of a run that was killed before its first rows were written counts as missing, so that what shows tables
// continues without it.
func TestEmptyTablesOfKilledRunsAreMissing(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, SignalsFile+partial), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadColumns(dir, SignalsFile, nil); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("an empty table: %v", err)
	}
	if _, err := ReadHeader(dir, SignalsFile); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the header of an empty table: %v", err)
	}
	if err := os.WriteFile(filepath.Join(dir, SignalsFile+partial), []byte("time_s,z\n0,1\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if table, err := ReadColumns(dir, SignalsFile, nil); err != nil || len(table.Data) != 2 {
		t.Errorf("a table with a row: %v, %v", table, err)
	}
}
