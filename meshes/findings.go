package meshes

// Kinds are stable, texts are not: programs should compare kinds. Every text
// names a place in metres, or a number of a vertex, triangle or tet counted
// from 0, and describes what to do where something can be done.

// A list of findings is how reading, repair and meshing report what they found and
// did: each finding has a severity, a stable kind for programs and a sentence for
// people.

import (
	"errors"
	"fmt"
	"strings"
)

// Severity grades a Finding.
type Severity int

// Severities in increasing order.
const (
	// Note is information that needs no action.
	Note Severity = iota
	// Warning means that results computed with the mesh may be wrong.
	Warning
	// Error means that the mesh cannot be used as it is.
	Error
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

// Finding is one property or fault of a mesh, or one change made to it.
type Finding struct {
	// Severity is the severity: note, warning or error.
	Severity Severity `json:"severity"`
	// Kind is a stable name for programs, such as "hole", "weld" or "unit".
	Kind string `json:"kind"`
	// Count is the number of items concerned: edges, vertices, triangles, …
	Count int `json:"count"`
	// Text is a sentence with the fault, its position and its remedy.
	Text string `json:"text"`
}

// String returns the sentence.
func (f Finding) String() string { return f.Text }

// Findings lists the findings on a mesh and the changes made to it, in the order of the steps
// of reading and repair.
type Findings struct {
	// List has the findings.
	List []Finding `json:"findings"`
	// VertexOf gives for each vertex of the mesh its number in the file, from 0, or
	// −1 for a vertex that repair added; nil when all vertices of the file were
	// kept in their order.
	VertexOf []int32 `json:"-"`
}

// Addf appends a finding; the arguments are those of fmt.Sprintf.
func (r *Findings) Addf(s Severity, kind string, count int, format string, args ...any) {
	r.List = append(r.List, Finding{s, kind, count, fmt.Sprintf(format, args...)})
}

// Append appends the list of s; VertexOf stays.
func (r *Findings) Append(s Findings) { r.List = append(r.List, s.List...) }

// Warnings returns the warnings and errors.
func (r *Findings) Warnings() []Finding {
	var w []Finding
	for _, f := range r.List {
		if f.Severity > Note {
			w = append(w, f)
		}
	}
	return w
}

// Count returns the sum of the counts of all findings of a kind, 0 if there are
// none.
func (r *Findings) Count(kind string) int {
	n := 0
	for _, f := range r.List {
		if f.Kind == kind {
			n += f.Count
		}
	}
	return n
}

// Err returns an error that joins the texts of all findings of severity Error, or
// nil when there are none.
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

// String prints one finding a line, as "warning: text".
func (r *Findings) String() string {
	var b strings.Builder
	for _, f := range r.List {
		fmt.Fprintf(&b, "%s: %s\n", f.Severity, f.Text)
	}
	return b.String()
}
