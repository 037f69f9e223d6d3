package report

import (
	_ "embed"
	"encoding/base64"
	"html/template"
	"io"
	"strings"
	"unicode"

	"github.com/curlfree/curlfree/internal/authorship"
)

//go:embed page.html
var pageText string

// page is the template of reports. Its functions give what html/template lacks: pictures as addresses that contain
// them, and the mark of the program, which is a comment.
var page = template.Must(template.New("page").Funcs(template.FuncMap{
	"source":  source,
	"numeric": (*Table).numeric,
	"parts":   nameParts,
	"inc":     func(k int) int { return k + 1 },
	"percent": func(share float64) int { return int(100*share + 0.5) },
	"mark":    func() template.HTML { return template.HTML("<!-- " + authorship.Mark + " -->") },
	"anchor": func(title string) string {
		return strings.Map(func(r rune) rune {
			// titles are ours, but an anchor must have no space or quote
			if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
				return r
			}
			return '-'
		}, strings.ToLower(title))
	},
}).Parse(pageText))

// nameParts splits a text behind the points and underscores of its names, where narrow columns may break it; points of
// numbers are none.
func nameParts(text string) (parts []string) {
	from := 0
	for i := 1; i < len(text)-1; i++ {
		before, next := rune(text[i-1]), rune(text[i+1])
		if (text[i] == '_' || text[i] == '.') && (unicode.IsLetter(before) || unicode.IsDigit(before)) && unicode.IsLetter(next) {
			parts, from = append(parts, text[from:i+1]), i+1
		}
	}
	return append(parts, text[from:])
}

// source returns the address of a picture, which contains it: a drawing if there is one. A browser runs no
// script of a drawing that is shown as a picture.
func source(f Figure) template.URL {
	// base64 needs a third more, and no second file
	kind, b := "image/png", f.PNG
	if f.SVG != nil {
		kind, b = "image/svg+xml", f.SVG
	}
	return template.URL("data:" + kind + ";base64," + base64.StdEncoding.EncodeToString(b))
}

// WriteHTML writes the report as one page that needs no other file.
func (d *Document) WriteHTML(w io.Writer) error { return page.Execute(w, d) }
