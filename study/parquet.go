package study

import (
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/parquet-go/parquet-go"

	"github.com/curlfree/curlfree/internal/atomicfile"
	"github.com/curlfree/curlfree/internal/authorship"
	"github.com/curlfree/curlfree/record"
)

// Tables as Parquet files, for pandas, polars, DuckDB and R: the columns of cases.csv, and the signals of
// all cases below each other. Columns have types, missing values are null, and the metadata of the file
// has the units of columns as JSON under the key units, as {"grip_N": "N"}.

// Names of the Parquet files in a study folder.
const (
	CasesParquet   = "cases.parquet"
	SignalsParquet = "signals.parquet"
)

// rowsPerGroup is the number of rows that a writer keeps in memory.
const rowsPerGroup = 1 << 16

// kindOfColumn is the type of a column.
type kindOfColumn int

// Types of columns.
const (
	textColumn   kindOfColumn = iota
	numberColumn              // float64
	wholeColumn               // int64
	truthColumn
)

// typedColumn is a column of a Parquet file.
type typedColumn struct {
	// name is the heading in cases.csv; unit is empty for a number without one.
	name, unit string
	kind       kindOfColumn
}

// orderedGroup is a schema whose columns keep their order.
type orderedGroup struct {
	parquet.Group
	// names are the columns in the order of the file.
	names []string
}

// Fields lists the columns in their order; those of a Group are sorted by name.
func (g orderedGroup) Fields() []parquet.Field {
	fields := g.Group.Fields()
	slices.SortFunc(fields, func(a, b parquet.Field) int {
		return cmp.Compare(slices.Index(g.names, a.Name()), slices.Index(g.names, b.Name()))
	})
	return fields
}

// schemaOf returns the schema of columns, all of which may be null.
func schemaOf(columns []typedColumn) *parquet.Schema {
	g := orderedGroup{Group: parquet.Group{}}
	for _, c := range columns {
		// text is the type of what is not stated otherwise
		leaf := parquet.String()
		switch c.kind {
		case numberColumn:
			leaf = parquet.Leaf(parquet.DoubleType)
		case wholeColumn:
			leaf = parquet.Leaf(parquet.Int64Type)
		case truthColumn:
			leaf = parquet.Leaf(parquet.BooleanType)
		}
		g.names = append(g.names, c.name)
		// Optional: every column may lack values, such as measures of a failed case
		g.Group[c.name] = parquet.Optional(leaf)
	}
	return parquet.NewSchema("table", g)
}

// value returns a cell from its text in a CSV file.
func (c *typedColumn) value(text string) parquet.Value {
	// text that is not of the type falls through to null: a reader must not take it for 0
	switch c.kind {
	case textColumn:
		if text != "" {
			return parquet.ByteArrayValue([]byte(text))
		}
	case wholeColumn:
		if n, err := strconv.ParseInt(text, 10, 64); err == nil {
			return parquet.Int64Value(n)
		}
	case truthColumn:
		if text != "" {
			return parquet.BooleanValue(text == "true")
		}
	case numberColumn:
		if x, ok := parseNumber(text); ok {
			return numberValue(x)
		}
	}
	return parquet.NullValue()
}

// numberValue returns a number, or null for one that is none.
func numberValue(x float64) parquet.Value {
	if math.IsNaN(x) {
		return parquet.NullValue()
	}
	return parquet.DoubleValue(x)
}

// tableWriter writes rows to a Parquet file.
type tableWriter struct {
	// w has the schema of the columns; its generic type is any, since rows are written cell by
	// cell.
	w *parquet.GenericWriter[any]
	// row is used again for each row; w copies its cells.
	row parquet.Row
}

// add appends a cell to the row that is being made.
func (t *tableWriter) add(v parquet.Value) {
	// the definition level of an optional column: 1 for a value, 0 for null
	present := 1
	if v.IsNull() {
		present = 0
	}
	// the length of the row so far is the number of the column
	t.row = append(t.row, v.Level(0, present, len(t.row)))
}

// end writes the row.
func (t *tableWriter) end() error {
	_, err := t.w.WriteRows([]parquet.Row{t.row})
	t.row = t.row[:0]
	return err
}

// writeParquet writes a file through rows; a file that exists is replaced as a whole.
func writeParquet(path string, columns []typedColumn, rows func(t *tableWriter) error) error {
	// columns without a unit have no entry
	units := map[string]string{}
	for _, c := range columns {
		if c.unit != "" {
			units[c.name] = c.unit
		}
	}
	text, err := json.Marshal(units)
	if err != nil {
		return err
	}
	return atomicfile.Write(path, func(out io.Writer) error {
		// readers find the units, and the mark by which ForeignParquet recognizes the file, in the
		// metadata
		t := &tableWriter{w: parquet.NewGenericWriter[any](out, schemaOf(columns), parquet.Compression(&parquet.Zstd),
			parquet.MaxRowsPerRowGroup(rowsPerGroup), parquet.KeyValueMetadata("units", string(text)),
			parquet.KeyValueMetadata("comment", authorship.Mark))}
		// Close writes the footer; without it the file cannot be read
		return errors.Join(rows(t), t.w.Close())
	})
}

