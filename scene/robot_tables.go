package scene

// Targets of robots may be tables: files of comma-separated values with a line of names and a row
// of numbers for each time. A cell that is empty or no number is a fault at its line and column;
// what the numbers mean is for package sim to check, which gets the lines of the rows for its
// messages.

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/curlfree/curlfree/internal/inputfile"
	"github.com/curlfree/curlfree/internal/textcell"
	"github.com/curlfree/curlfree/sim"
)

// robotTable reads the table of a robot drive's target, if it has one, and reports whether the
// drive can be added.
func (l *loader) robotTable(path string, p Pos, d *sim.RobotDrive) bool {
	// a target with a table has its file's name only: package sim reads no files
	of := d.Target
	for {
		late, ok := of.(*sim.DelayedTarget)
		if !ok {
			break
		}
		of = late.Target
	}
	target, ok := of.(sim.TableTarget)
	if !ok {
		return true
	}
	if target.TableFile() == "" {
		l.fail(p, "%s.target: a file is required, relative to the scene", path)
		return false
	}
	// paths are relative to the scene, so that both can be moved together
	file := l.rel(target.TableFile())
	text, err := readInput(file)
	if err != nil {
		l.fail(p, "%s.target: %v", path, err)
		return false
	}
	// any cell may change the run, so the whole file counts for the fingerprint
	l.digestFile(file, text)
	table, err := readRobotTable(file, text)
	if err != nil {
		l.errs = append(l.errs, err)
		return false
	}
	target.SetTable(table)
	return true
}

// readRobotTable reads a table of numbers. Lines that begin with # are comments.
func readRobotTable(path string, text []byte) (*sim.Table, error) {
	// as spreadsheets write it
	text, err := inputfile.Text(text)
	if err != nil {
		return nil, &Error{File: path, Msg: err.Error()}
	}
	r := csv.NewReader(bytes.NewReader(text))
	r.Comment, r.TrimLeadingSpace = '#', true
	t := &sim.Table{Path: path}
	for {
		cells, err := r.Read()
		var bad *csv.ParseError
		switch {
		case err == io.EOF:
			if t.Columns == nil {
				return nil, &Error{File: path, Msg: "the file is empty: a line with the names of columns and rows of numbers are required"}
			}
			return t, nil
		case errors.As(err, &bad):
			return nil, &Error{File: path, Pos: Pos{bad.Line, bad.Column}, Msg: bad.Err.Error()}
		case err != nil:
			return nil, &Error{File: path, Msg: err.Error()}
		// the first line names the columns; package csv checks every row against their number
		case t.Columns == nil:
			for _, name := range cells {
				t.Columns = append(t.Columns, textcell.Unescape(strings.TrimSpace(name)))
			}
			continue
		}
		row := make([]float64, len(cells))
		for i, cell := range cells {
			line, col := r.FieldPos(i)
			// x − x is NaN for NaN and for ±Inf, which no target has
			if row[i], err = strconv.ParseFloat(strings.TrimSpace(cell), 64); err != nil || math.IsNaN(row[i]-row[i]) {
				what := fmt.Sprintf("%q is no finite number", clip(cell))
				if strings.TrimSpace(cell) == "" {
					what = "is empty: every row has all numbers; leave the row out"
				}
				return nil, &Error{File: path, Pos: Pos{line, col}, Msg: fmt.Sprintf("%s: %s", t.Columns[i], what)}
			}
		}
		// comments and empty lines have no row, so a row's number is not that of its line
		line, _ := r.FieldPos(0)
		t.Rows, t.Lines = append(t.Rows, row), append(t.Lines, line)
	}
}
