package record

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
)

// Table is a CSV file of numbers with a header.
type Table struct {
	Columns []string
	Data    [][]float64 // per column
}

// Column returns a column by name, nil when there is none.
func (t *Table) Column(name string) []float64 {
	for i, c := range t.Columns {
		if c == name {
			return t.Data[i]
		}
	}
	return nil
}

// ReadTable reads a table of a run folder, also while the run is going on.
func ReadTable(dir, name string) (*Table, error) {
	path := filepath.Join(dir, name)
	b, err := os.ReadFile(path)
	if err != nil {
		var err2 error
		if b, err2 = os.ReadFile(path + partial); err2 != nil {
			return nil, err
		}
	}
	t, err := parseTable(b)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return t, nil
}

func parseTable(b []byte) (*Table, error) {
	r := csv.NewReader(bytes.NewReader(b))
	r.ReuseRecord = true
	rows, err := r.Read()
	if err != nil {
		return nil, err
	}
	t := &Table{Columns: append([]string(nil), rows...)}
	t.Data = make([][]float64, len(t.Columns))
	for {
		row, err := r.Read()
		if err != nil {
			if row == nil && err.Error() == "EOF" {
				return t, nil
			}
			return nil, err
		}
		for i, s := range row {
			x, err := strconv.ParseFloat(s, 64)
			if err != nil {
				line, _ := r.FieldPos(i)
				return nil, fmt.Errorf("line %d, column %s: %q is not a number", line, t.Columns[i], s)
			}
			t.Data[i] = append(t.Data[i], x)
		}
	}
}
