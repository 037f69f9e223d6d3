package report

import (
	"bytes"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/curlfree/curlfree/internal/atomicfile"
	"github.com/curlfree/curlfree/render"
)

// pngOf encodes a picture.
func pngOf(img image.Image) ([]byte, error) {
	var b bytes.Buffer
	err := png.Encode(&b, img)
	return b.Bytes(), err
}

// chart draws a figure as a drawing for pages and as a picture for PDF.
func chart(fig *render.Figure) (Figure, error) {
	// figures are written to files, since their writers choose the format by the name
	dir, remove, err := atomicfile.TempDir("curlfree-report-")
	if err != nil {
		return Figure{}, err
	}
	defer remove()
	svg, pic := filepath.Join(dir, "a.svg"), filepath.Join(dir, "a.png")
	// both from one drawing, so that page and PDF cannot differ
	if err := fig.Write(svg, pic); err != nil {
		return Figure{}, err
	}
	f := Figure{Share: 1}
	if f.SVG, err = os.ReadFile(svg); err == nil {
		f.PNG, err = os.ReadFile(pic)
	}
	return f, err
}

// isNumber reports whether a cell is a number, which is right-aligned.
func isNumber(cell string) bool {
	// units stand behind a space
	word, _, _ := strings.Cut(strings.ReplaceAll(cell, "−", "-"), " ")
	word, _, _ = strings.Cut(strings.TrimSuffix(word, "°"), "×")
	_, err := strconv.ParseFloat(word, 64)
	return err == nil
}

// numeric says which columns of a table have numbers in all rows.
func (t *Table) numeric() []bool {
	out := make([]bool, len(t.Head))
	for k := range out {
		out[k] = len(t.Rows) > 0 && !slices.ContainsFunc(t.Rows, func(r TableRow) bool { return k >= len(r.Cells) || r.Cells[k] != "–" && !isNumber(r.Cells[k]) })
	}
	return out
}
