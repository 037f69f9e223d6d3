package record

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
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
	b, err := readResult(path)
	if err != nil {
		return nil, err
	}
	return namedTable(path, b)
}

// ReadTable reads a table of the run being written, as far as it was flushed.
func (f *Folder) ReadTable(name string) (*Table, error) {
	path := filepath.Join(f.Dir, name+partial)
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return namedTable(path, b)
}

// namedTable parses a table and names its file in errors.
func namedTable(path string, b []byte) (*Table, error) {
	t, err := parseTable(b)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return t, nil
}

// readResult reads a file of a run folder, or as much of it as is written.
func readResult(path string) ([]byte, error) {
	b, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		if part, perr := os.ReadFile(path + partial); perr == nil {
			return part, nil
		}
	}
	return b, err
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
		if errors.Is(err, io.EOF) {
			return t, nil
		} else if err != nil {
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
