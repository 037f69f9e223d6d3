package meshes

import (
	"errors"
	"fmt"
	"strings"
)

// Severity grades a Finding.
type Severity int

const (
	Note    Severity = iota // something was done or seen; nothing to do
	Warning                 // results may not be what is wanted
	Error                   // the mesh cannot be used as it is
)

// String returns the lower-case name.
func (s Severity) String() string {
	switch s {
	case Note:
		return "note"
	case Warning:
		return "warning"
	}
	return "error"
}

// MarshalText writes the lower-case name, for JSON.
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// Finding is one thing found or done on a mesh.
type Finding struct {
	Severity Severity `json:"severity"`
	Kind     string   `json:"kind"`  // stable name: "hole", "weld", "unit", …
	Count    int      `json:"count"` // how many of them
	Text     string   `json:"text"`  // a sentence that says where and how to mend it
}

// String returns the text.
func (f Finding) String() string { return f.Text }

// Findings lists what was found and done, in the order in which it was.
type Findings struct {
	List []Finding `json:"findings"`
	// VertexOf gives for each vertex of the mesh its number in the file, from 0; nil when
	// the file's vertices were all kept in their order.
	VertexOf []int32 `json:"-"`
}

func (r *Findings) addf(s Severity, kind string, count int, format string, args ...any) {
	r.List = append(r.List, Finding{s, kind, count, fmt.Sprintf(format, args...)})
}

// Append adds the findings of s.
func (r *Findings) Append(s Findings) { r.List = append(r.List, s.List...) }

// Warnings returns the findings graver than a note.
func (r *Findings) Warnings() []Finding {
	var w []Finding
	for _, f := range r.List {
		if f.Severity > Note {
			w = append(w, f)
		}
	}
	return w
}

// Count returns how many of the kind were found, 0 if none.
func (r *Findings) Count(kind string) int {
	n := 0
	for _, f := range r.List {
		if f.Kind == kind {
			n += f.Count
		}
	}
	return n
}

// Err returns an error that joins the findings graded Error, nil when there is
// none.
func (r *Findings) Err() error {
	var text []string
	for _, f := range r.List {
		if f.Severity == Error {
			text = append(text, f.Text)
		}
	}
	if text == nil {
		return nil
	}
	return errors.New("meshes: " + strings.Join(text, "; "))
}

// String prints one finding a line: "warning: …".
func (r *Findings) String() string {
	var b strings.Builder
	for _, f := range r.List {
		fmt.Fprintf(&b, "%s: %s\n", f.Severity, f.Text)
	}
	return b.String()
}

// some joins the first few of n items, each made by at, and says how many more
// there are.
func some(n int, at func(int) string) string {
	const shown = 3
	var b strings.Builder
	for i := range min(n, shown) {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(at(i))
	}
	if n > shown {
		fmt.Fprintf(&b, ", and %d more", n-shown)
	}
	return b.String()
}

// plural returns "1 triangle" or "3 triangles".
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	if strings.HasSuffix(noun, "x") { // vertex, index
		return fmt.Sprintf("%d %sices", n, strings.TrimSuffix(noun, "ex"))
	}
	if strings.HasSuffix(noun, "ron") { // tetrahedron
		return fmt.Sprintf("%d %sa", n, strings.TrimSuffix(noun, "on"))
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
