package record

import (
	"bytes"
	"encoding/csv"
	"errors"
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

// ReadTable reads a table of a run folder: of the finished run, else of the one
// that is going on.
func ReadTable(dir, name string) (*Table, error) {
	path := filepath.Join(dir, name)
	t, err := readTable(path)
	if errors.Is(err, os.ErrNotExist) {
		if going, err := readTable(path + partial); err == nil {
			return going, nil
		}
	}
	return t, err
}

// ReadTable reads a table of the run being written, as far as it was flushed.
func (f *Folder) ReadTable(name string) (*Table, error) {
	return readTable(filepath.Join(f.Dir, name+partial))
}

func readTable(path string) (*Table, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
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
