package scene

// A table adds many bodies of few kinds to a scene. Each row is a copy of its kind in which
// cells set single values by the same paths as overrides. Cells that choose kinds, such as
// joint.type, are set first, because they decide which other keys there are. Faults have the
// place of their cell in the CSV file.
//	kind,x,y,shapes.0.sphere.radius
//	ball,0.1,0,0.02        → bodies.heap_1: kinds.ball with pose.xyz = (0.1, 0, 0), radius 0.02
//	ball,0.2,0,            → bodies.heap_2: an empty cell leaves what the kind says
//
// A table of n rows is n copies of kinds, checked as the bodies that a file writes out: overrides,
// signals and other sections may name them.
//
// Columns are paths into a body, not names of their own: what a scene can say about a body, a
// table can, and a new key of bodies needs no line here. A path that no kind of the table has is a
// fault of the first line; one that only some kinds have is a fault of the rows of the others,
// unless their cells are empty.

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/curlfree/curlfree/internal/inputfile"
	"github.com/curlfree/curlfree/kinds"
)

// Table places one body for each row of a CSV file. The first row names the
// columns, each a key of the body by its path (mass, pose.xyz.0, shapes.0.color) or
// by a short name of columnPaths. The body of a row is a copy of its kind with the
// values of the columns; an empty cell keeps the value of the kind. Lines that
// begin with # are comments.
type Table struct {
	Pos
	// File is the path of the CSV file, relative to the scene; a byte order mark is ignored.
	File string `key:"file" doc:"CSV"`
	// Name is the pattern of the names of bodies; default {name} if that column exists, else TABLE_{row}.
	Name string `key:"name" doc:"names of the bodies: {row} stands for the row's number from 1, {COLUMN} for its cell"`
	// Kind is the name of the column with the kind of each row; see Kinds.
	Kind string `key:"kind" doc:"column that names the kind, default \"kind\"; with a single kind none is needed"`
	// Kinds are the templates of bodies by name; a template is no body itself.
	Kinds Named[Body] `key:"kinds" doc:"templates of the bodies by name"`
	// Ignore lists columns that are not read. They must exist, so that misspelled names are found.
	Ignore []string `key:"ignore" doc:"columns that say nothing about the body"`
}

// columnPaths are the short names of columns. They are the columns that tools write which place
// many bodies: position, rotation in one of three forms, and both velocities.
var columnPaths = map[string]string{
	"x": "pose.xyz.0", "y": "pose.xyz.1", "z": "pose.xyz.2",
	"qw": "pose.quaternion.0", "qx": "pose.quaternion.1", "qy": "pose.quaternion.2", "qz": "pose.quaternion.3",
	"roll": "pose.rpy.0", "pitch": "pose.rpy.1", "yaw": "pose.rpy.2",
	"roll_deg": "pose.rpy_deg.0", "pitch_deg": "pose.rpy_deg.1", "yaw_deg": "pose.rpy_deg.2",
	"vx": "velocity.0", "vy": "velocity.1", "vz": "velocity.2",
	"wx": "angular_velocity.0", "wy": "angular_velocity.1", "wz": "angular_velocity.2",
}

// maxTableFaults is how many faults of one table are reported. A wrong separator or a shifted column
// makes a fault in every row, and the first ones show which.
const maxTableFaults = 10

// readTables adds the bodies of all tables to those that the scene writes out.
func (l *loader) readTables() {
	for _, name := range l.f.Tables.Keys {
		l.table(name, l.f.Tables.Get(name))
	}
}

