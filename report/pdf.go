package report

import (
	"bytes"
	"fmt"
	"image/png"
	"io"
	"slices"
	"strings"

	"codeberg.org/go-fonts/liberation/liberationsansbold"
	"codeberg.org/go-fonts/liberation/liberationsansregular"
	"codeberg.org/go-pdf/fpdf"

	"github.com/curlfree/curlfree/internal/authorship"
)

// Pages of a PDF are A4 upright. Everything is set from above to below; what does not fit on the rest of a page begins
// the next one. Lengths are mm, sizes of letters points.
const (
	pageWidth, pageHeight = 210.0, 297.0
	border                = 18.0
	column                = pageWidth - 2*border
	gutter                = 4.0 // between figures side by side
)

// pdfWriter sets a document.
type pdfWriter struct {
	*fpdf.Fpdf
	images int
	// ends are where pages end at which something did not fit any more, mm.
	ends []float64
}

// newPDFWriter begins a document: A4, lengths in mm, with fonts of its own, so that it looks the same on any machine.
func newPDFWriter() *pdfWriter {
	p := &pdfWriter{Fpdf: fpdf.New("P", "mm", "A4", "")}
	p.SetCompression(true)
	p.SetMargins(border, border, border)
	p.SetAutoPageBreak(true, border)
	p.AddUTF8FontFromBytes("sans", "", liberationsansregular.TTF)
	p.AddUTF8FontFromBytes("sans", "B", liberationsansbold.TTF)
	p.SetFooterFunc(func() {
		p.SetY(-12)
		p.font("", 8, Plain)
		p.CellFormat(0, 4, fmt.Sprint(p.PageNo()), "", 0, "R", false, 0, "")
	})
	p.AddPage()
	return p
}

// WritePDF writes the report as a PDF.
func (d *Document) WritePDF(w io.Writer) error {
	p := d.pdf()
	var b bytes.Buffer
	if err := p.Output(&b); err != nil {
		return err
	}
	// a comment behind the end of the document
	b.WriteString("\n% " + authorship.Mark + "\n")
	_, err := w.Write(b.Bytes())
	return err
}

// pdf sets the report.
func (d *Document) pdf() *pdfWriter {
	p := newPDFWriter()
	p.SetTitle(d.Title, true)
	p.font("", 9, Plain)
	p.MultiCell(column, 4.5, d.Kind, "", "L", false)
	p.font("B", 19, Plain)
	p.MultiCell(column, 8.5, d.Title, "", "L", false)
	p.Ln(1)
	p.font("B", 11, d.State)
	p.MultiCell(column, 6, d.Verdict, "", "L", false)
	p.warnings(d.Warnings)
	p.Ln(2)
	p.facts(d.Facts)
	for _, s := range d.Sections {
		p.section(s)
	}
	return p
}

// warnings sets warnings below the verdict.
func (p *pdfWriter) warnings(texts []string) {
	for _, text := range texts {
		p.font("", 9, Open)
		p.MultiCell(column, 4.4, "Warning: "+text, "", "L", false)
		p.Ln(0.5)
	}
}

// font selects letters of a style and size in the colour of a state.
func (p *pdfWriter) font(style string, size float64, state State) {
	p.SetFont("sans", style, size)
	switch state {
	case Good:
		p.SetTextColor(26, 127, 55)
	case Bad:
		p.SetTextColor(194, 41, 61)
	case Open:
		p.SetTextColor(154, 103, 0)
	default:
		p.SetTextColor(34, 39, 46)
	}
}

// room begins a page unless so much height, mm, is left on this one.
func (p *pdfWriter) room(height float64) {
	if p.GetY()+height > pageHeight-border && height < pageHeight-2*border {
		p.ends = append(p.ends, p.GetY())
		p.AddPage()
	}
}

// section sets a section.
func (p *pdfWriter) section(s *Section) {
	// a title never stands alone at the end of a page: the first figure follows on the same one
	need := 45.0
	if len(s.Facts)+len(s.Tables) == 0 && len(s.Figures) > 0 {
		if c, err := png.DecodeConfig(bytes.NewReader(s.Figures[0].PNG)); err == nil {
			need = 32 + s.Figures[0].Share*column*float64(c.Height)/float64(c.Width)
		}
	}
	p.room(need)
	if p.GetY() > border+1 { // not at the top of a page
		p.Ln(6)
	}
	p.font("B", 13, Plain)
	p.MultiCell(column, 7, s.Title, "", "L", false)
	p.Ln(1)
	if s.Note != "" {
		p.font("", 9, Plain)
		p.MultiCell(column, 4.4, s.Note, "", "L", false)
		p.Ln(1.5)
	}
	p.facts(s.Facts)
	if !p.beside(s) {
		p.tables(s.Tables)
		p.figures(s.Figures)
	}
	for _, text := range s.Texts {
		p.font("", 9, Plain)
		p.MultiCell(column, 4.4, "–  "+text, "", "L", false)
		p.Ln(1)
	}
}

