package sim

// A table has the numbers of a recorded motion, which the targets of robot_target_tables.go and
// robot_target_twists.go follow. This package reads no file: a scene does, and gives the target a table with
// the name of the file and the lines of its rows, so that messages can say where a number is wrong. A
// table is checked as a whole before it is used. An unknown column is an error, since it is more often
// a misspelt name than one to be left out.

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/r3"
)

// Table is a table of numbers over time from a file of comma-separated values: a row for each
// time, which need not be equidistant.
type Table struct {
	// Path is the path of the file, for messages.
	Path string
	// Columns are the names of the columns. One is time_s.
	Columns []string
	// Rows are the numbers.
	Rows [][]float64
	// Lines are the line numbers of the rows in the file, for messages; nil: 1, 2, ….
	Lines []int
}

// timeColumn is the name of the column of times, s.
const timeColumn = "time_s"

// TableTarget is a target that is given by a table in a file. Scenes read the file, since this package
// reads no files.
type TableTarget interface {
	RobotTarget
	// TableFile returns the name of the file.
	TableFile() string
	// SetTable sets the content of the file.
	SetTable(*Table)
}

// tableOf is the table of a target.
type tableOf struct {
	// Table are the numbers, of the file or of a program.
	Table *Table
}

// SetTable implements TableTarget.
func (t *tableOf) SetTable(table *Table) { t.Table = table }

// line names the line of a row, in a form that editors open, FILE:LINE.
func (t *Table) line(row int) string {
	if t.Lines == nil {
		return fmt.Sprintf("%s: row %d", t.Path, row+1)
	}
	return fmt.Sprintf("%s:%d", t.Path, t.Lines[row])
}

// check returns an error unless the table has increasing times, finite numbers, all the columns
// that are wanted, and no other but those of optional.
func (t *Table) check(wanted, optional []string) error {
	if t == nil || len(t.Rows) == 0 {
		return fmt.Errorf("no table with rows: give one with the columns %s", strings.Join(append([]string{timeColumn}, wanted...), ", "))
	}
	known := slices.Concat([]string{timeColumn}, wanted, optional)
	for i, name := range t.Columns {
		switch {
		case slices.Contains(t.Columns[:i], name):
			return fmt.Errorf("%s: the column %q is there twice", t.Path, name)
		case !slices.Contains(known, name):
			return fmt.Errorf("%s: unknown column %q%s", t.Path, name, kinds.Suggest(name, known))
		}
	}
	for _, name := range known[:1+len(wanted)] {
		if !slices.Contains(t.Columns, name) {
			return fmt.Errorf("%s: there is no column %s: the columns %s are required", t.Path, name, strings.Join(known[:1+len(wanted)], ", "))
		}
	}
	// rows, in the order of the file: the first fault is reported
	at := slices.Index(t.Columns, timeColumn)
	for i, row := range t.Rows {
		if len(row) != len(t.Columns) {
			return fmt.Errorf("%s: %d numbers in a row of %d columns", t.line(i), len(row), len(t.Columns))
		}
		for k, x := range row {
			if math.IsNaN(x - x) { // true of ±Inf, too: Inf − Inf is NaN
				return fmt.Errorf("%s: %s is %g: a finite number is required", t.line(i), t.Columns[k], x)
			}
		}
		// rates are differences of rows divided by those of times
		if i > 0 && !(row[at] > t.Rows[i-1][at]) {
			return fmt.Errorf("%s: times must increase: %g s follows %g s", t.line(i), row[at], t.Rows[i-1][at])
		}
	}
	return nil
}

// columns returns the times (s), and a row for each of them of the columns named, row-major. The
// table must have them: check comes first.
func (t *Table) columns(names ...string) (times, values []float64) {
	at := make([]int, len(names))
	for i, name := range names {
		at[i] = slices.Index(t.Columns, name)
	}
	clock := slices.Index(t.Columns, timeColumn)
	for _, row := range t.Rows {
		times = append(times, row[clock])
		for _, k := range at {
			values = append(values, row[k])
		}
	}
	return times, values
}

// has reports whether the table has all columns named.
func (t *Table) has(names ...string) bool {
	for _, name := range names {
		if !slices.Contains(t.Columns, name) {
			return false
		}
	}
	return true
}

// Columns of poses and of twists.
var (
	placeColumns      = []string{"x", "y", "z"}                      // m, in the world
	quaternionColumns = []string{"qw", "qx", "qy", "qz"}             // of unit length, scalar first
	angleColumns      = []string{"roll", "pitch", "yaw"}             // rad, about the fixed axes x, y, z in turn
	twistColumns      = []string{"vx", "vy", "vz", "wx", "wy", "wz"} // m/s and rad/s
)

// rotations returns the rotation of each row: by quaternions, by angles, or none. Where a table has both,
// quaternions count: they have no singular direction.
func (t *Table) rotations() (R []r3.Mat, err error) {
	switch {
	case t.has(quaternionColumns...):
		_, q := t.columns(quaternionColumns...)
		for i := range t.Rows {
			x := r3.Quat{q[4*i], q[4*i+1], q[4*i+2], q[4*i+3]}
			if n := math.Sqrt(x[0]*x[0] + x[1]*x[1] + x[2]*x[2] + x[3]*x[3]); math.Abs(n-1) > quaternionTol {
				return nil, fmt.Errorf("%s: the quaternion has length %.6g: 1 is required", t.line(i), n)
			}
			R = append(R, x.Unit().Mat())
		}
	case t.has(angleColumns...):
		_, a := t.columns(angleColumns...)
		for i := range t.Rows {
			R = append(R, r3.RotRPY(a[3*i], a[3*i+1], a[3*i+2]))
		}
	default:
		// one of the columns alone is a slip, not a table without rotations
		for i := range slices.Concat(quaternionColumns, angleColumns) {
			if name := slices.Concat(quaternionColumns, angleColumns)[i]; t.has(name) {
				return nil, fmt.Errorf("%s: rotations need the columns %s, or %s: there is only %s of them", t.Path, strings.Join(quaternionColumns, ", "), strings.Join(angleColumns, ", "), name)
			}
		}
	}
	return R, nil
}

// quaternionTol is by how much the length of a quaternion of a file may differ from 1: numbers of four
// decimals are off by less, angles written into its columns as a rule by more.
const quaternionTol = 1e-3