// table adds the bodies of one table.
func (l *loader) table(name string, t *Table) {
	switch {
	case t.File == "":
		l.fail(t.Pos, "tables.%s.file is required: a CSV file with a row for each body", name)
		return
	case len(t.Kinds.Keys) == 0:
		l.fail(t.Pos, "tables.%s.kinds: at least one kind is required, the template of the bodies: {part: {shapes: …}}", name)
		return
	}
	path := l.rel(t.File)
	// faults of the file as a whole are at its entry in the scene
	text, err := readInput(path)
	if err != nil {
		l.fail(t.Pos, "tables.%s.file: %v", name, err)
		return
	}
	// one digest for the whole file: any cell may change the run
	l.digestFile(path, text)
	if text, err = inputfile.Text(text); err != nil {
		l.fail(t.Pos, "tables.%s.file: %s: %v", name, t.File, err)
		return
	}
	r := &tableReader{l: l, path: path, name: name, spec: t}
	// Comments and spaces after commas are for readers.
	// Package csv checks all rows for the number of columns of the first.
	r.csv = csv.NewReader(bytes.NewReader(text))
	r.csv.Comment, r.csv.TrimLeadingSpace = '#', true
	r.read()
}

// tableReader reads one table.
type tableReader struct {
	l    *loader
	path string // of the CSV file
	name string // of the table
	spec *Table
	csv  *csv.Reader
	// head has the names of the columns as the file writes them.
	head []string
	// paths are those of the columns in a body; "" for columns of names, kinds and Ignore.
	paths []string
	// kind is the column of the kind; −1: none.
	kind int
	// naming is Table.Name with its default.
	naming string
	// faults counts all of the table, also those that are not reported.
	faults int
}

// fail notes a fault at a cell of the line read last.
func (r *tableReader) fail(cell int, format string, args ...any) {
	line, col := r.csv.FieldPos(cell)
	r.fault(Pos{line, col}, fmt.Sprintf(format, args...))
}

// fault notes an error at a place of the CSV file, and counts those that are not reported.
func (r *tableReader) fault(p Pos, msg string) {
	if r.faults++; r.faults <= maxTableFaults {
		r.l.errs = append(r.l.errs, &Error{File: r.path, Pos: p, Msg: msg})
	}
}

// line reads a line; false at the end of the file and after a fault of the CSV
// itself.
func (r *tableReader) line() ([]string, bool) {
	cells, err := r.csv.Read()
	var bad *csv.ParseError
	switch {
	case err == nil:
		return cells, true
	case errors.Is(err, io.EOF):
	// the most common fault of the format: a comma too many or too few
	case errors.As(err, &bad) && errors.Is(err, csv.ErrFieldCount):
		r.fault(Pos{bad.Line, bad.Column}, fmt.Sprintf("%d cells, but the first line names %d columns", len(cells), len(r.head)))
	case errors.As(err, &bad):
		r.fault(Pos{bad.Line, bad.Column}, bad.Err.Error())
	default:
		r.fault(Pos{}, err.Error())
	}
	return nil, false
}

// read adds a body for each row, or reports the faults of the table.
func (r *tableReader) read() {
	head, ok := r.line()
	if !ok || !r.header(head) {
		if !ok && r.faults == 0 {
			r.fault(Pos{}, "the table is empty: its first line names the columns")
		}
		return
	}
	// every row is tried, so that all faults are reported in one run
	rows := 0
	for {
		cells, ok := r.line()
		if !ok {
			break
		}
		rows++
		r.row(rows, cells)
	}
	switch {
	case r.faults > maxTableFaults:
		r.l.errs = append(r.l.errs, &Error{File: r.path, Msg: fmt.Sprintf("and %d more faults", r.faults-maxTableFaults)})
	case rows == 0 && r.faults == 0:
		r.l.warn("%s: tables.%s has no rows, so no bodies", r.path, r.name)
	}
}