// captionRoom is the height of the captions of figures in a row, of one line each, mm.
func captionRoom(figures []Figure) float64 {
	if slices.ContainsFunc(figures, func(f Figure) bool { return f.Caption != "" }) {
		return 5
	}
	return 0
}

// beside sets a table and a figure side by side, where a section has one of each and they fit; else it sets nothing.
func (p *pdfWriter) beside(s *Section) bool {
	if len(s.Tables) != 1 || len(s.Figures) != 1 {
		return false
	}
	widths, width := p.widths(s.Tables[0]), column*s.Figures[0].Share
	c, err := png.DecodeConfig(bytes.NewReader(s.Figures[0].PNG))
	if err != nil {
		return false
	}
	height := max(p.height(s.Tables[0], widths), width*float64(c.Height)/float64(c.Width)+captionRoom(s.Figures)+2)
	if sum(widths)+3*gutter+width > column || height > pageHeight-2*border {
		return false
	}
	p.room(height)
	y := p.GetY()
	p.table(s.Tables[0], border, widths)
	below := p.GetY()
	p.SetY(y)
	p.figureRow(pageWidth-border-width, s.Figures, width)
	p.SetY(max(below, p.GetY()))
	return true
}

// facts sets names and values, two short ones in a line.
func (p *pdfWriter) facts(facts []Fact) {
	// mm: the longest name takes two lines at most, the digest of inputs one
	const name, half = 46.0, (column - gutter) / 2
	short := func(f Fact) bool {
		p.font("", 9, Plain)
		return p.GetStringWidth(f.Value) < half-name-2*p.GetCellMargin()
	}
	// names and values may both take several lines: the next fact begins below the longer one
	for i := 0; i < len(facts); {
		p.room(10)
		y, below := p.GetY(), 0.0
		set := func(f Fact, x, width float64) {
			p.SetXY(x, y)
			p.font("", 9, Plain)
			p.MultiCell(name, 4.6, f.Name, "", "L", false)
			below = max(below, p.GetY())
			p.SetXY(x+name, y)
			p.font("", 9, f.State)
			p.MultiCell(width-name, 4.6, f.Value, "", "L", false)
			below = max(below, p.GetY())
		}
		if i+1 < len(facts) && short(facts[i]) && short(facts[i+1]) {
			set(facts[i], border, half)
			set(facts[i+1], border+half+gutter, half)
			i += 2
		} else {
			set(facts[i], border, column)
			i++
		}
		p.SetXY(border, below)
	}
	if len(facts) > 0 {
		p.Ln(2)
	}
}

// Letters and lines of tables: points, mm, mm.
const tableSize, tableLine, tablePad = 8.5, 4.3, 2.0

// tables sets tables one below the other; those that fit beside each other stand so, if that takes no second page.
func (p *pdfWriter) tables(tables []*Table) {
	for i := 0; i < len(tables); {
		first := p.widths(tables[i])
		if i+1 < len(tables) {
			second := p.widths(tables[i+1])
			at := sum(first) + 3*gutter
			height := max(p.height(tables[i], first), p.height(tables[i+1], second))
			if at+sum(second) <= column && height < pageHeight-2*border {
				p.room(height)
				page, y := p.PageNo(), p.GetY()
				p.table(tables[i], border, first)
				below := p.GetY()
				if p.PageNo() == page {
					p.SetY(y)
					p.table(tables[i+1], border+at, second)
					p.SetY(max(below, p.GetY()))
					i += 2
					continue
				}
				i++
				continue
			}
		}
		p.table(tables[i], border, first)
		i++
	}
}

func sum(x []float64) (s float64) {
	for _, v := range x {
		s += v
	}
	return s
}

// height returns the height of a table, mm.
func (p *pdfWriter) height(t *Table, widths []float64) float64 {
	p.font("B", tableSize, Plain)
	lines := 1
	for k, name := range t.Head {
		lines = max(lines, 1+strings.Count(p.brokenName(name, widths[k]-tablePad), "\n"))
	}
	h := tableLine*float64(lines) + 1
	p.font("", tableSize, Plain)
	for _, r := range t.Rows {
		lines := 1
		for k, c := range r.Cells {
			lines = max(lines, len(p.SplitText(c, widths[k])))
		}
		h += tableLine*float64(lines) + 1
	}
	return h
}

// widths returns the widths of the columns of a table, mm, which share the width of the page by their longest cells.
func (p *pdfWriter) widths(t *Table) []float64 {
	// wishes of the columns, at most half of the page each; heads are bold
	widths, sum := make([]float64, len(t.Head)), 0.0
	for k, h := range t.Head {
		p.font("B", tableSize, Plain)
		widths[k] = p.GetStringWidth(h)
		p.font("", tableSize, Plain)
		for _, r := range t.Rows {
			widths[k] = max(widths[k], p.GetStringWidth(r.Cells[k]))
		}
		widths[k] = min(widths[k], column/2) + tablePad + 1
		sum += widths[k]
	}
	// narrow tables stay narrow; of others the widest columns give, so that short words are not broken
	for ; sum > column; sum-- {
		widest := 0
		for k := range widths {
			if widths[k] > widths[widest] {
				widest = k
			}
		}
		widths[widest]--
	}
	return widths
}