// WriteParquet writes the table of cases, and the signals of all cases that are done, as Parquet files
// into the study folder.
func (s *Study) WriteParquet(dir string, rows []Row) error {
	return errors.Join(s.writeCasesParquet(filepath.Join(dir, CasesParquet), rows), s.writeSignalsParquet(dir, rows))
}

// writeCasesParquet writes the columns of cases.csv.
func (s *Study) writeCasesParquet(path string, rows []Row) error {
	// the cells are those of cases.csv, so that the two tables cannot differ
	front, err := s.onFront(rows)
	if err != nil {
		return err
	}
	// types follow from all rows, which are therefore made before the schema
	lines := make([][]string, len(rows))
	for i := range rows {
		lines[i] = s.line(&rows[i], front[i])
	}
	var columns []typedColumn
	for k, name := range s.header() {
		c := typedColumn{name: name, kind: s.kindOf(name, k, lines)}
		// texts and counts have no unit
		if c.kind == numberColumn {
			c.unit, _ = unitOf(name, s.units)
		}
		columns = append(columns, c)
	}
	return writeParquet(path, columns, func(t *tableWriter) error {
		for _, line := range lines {
			for k, text := range line {
				t.add(columns[k].value(text))
			}
			if err := t.end(); err != nil {
				return err
			}
		}
		return nil
	})
}

// kindOf returns the type of a column of cases.csv: that of its meaning or, for values that vary, that
// which all of its values have.
func (s *Study) kindOf(name string, k int, lines [][]string) kindOfColumn {
	// columns of the program have one type, whatever their values
	switch {
	case slices.Contains(s.File.Measures.Keys, name), name == "wall_s":
		return numberColumn
	case name == "steps", name == "unconverged_steps":
		return wholeColumn
	case name == frontColumn:
		return truthColumn
	case !slices.Contains(s.Paths, name):
		return textColumn
	}
	// values that vary: empty cells say nothing of the type
	numbers, truths := true, true
	for _, line := range lines {
		if line[k] == "" {
			continue
		}
		_, ok := parseNumber(line[k])
		numbers = numbers && ok
		truths = truths && (line[k] == "true" || line[k] == "false")
	}
	// a column of empty cells alone is one of numbers
	switch {
	case numbers:
		return numberColumn
	case truths:
		return truthColumn
	}
	return textColumn
}

// writeSignalsParquet writes signals.csv of all cases, one case in memory at a time.
func (s *Study) writeSignalsParquet(dir string, rows []Row) error {
	// a case may lack some of these signals, see addTable
	columns := []typedColumn{{name: "case"}, {timeColumn, "s", numberColumn}}
	for _, name := range s.signals {
		unit, _ := unitOf(name, s.units)
		columns = append(columns, typedColumn{name, unit, numberColumn})
	}
	return writeParquet(filepath.Join(dir, SignalsParquet), columns, func(t *tableWriter) error {
		// folders that were written already, by name
		seen := map[string]bool{}
		for i := range rows {
			// cases with the same values share one folder
			name := rows[i].Case.Name
			if !rows[i].Done() || seen[name] {
				continue
			}
			seen[name] = true
			table, err := record.ReadColumns(filepath.Join(dir, casesFolder, name), record.SignalsFile, nil)
			if err != nil {
				return err
			}
			if err := t.addTable(name, table, columns[1:]); err != nil {
				return err
			}
		}
		return nil
	})
}

// addTable appends the rows of a table of a case; columns that it lacks are null.
func (t *tableWriter) addTable(name string, table *record.Table, columns []typedColumn) error {
	// columns of the table, by column of the file; −1: the table lacks it
	place := make([]int, len(columns))
	for k, c := range columns {
		place[k] = slices.Index(table.Columns, c.name)
	}
	// the first cell has the case, since all cases are in one file
	for i := range table.Data[0] {
		t.add(parquet.ByteArrayValue([]byte(name)))
		for _, k := range place {
			if k < 0 {
				t.add(parquet.NullValue())
			} else {
				t.add(numberValue(table.Data[k][i]))
			}
		}
		if err := t.end(); err != nil {
			return err
		}
	}
	return nil
}

// ForeignParquet lists the Parquet files in a study folder that this program did not write.
func ForeignParquet(dir string) []string {
	return slices.DeleteFunc([]string{filepath.Join(dir, CasesParquet), filepath.Join(dir, SignalsParquet)}, func(path string) bool { return !authorship.Foreign(path) })
}
