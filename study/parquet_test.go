package study

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/internal/authorship"
	"github.com/curlfree/curlfree/record"
)

// readTable is what a program that did not write a Parquet file reads.
type readTable struct {
	Columns, Types []string
	Units          string
	Rows           [][]any
}

// pyarrow reads a Parquet file as readparquet does.
const pyarrow = `
import sys, json, pyarrow.parquet as q
t = q.read_table(sys.argv[1])
kinds = {"string": "STRING", "double": "DOUBLE", "int64": "INT(64,true)", "bool": "BOOLEAN"}
print(json.dumps({"Columns": t.column_names, "Types": [kinds[str(c.type)] for c in t.columns],
  "Units": t.schema.metadata[b"units"].decode(), "Rows": [list(r) for r in zip(*[c.to_pylist() for c in t.columns])]}))
`

// readers returns the programs that can read Parquet files here: pyarrow where Python has it, and the
// reader of the library in a program of its own.
func readers(t *testing.T) map[string][]string {
	bin := filepath.Join(t.TempDir(), "readparquet.exe")
	if out, err := exec.Command("go", "build", "-o", bin, "./testdata/readparquet").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	programs := map[string][]string{"parquet-go": {bin}}
	for _, python := range []string{"python3", os.Getenv("CURLFREE_PYTHON")} {
		if python != "" && exec.Command(python, "-c", "import pyarrow.parquet").Run() == nil {
			programs["pyarrow"] = []string{python, "-c", pyarrow}
		}
	}
	return programs
}

// The tables that other programs read have the columns, types, units and numbers of the CSV files, to the
// last bit.
func TestParquetTablesAreThoseOfTheCSVFiles(t *testing.T) {
	s := mustLoad(t, `
scene: scene.yaml
rows: [{law: a, solver.allow_unconverged: "true"}, {law: b, solver.allow_unconverged: "false"}]
cases: {time.step: [0.01, -1, 5e-3]}
measures: {drop_m: {signal: z}, none: {first: z > 100}}
`)
	dir := t.TempDir()
	rows, err := s.Run(t.Context(), Options{Dir: dir, Jobs: 2})
	if err == nil {
		err = s.WriteParquet(dir, rows)
	}
	if err != nil {
		t.Fatal(err)
	}
	c := readCases(t, dir)
	for name, program := range readers(t) {
		var cases, signals readTable
		for file, table := range map[string]*readTable{CasesParquet: &cases, SignalsParquet: &signals} {
			path := filepath.Join(dir, file)
			out, err := exec.Command(program[0], append(program[1:], path)...).Output()
			if err == nil {
				err = json.Unmarshal(out, table)
			}
			if err != nil {
				t.Fatalf("%s: %v\n%s", name, err, out)
			}
			if authorship.Foreign(path) {
				t.Errorf("%s is not known as a file of this program", file)
			}
		}
		if want := []string{"case", "law", "solver.allow_unconverged", "time.step", "drop_m", "none", "steps", "wall_s", "unconverged_steps", "state_hash", "expectations", "status"}; !slices.Equal(cases.Columns, want) {
			t.Errorf("%s: columns %v, want %v", name, cases.Columns, want)
		}
		if want := "STRING STRING BOOLEAN DOUBLE DOUBLE DOUBLE INT(64,true) DOUBLE INT(64,true) STRING STRING STRING"; strings.ReplaceAll(strings.Join(cases.Types, " "), "INT64", "INT(64,true)") != want {
			t.Errorf("%s: types %v, want %v", name, cases.Types, want)
		}
		for k, column := range cases.Columns {
			for i, row := range cases.Rows {
				text := c[column][i]
				var want any
				switch {
				case text == "NaN" || text == "":
				case cases.Types[k] == "STRING":
					want = text
				case cases.Types[k] == "BOOLEAN":
					want = text == "true"
				default:
					want, _ = parseNumber(text)
				}
				if !reflect.DeepEqual(row[k], want) {
					t.Errorf("%s: %s of case %d is %v, want %v", name, column, i, row[k], want)
				}
			}
		}
		if len(cases.Rows) != 6 || cases.Rows[1][4] != nil {
			t.Errorf("%s: rows %v", name, cases.Rows)
		}
		for _, u := range []string{`"drop_m":"m"`, `"wall_s":"s"`} {
			if !strings.Contains(cases.Units, u) {
				t.Errorf("%s: units %s", name, cases.Units)
			}
		}
		if !slices.Equal(signals.Columns, []string{"case", "time_s", "z"}) || signals.Units != `{"time_s":"s","z":"m"}` {
			t.Errorf("%s: signals have columns %v, units %s", name, signals.Columns, signals.Units)
		}
		var want [][]any
		for i := range rows {
			if !rows[i].Done() {
				continue
			}
			table, err := record.ReadColumns(filepath.Join(dir, casesFolder, rows[i].Case.Name), record.SignalsFile, nil)
			if err != nil {
				t.Fatal(err)
			}
			for k := range table.Data[0] {
				want = append(want, []any{rows[i].Case.Name, table.Data[0][k], table.Data[1][k]})
			}
		}
		if fmt.Sprint(signals.Rows) != fmt.Sprint(want) || len(want) < 100 {
			t.Errorf("%s: %d rows of signals differ from the %d of the tables", name, len(signals.Rows), len(want))
		}
	}
	if err := os.WriteFile(filepath.Join(dir, CasesParquet), []byte("mine"), 0o666); err != nil {
		t.Fatal(err)
	}
	if got := ForeignParquet(dir); len(got) != 1 {
		t.Errorf("foreign files %v", got)
	}
}