// table sets a table from x to the right, with columns of the given widths, mm.
func (p *pdfWriter) table(t *Table, left float64, widths []float64) {
	const size, line, pad = tableSize, tableLine, tablePad
	// numbers end at the right of their column, so that digits stand below digits
	numeric := t.numeric()
	var head func()
	row := func(cells []string, style string, state State) {
		p.font(style, size, Plain)
		height := line
		for k, c := range cells {
			height = max(height, line*float64(len(p.SplitText(c, widths[k]))))
		}
		// columns keep their names on the next page
		page := p.PageNo()
		p.room(height + 1)
		if style == "" && p.PageNo() != page {
			head()
			p.font(style, size, Plain)
		}
		// cells of a row begin at one height, whatever their lines
		x, y := left, p.GetY()
		for k, c := range cells {
			align := "L"
			if numeric[k] {
				align = "R"
			}
			// the last cell is the verdict
			if k == len(cells)-1 {
				p.font(style, size, state)
			}
			p.SetXY(x, y)
			p.MultiCell(widths[k], line, c, "", align, false)
			x += widths[k]
		}
		// a hairline below each row guides the eye
		p.SetDrawColor(210, 215, 221)
		p.Line(left, y+height+0.4, x, y+height+0.4)
		p.SetXY(border, y+height+0.8)
	}
	head = func() {
		p.font("B", size, Plain)
		names := make([]string, len(t.Head))
		for k, h := range t.Head {
			names[k] = p.brokenName(h, widths[k]-pad)
		}
		row(names, "B", Plain)
	}
	p.room(3 * line) // a head does not stand alone at the end of a page
	head()
	for _, r := range t.Rows {
		row(r.Cells, "", r.State)
	}
	p.Ln(3)
}

// brokenName breaks a name that is wider than a width, mm, into lines behind its points and underscores.
func (p *pdfWriter) brokenName(name string, width float64) string {
	var lines []string
	line := ""
	for rest := name; rest != ""; {
		// up to the next place for a break
		n := strings.IndexAny(rest, "._ ") + 1
		if n == 0 {
			n = len(rest)
		}
		if line != "" && p.GetStringWidth(line+rest[:n]) > width {
			lines, line = append(lines, line), ""
		}
		line, rest = line+rest[:n], rest[n:]
	}
	return strings.Join(append(lines, line), "\n")
}

// figures sets figures row by row; as many of one width stand side by side as fit.
func (p *pdfWriter) figures(figures []Figure) {
	for i := 0; i < len(figures); {
		most := max(1, int(1/figures[i].Share+1e-6))
		n := 1
		for n < most && i+n < len(figures) && figures[i+n].Share == figures[i].Share {
			n++
		}
		width := (column - gutter*float64(most-1)) / float64(most)
		if most == 1 {
			width *= min(1, figures[i].Share)
		}
		p.figureRow(border, figures[i:i+n], width)
		i += n
	}
}

// figureRow sets figures of one width side by side, from left to the right.
func (p *pdfWriter) figureRow(left float64, figures []Figure, width float64) {
	var names []string
	heights, tallest := []float64{}, 0.0
	for _, f := range figures {
		p.images++
		// each picture has a name of its own, or the first would be shown again
		names = append(names, fmt.Sprint("figure", p.images))
		info := p.RegisterImageOptionsReader(names[len(names)-1], fpdf.ImageOptions{ImageType: "PNG"}, bytes.NewReader(f.PNG))
		if info == nil {
			return // the error is that of the document
		}
		// mm, at the form of the picture
		h := width * info.Height() / info.Width()
		heights = append(heights, h)
		tallest = max(tallest, h)
	}
	// taller than a page: smaller
	scale := min(1, (pageHeight-2*border-captionRoom(figures)-2)/tallest)
	p.room(tallest*scale + captionRoom(figures) + 2)
	y := p.GetY()
	below := y + tallest*scale + 1
	for i, f := range figures {
		x := left + float64(i)*(width+gutter)
		// placed by hand: a page must not break within a row
		p.ImageOptions(names[i], x, y, width*scale, heights[i]*scale, false, fpdf.ImageOptions{ImageType: "PNG"}, 0, "")
		if f.Caption != "" {
			p.SetXY(x, y+tallest*scale+0.5)
			p.font("", 8.5, Plain)
			p.MultiCell(width, 4.2, f.Caption, "", "L", false)
			below = max(below, p.GetY())
		}
	}
	p.SetXY(border, below+2.5)
}
