package elastomers

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Kind is the strain of a test.
type Kind string

// Kinds of tests. Compression is uniaxial, with strain and stress counted positive.
const (
	Uniaxial    Kind = "uniaxial"
	Equibiaxial Kind = "equibiaxial"
	Planar      Kind = "planar"
	Compression Kind = "compression"
)

// Kinds lists the kinds of tests.
var Kinds = []Kind{Uniaxial, Equibiaxial, Planar, Compression}

// Test is a measured curve.
type Test struct {
	// Name is a name for reports, such as the file.
	Name string
	// Kind is the strain.
	Kind Kind
	// Stretch are lengths over those at rest, and Stress engineering stresses (force over the area at rest), Pa;
	// negative in compression.
	Stretch, Stress []float64
}

// stretches returns λ₁ and λ₃ of (1).
func (k Kind) stretches(s float64) (along, free, other float64) {
	switch k {
	case Equibiaxial:
		return s, 1 / (s * s), s
	case Planar:
		return s, 1 / s, 1
	}
	return s, 1 / math.Sqrt(s), 1 / math.Sqrt(s)
}

// Format says what the columns of a file are, where its header does not.
type Format struct {
	// Kind is the strain; empty: uniaxial.
	Kind Kind
	// StressUnit is the unit of stresses: Pa, kPa, MPa, GPa, psi or N/mm2; empty: as the header says.
	StressUnit string
	// True says that stresses are forces over the present area.
	True bool
}

// pascals are units of stress.
var pascals = map[string]float64{"pa": 1, "kpa": 1e3, "mpa": 1e6, "gpa": 1e9, "psi": 6894.757293168361, "n/mm2": 1e6, "n/mm²": 1e6, "n/mm^2": 1e6}

const (
	maxRows = 1_000_000
	maxLine = 1 << 16
)

// Read reads a table of text with the columns strain or stretch, and stress, separated by commas, semicolons, tabs
// or blanks; with semicolons, commas may be decimal. Lines before the first one of numbers are the header, whose
// words name the columns and their units, such as "strain (%), stress (kPa)". Without names, the first two columns
// count. Errors name the line and what would do.
func Read(r io.Reader, name string, f Format) (*Test, error) {
	t := &table{Test: &Test{Name: name, Kind: f.Kind}, format: f}
	if t.Kind == "" {
		t.Kind = Uniaxial
	}
	if !slices.Contains(Kinds, t.Kind) {
		return nil, fmt.Errorf("%s: unknown kind of test %q: one of %v", name, t.Kind, Kinds)
	}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxLine)
	n := 0
	for lines.Scan() {
		n++
		if err := t.line(strings.TrimSpace(strings.TrimPrefix(lines.Text(), "\ufeff"))); err != nil {
			return nil, fmt.Errorf("%s, line %d: %w", name, n, err)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%s, after line %d: %w", name, n, err)
	}
	if len(t.Stretch) == 0 {
		return nil, fmt.Errorf("%s: no row of numbers: two columns are needed, strain and stress, such as \"strain,stress_MPa\" and rows below", name)
	}
	if t.Kind == Compression {
		t.Kind = Uniaxial
	}
	return t.Test, nil
}

// table is a test that is being read.
type table struct {
	*Test
	format  Format
	header  []string
	columns columns
}

// line reads a line.
func (t *table) line(text string) error {
	cells := split(text)
	if !t.columns.known {
		if text == "" || strings.HasPrefix(text, "#") || numbers(cells) < 2 {
			t.header = append(t.header, strings.TrimPrefix(text, "#"))
			return nil
		}
		if err := t.columns.find(t.header, cells, &t.format); err != nil {
			return err
		}
	}
	c := &t.columns
	strain, ok1 := number(cells, c.strain)
	stress, ok2 := number(cells, c.stress)
	switch {
	case !ok1 && !ok2 && len(t.Stretch) > 0:
		return nil // a row of another channel, or a footer
	case !ok1 || !ok2:
		return fmt.Errorf("columns %d and %d must be numbers: %q", c.strain+1, c.stress+1, short(text))
	case len(t.Stretch) >= maxRows:
		return fmt.Errorf("more than %d rows", maxRows)
	}
	return t.add(strain, stress, c, t.format.True)
}