// header finds what the columns stand for.
func (r *tableReader) header(head []string) bool {
	r.head = make([]string, len(head))
	for i, c := range head {
		r.head[i] = strings.TrimSpace(c)
	}
	// columns with a special meaning
	r.kind = slices.Index(r.head, cmp.Or(r.spec.Kind, "kind"))
	r.naming = r.spec.Name
	if r.naming == "" {
		if r.naming = r.name + "_{row}"; slices.Contains(r.head, "name") {
			r.naming = "{name}"
		}
	}
	// all others are paths in a body
	r.paths = make([]string, len(head))
	for i, c := range r.head {
		named := i == r.kind || slices.Contains(r.spec.Ignore, c) || strings.Contains(r.naming, "{"+c+"}")
		switch {
		case slices.Contains(r.head[:i], c):
			r.fail(i, "the column %s is given twice", c)
		case named:
		// spreadsheets of some languages write semicolons
		case len(head) == 1 && strings.ContainsAny(c, ";\t"):
			r.fail(i, "one column only, %q: separate cells by commas", clip(c))
		default:
			if r.paths[i] = columnPaths[c]; r.paths[i] == "" {
				r.paths[i] = c
			}
			// columns that no kind can use are faults of the head, once, not of every row
			if err := r.checkColumn(r.paths[i]); err != nil {
				r.fail(i, "column %s: %v (list columns that are not keys of a body under tables.%s.ignore)", clip(c), err, r.name)
			}
		}
	}
	// a name that is no column hides a misspelled one
	for _, c := range r.spec.Ignore {
		if !slices.Contains(r.head, c) {
			r.l.fail(r.spec.Pos, "tables.%s.ignore: %s has no column %q%s", r.name, r.path, c, kinds.Suggest(c, r.head))
		}
	}
	if r.kind < 0 && (r.spec.Kind != "" || len(r.spec.Kinds.Keys) > 1) {
		r.fault(Pos{}, fmt.Sprintf("no column %s, which names the kind of each body (tables.%s.kind)", cmp.Or(r.spec.Kind, "kind"), r.name))
	}
	return r.faults == 0
}

// row adds the body of a row. A row with a fault adds no body; the rows after it are read all the
// same.
func (r *tableReader) row(number int, cells []string) {
	// the name, from the row number and cells
	name := strings.ReplaceAll(r.naming, "{row}", strconv.Itoa(number))
	for i, c := range r.head {
		cells[i] = strings.TrimSpace(cells[i])
		name = strings.ReplaceAll(name, "{"+c+"}", cells[i])
	}
	// the kind whose copy the row changes
	known := &r.spec.Kinds
	kind := known.Get(known.Keys[0])
	if r.kind >= 0 {
		if kind = known.Get(cells[r.kind]); kind == nil {
			r.fail(r.kind, "unknown kind %q%s", clip(cells[r.kind]), kinds.Suggest(cells[r.kind], known.Keys))
			return
		}
	}
	bodies := &r.l.f.Bodies
	// a name twice would replace the first body
	if bodies.Get(name) != nil {
		r.fail(0, "a body is called %q already: name the rows apart by tables.%s.name, such as %q", clip(name), r.name, r.name+"_{row}")
		return
	}
	// a deep copy: the rows of a kind share nothing that a cell could change
	body := clone(reflect.ValueOf(kind).Elem()).Interface().(Body)
	if !r.setCells(&body, cells) {
		return
	}
	// a quaternion is put together from four cells, none of which is wrong alone
	if q := body.Pose.Quaternion; q != nil {
		if n := math.Hypot(math.Hypot(q[0], q[1]), math.Hypot(q[2], q[3])); math.Abs(n*n-1) > 1e-3 {
			r.fail(0, "the quaternion %v has the norm %.4g: rotations are unit quaternions (w, x, y, z)", *q, n)
			return
		}
	}
	// Bounds and required keys of the whole body: kinds of tables were not checked for them,
	// because columns complete them. Faults have the place of the row.
	before := r.faults
	validator{func(_ Pos, msg string) { r.fail(0, "%s", msg) }}.value(reflect.ValueOf(&body).Elem(), "bodies."+name, Pos{})
	if r.faults > before {
		return
	}
	bodies.add(name)
	*bodies.Get(name) = body
}

// setCells sets the values of a row, first those that choose kinds, such as joint.type,
// because the kinds decide which other keys there are.
func (r *tableReader) setCells(body *Body, cells []string) bool {
	for _, choices := range []bool{true, false} {
		for i, path := range r.paths {
			if path == "" || cells[i] == "" || choosesKind(path) != choices {
				continue
			}
			if err := setCell(body, path, cells[i]); err != nil {
				r.fail(i, "column %s: %v", r.head[i], err)
				return false
			}
		}
	}
	return true
}
