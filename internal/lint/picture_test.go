package lint

import (
	"bytes"
	"flag"
	"fmt"
	"html"
	"os"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write docs/architecture.svg and the table of ARCHITECTURE.md")

// Measures of the picture, px.
const (
	pictureWidth = 1160
	rowHeight    = 64
	rowGap       = 10
	leftMargin   = 46 // numbers of rows
	rightMargin  = 14
	topMargin    = 44 // legend
	boxGap       = 10
	charWidth    = 6.3 // of a phrase
	mostBoxes    = 5   // side by side, so that names and phrases fit
)

// colors of groups: fill and border.
var colors = [...]struct{ name, fill, border string }{
	base:     {"tools", "#eeeeee", "#9a9a9a"},
	physics:  {"mechanics: no files, no pictures", "#dcebfa", "#5b93c9"},
	formats:  {"meshes and files", "#e3f2df", "#6ca85f"},
	pictures: {"pictures", "#f7e4f3", "#b774a8"},
	programs: {"programs", "#fdeed3", "#cf9a3c"},
}

// TestPictureIsUpToDate compares docs/architecture.svg with the rows.
func TestPictureIsUpToDate(t *testing.T) {
	compare(t, "../../docs/architecture.svg", picture())
}

// TestTableIsUpToDate compares the table of ARCHITECTURE.md with the rows.
func TestTableIsUpToDate(t *testing.T) { compareSection(t, "../../ARCHITECTURE.md", "rows", table()) }

// compareSection compares a section of a document, between two comments, with what it should be.
func compareSection(t *testing.T, path, name, want string) {
	t.Helper()
	begin, end := "<!-- "+name+": made by internal/lint -->\n", "<!-- end of "+name+" -->\n"
	old, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(old), begin)
	_, after, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatalf("%s has no lines %q and %q", path, begin, end)
	}
	compare(t, path, []byte(before+begin+want+end+after))
}

// compare fails unless a file has the given content, or writes it with -update.
func compare(t *testing.T, path string, want []byte) {
	t.Helper()
	got, err := os.ReadFile(path)
	if err == nil && bytes.Equal(got, want) {
		return
	}
	if *update {
		if err := os.WriteFile(path, want, 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	t.Errorf("%s does not show the tables of internal/lint: run go test ./internal/lint -update", path)
}

// table returns the rows as a Markdown table.
func table() string {
	var b strings.Builder
	b.WriteString("| row | packages |\n|--:|---|\n")
	for i, row := range rows {
		var cells []string
		for _, p := range row {
			cells = append(cells, fmt.Sprintf("[%s](%s): %s", p.name, p.name, p.phrase))
		}
		fmt.Fprintf(&b, "| %d | %s |\n", len(rows)-1-i, strings.Join(cells, "<br>"))
	}
	return b.String()
}

// picture returns the rows as an SVG drawing.
func picture() []byte {
	var b bytes.Buffer
	lines := 0
	for _, row := range rows {
		lines += linesOf(row)
	}
	height := topMargin + lines*(rowHeight+rowGap) + 6
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" font-family="Helvetica, Arial, sans-serif" font-size="12" fill="#222222">`+"\n",
		pictureWidth, height, pictureWidth, height)
	b.WriteString("<title>Packages of curlfree: a package imports packages of lower rows only</title>\n")
	fmt.Fprintf(&b, `<rect width="%d" height="%d" fill="#ffffff"/>`+"\n", pictureWidth, height)
	legend(&b)
	y := topMargin
	for i, row := range rows {
		fmt.Fprintf(&b, `<text x="%d" y="%d" font-size="15" fill="#777777" text-anchor="end">%d</text>`+"\n", leftMargin-14, y+rowHeight/2+5, len(rows)-1-i)
		n := (len(row) + linesOf(row) - 1) / linesOf(row)
		for line := range slices.Chunk(row, n) {
			width := float64(pictureWidth-leftMargin-rightMargin+boxGap)/float64(n) - boxGap
			for j, p := range line {
				box(&b, p, leftMargin+float64(j)*(width+boxGap), float64(y), width)
			}
			y += rowHeight + rowGap
		}
	}
	b.WriteString("</svg>\n")
	return b.Bytes()
}

// linesOf returns the number of lines of boxes of a row.
func linesOf(row []member) int { return (len(row) + mostBoxes - 1) / mostBoxes }

// legend draws what colours and the order of rows mean.
func legend(b *bytes.Buffer) {
	x := float64(leftMargin)
	for _, c := range colors {
		fmt.Fprintf(b, `<rect x="%.0f" y="14" width="16" height="16" rx="3" fill="%s" stroke="%s"/>`+"\n", x, c.fill, c.border)
		fmt.Fprintf(b, `<text x="%.0f" y="27" font-size="13">%s</text>`+"\n", x+22, c.name)
		x += 46 + 6.9*float64(len(c.name))
	}
	fmt.Fprintf(b, `<text x="%d" y="27" font-size="13" text-anchor="end">a package imports packages of lower rows only ↓</text>`+"\n", pictureWidth-rightMargin)
}

// box draws a package: its name, and its phrase in one or two lines.
func box(b *bytes.Buffer, p member, x, y, width float64) {
	c := colors[p.group]
	stroke := 1.0
	if p.name == "cliques" { // all bodies and constraints meet the solver here
		stroke = 2.5
	}
	fmt.Fprintf(b, `<rect x="%.1f" y="%.1f" width="%.1f" height="%d" rx="6" fill="%s" stroke="%s" stroke-width="%.1f"/>`+"\n", x, y, width, rowHeight, c.fill, c.border, stroke)
	lines := wrap(p.phrase, int((width-16)/charWidth))
	top := y + rowHeight/2 + 5 - 8*float64(len(lines))
	fmt.Fprintf(b, `<text x="%.1f" y="%.1f" font-size="14" font-weight="bold" text-anchor="middle">%s</text>`+"\n", x+width/2, top, html.EscapeString(p.name))
	for i, line := range lines {
		fmt.Fprintf(b, `<text x="%.1f" y="%.1f" text-anchor="middle">%s</text>`+"\n", x+width/2, top+17+15*float64(i), html.EscapeString(line))
	}
}

// wrap breaks a text into lines of at most n characters where words allow it.
func wrap(text string, n int) (lines []string) {
	for _, word := range strings.Fields(text) {
		if k := len(lines) - 1; k >= 0 && len([]rune(lines[k]))+1+len([]rune(word)) <= n {
			lines[k] += " " + word
		} else {
			lines = append(lines, word)
		}
	}
	return lines
}
