package report

import "strings"

// Exponents in PDFs. The font has a few raised digits, no raised minus, and all of them are tiny: exponents are usual
// digits, smaller and higher.

// raisedSigns are those of exponents, and lowered what they stand for.
const raisedSigns = "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"

var lowered = strings.NewReplacer("⁻", "−", "⁰", "0", "¹", "1", "²", "2", "³", "3", "⁴", "4", "⁵", "5", "⁶", "6", "⁷", "7", "⁸", "8", "⁹", "9")

// caret writes powers of ten in one line; squares and cubes of units are in the font.
var caret = strings.NewReplacer("×10⁻", "×10^−", "×10", "×10^", "²", "²", "³", "³", "⁻", "−", "⁰", "0", "¹", "1", "⁴", "4", "⁵", "5", "⁶", "6", "⁷", "7", "⁸", "8", "⁹", "9")

// Size and height of exponents over the size of letters.
const exponentSize, exponentRise = 0.68, 0.33

// runs cuts a text into pieces that are raised or not, by turns; the first is not.
func runs(text string) (pieces []string) {
	up := false
	for text != "" {
		n := strings.IndexFunc(text, func(r rune) bool { return strings.ContainsRune(raisedSigns, r) != up })
		if n < 0 {
			n = len(text)
		}
		pieces, text, up = append(pieces, text[:n]), text[n:], !up
	}
	return pieces
}

// GetStringWidth returns the width of a text, mm.
func (p *pdfWriter) GetStringWidth(text string) (width float64) {
	for i, s := range runs(text) {
		if i%2 == 1 {
			width += exponentSize * p.Fpdf.GetStringWidth(lowered.Replace(s))
		} else {
			width += p.Fpdf.GetStringWidth(s)
		}
	}
	return width
}

// MultiCell sets a text in lines as that of fpdf. Exponents are raised in texts of one line; where a text needs
// several, they are written as 10^−8.
func (p *pdfWriter) MultiCell(w, h float64, text, borders, align string, fill bool) {
	if !strings.ContainsAny(text, raisedSigns) {
		p.Fpdf.MultiCell(w, h, text, borders, align, fill)
		return
	}
	x, y := p.GetXY()
	width, margin := p.GetStringWidth(text), p.GetCellMargin()
	if strings.Contains(text, "\n") || width > w-2*margin || y+h > pageHeight-border {
		p.Fpdf.MultiCell(w, h, caret.Replace(text), borders, align, fill)
		return
	}
	x += margin
	if align == "R" {
		x += w - 2*margin - width
	}
	// the base line is where fpdf has that of a cell
	points, size := p.GetFontSize()
	base := y + 0.5*h + 0.3*size
	for i, s := range runs(text) {
		if i%2 == 1 {
			s = lowered.Replace(s)
			p.SetFontSize(exponentSize * points)
			p.Text(x, base-exponentRise*size, s)
		} else {
			p.Text(x, base, s)
		}
		x += p.Fpdf.GetStringWidth(s)
		p.SetFontSize(points)
	}
	p.SetXY(border, y+h)
}
