package report

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml"

	"github.com/curlfree/curlfree/internal/inputfile"
	"github.com/curlfree/curlfree/render"
)

// num writes a number with four digits.
func num(x float64) string { return strings.ReplaceAll(strconv.FormatFloat(x, 'g', 4, 64), "-", "−") }

// quantity writes a number in the SI unit or with a prefix of it.
func quantity(x float64, unit string) string {
	if unit == "s" {
		if x != 0 && x < 0.1 {
			return num(x*1e3) + " ms"
		}
		return num(x) + " s"
	}
	factor, name := render.Readable(unit, x)
	return num(x*factor) + " " + name
}

// pngOf encodes a picture.
func pngOf(img image.Image) ([]byte, error) {
	var b bytes.Buffer
	err := png.Encode(&b, img)
	return b.Bytes(), err
}

// chart draws a figure as a drawing for pages and as a picture for PDF.
func chart(fig *render.Figure) (Figure, error) {
	dir, err := os.MkdirTemp("", "curlfree-report-")
	if err != nil {
		return Figure{}, err
	}
	defer os.RemoveAll(dir)
	svg, pic := filepath.Join(dir, "a.svg"), filepath.Join(dir, "a.png")
	if err := fig.Write(svg, pic); err != nil {
		return Figure{}, err
	}
	f := Figure{Share: 1}
	if f.SVG, err = os.ReadFile(svg); err == nil {
		f.PNG, err = os.ReadFile(pic)
	}
	return f, err
}

// sceneParts returns tables of the sections of a scene file that say what bodies are made of. The file may be gone,
// which the note says.
func sceneParts(path string) (tables []*Table, note string) {
	text, err := inputfile.Read(path)
	if err != nil {
		return nil, "The scene file is not there any more: materials are not listed."
	}
	var file yaml.MapSlice
	if err := yaml.UnmarshalWithOptions(text, &file, yaml.UseOrderedMap()); err != nil {
		return nil, "The scene file has changed and cannot be read: materials are not listed."
	}
	for _, name := range []string{"materials", "robots", "solver"} {
		for _, item := range file {
			if value, ok := item.Value.(yaml.MapSlice); ok && fmt.Sprint(item.Key) == name {
				tables = append(tables, partTable(name, value))
			}
		}
	}
	if len(tables) > 0 {
		note = "Materials, robots and solver are those of the scene file as it is now."
	}
	return tables, note
}

// partTable makes a row for each item of a section: its name, and its keys and values.
func partTable(name string, section yaml.MapSlice) *Table {
	t := &Table{Head: []string{strings.TrimSuffix(name, "s"), "values"}}
	for _, item := range section {
		t.Rows = append(t.Rows, TableRow{Cells: []string{fmt.Sprint(item.Key), inline(item.Value)}})
	}
	return t
}

// inline writes a value of a file in one line.
func inline(v any) string {
	switch v := v.(type) {
	case yaml.MapSlice:
		var out []string
		for _, item := range v {
			out = append(out, fmt.Sprintf("%v: %s", item.Key, inline(item.Value)))
		}
		return strings.Join(out, ", ")
	case []any:
		var out []string
		for _, x := range v {
			out = append(out, inline(x))
		}
		return "[" + strings.Join(out, ", ") + "]"
	}
	return fmt.Sprint(v)
}

// isNumber reports whether a cell is a number, which is right-aligned.
func isNumber(cell string) bool {
	word, _, _ := strings.Cut(strings.ReplaceAll(cell, "−", "-"), " ")
	_, err := strconv.ParseFloat(word, 64)
	return err == nil
}

// numeric tells which columns of a table hold numbers in all rows.
func (t *Table) numeric() []bool {
	out := make([]bool, len(t.Head))
	for k := range out {
		out[k] = len(t.Rows) > 0 && !slices.ContainsFunc(t.Rows, func(r TableRow) bool { return k >= len(r.Cells) || r.Cells[k] != "–" && !isNumber(r.Cells[k]) })
	}
	return out
}