// add appends a row.
func (t *Test) add(strain, stress float64, c *columns, truth bool) error {
	stress *= c.unit
	strain *= c.percent
	if t.Kind == Compression {
		if !c.isStretch {
			strain = -math.Abs(strain)
		}
		stress = -math.Abs(stress)
	}
	s := strain
	if !c.isStretch {
		s = 1 + strain
	}
	if !(s > 0) || math.IsInf(s, 0) || math.IsNaN(stress) || math.IsInf(stress, 0) {
		return fmt.Errorf("a stretch of %g and a stress of %g Pa: stretches are positive, the length over that at rest, and strains greater than -1; is the strain in percent? Then its header says %%", s, stress)
	}
	if truth {
		stress /= s
	}
	t.Stretch, t.Stress = append(t.Stretch, s), append(t.Stress, stress)
	return nil
}

// columns are the places of a table.
type columns struct {
	known          bool
	strain, stress int
	isStretch      bool
	percent, unit  float64
}

// find finds the columns, given the header and the first row of numbers.
func (c *columns) find(header, row []string, f *Format) error {
	c.strain, c.stress, c.percent = -1, -1, 1
	unit := ""
	for _, line := range header {
		if cells := split(line); len(cells) > 1 {
			for i, cell := range cells {
				unit = c.word(i, strings.ToLower(cell), unit)
			}
		}
	}
	if c.strain < 0 || c.stress < 0 {
		c.strain, c.stress = 0, 1
	}
	if most := max(c.strain, c.stress); most >= len(row) {
		return fmt.Errorf("the header names column %d, the rows have %d columns", most+1, len(row))
	}
	given := strings.ToLower(f.StressUnit)
	switch {
	case given != "" && unit != "" && given != unit:
		return fmt.Errorf("the header gives stresses in %s, the option in %s: leave out the option or correct the header", unit, f.StressUnit)
	case given != "":
		unit = given
	case unit == "":
		return errors.New("the unit of stress is not given: write it into the header, such as stress_MPa, or give it as option: Pa, kPa, MPa, psi or N/mm2")
	}
	scale, ok := pascals[unit]
	if !ok {
		return fmt.Errorf("unknown unit of stress %q: one of Pa, kPa, MPa, GPa, psi, N/mm2", f.StressUnit)
	}
	c.unit, c.known = scale, true
	return nil
}

// word reads cell i of the header, a name or a unit below it, and returns the unit of stress so far.
func (c *columns) word(i int, word, unit string) string {
	switch {
	case strings.Contains(word, "stress") || strings.Contains(word, "pressure"):
		c.stress = i
	case strings.Contains(word, "stretch"):
		c.strain, c.isStretch = i, true
	case strings.Contains(word, "strain") || strings.Contains(word, "elongation"):
		c.strain, c.isStretch = i, false
	}
	if i == c.strain && strings.Contains(word, "%") {
		c.percent = 0.01
	}
	if u := unitOf(word); u != "" && i == c.stress {
		return u
	}
	return unit
}

// unitOf returns the unit of stress that a word of a header ends with or has in brackets; empty: none.
func unitOf(word string) string {
	parts := strings.FieldsFunc(strings.ToLower(word), func(r rune) bool { return strings.ContainsRune("()[]{}_ :,\"", r) })
	for _, p := range slices.Backward(parts) {
		if _, ok := pascals[p]; ok {
			return p
		}
	}
	return ""
}

// split cuts a row into cells.
func split(text string) []string {
	var cells []string
	switch {
	case strings.Contains(text, ";"):
		cells = strings.Split(strings.ReplaceAll(text, ",", "."), ";")
	case strings.Contains(text, "\t"):
		cells = strings.Split(text, "\t")
	case strings.Contains(text, ","):
		cells = strings.Split(text, ",")
	default:
		cells = strings.Fields(text)
	}
	for i := range cells {
		cells[i] = strings.Trim(strings.TrimSpace(cells[i]), `"'`)
	}
	return cells
}

// numbers counts cells that are numbers.
func numbers(cells []string) (n int) {
	for i := range cells {
		if _, ok := number(cells, i); ok {
			n++
		}
	}
	return n
}

func number(cells []string, i int) (float64, bool) {
	if i < 0 || i >= len(cells) {
		return 0, false
	}
	x, err := strconv.ParseFloat(cells[i], 64)
	return x, err == nil
}

// short returns a text that fits into a message.
func short(s string) string {
	if r := []rune(s); len(r) > 60 {
		return string(r[:60]) + "…"
	}
	return s
}
