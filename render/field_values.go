package render

import (
	"math"

	"github.com/curlfree/curlfree/record"
)

// Fields for other pictures than those of this package, such as those of browsers: the
// same names, values and scales.

// FieldLabel returns the words and the SI unit of a field of FieldNames; both are empty
// for none and for unknown names.
func FieldLabel(name string) (label, unit string) {
	if fd := fieldByName(name); fd != nil {
		return fd.label, fd.unit
	}
	return "", ""
}

// FieldValues returns a field of FieldNames at each vertex of deformable i, in SI units;
// nil for none and for unknown names. Displacements are measured from the recording's
// first frame.
func FieldValues(rec *record.Recording, f *record.Frame, name string, i int) []float64 {
	if fd := fieldByName(name); fd != nil {
		return fd.eval(rec, f, i)
	}
	return nil
}

// FieldTop returns the top of the scale of colours of a field of FieldNames, in SI units:
// a round number that 99 % of each body's vertices stay below over the recording, those of
// faces of contact surfaces included for contact_pressure.
func FieldTop(rec *record.Recording, name string) float64 {
	fd := fieldByName(name)
	if fd == nil {
		return 1
	}
	return fieldTop(rec, fd, name == contactPressure)
}

// BodyColor returns a colour as #rrggbb: the given one or, where it is empty or no
// colour, the one that body k has in pictures.
func BodyColor(given string, k int) string {
	if _, err := parseColor(given); err == nil {
		return given
	}
	return bodyColors[k%len(bodyColors)]
}

// GroundColor returns the colour of a ground as #rrggbb: the given one or, where it is empty
// or no colour, a grey that is lighter than bodies.
func GroundColor(given string) string {
	if _, err := parseColor(given); err == nil {
		return given
	}
	return "#d6d4ce"
}

// slip returns the sliding speed at each vertex of deformable i, m/s: with the normal
// force f_c ≥ 0 and the tangential velocity u_c of the contacts c at triangles around
// the vertex
//
//	u = Σ_c f_c |u_c| / Σ_c f_c,
//
// and 0 where nothing presses.
func slip(rec *record.Recording, f *record.Frame, i int) []float64 {
	u, weight := make([]float64, len(f.Verts[i])), make([]float64, len(f.Verts[i]))
	tris := rec.Static.Deformables[i].Tris
	body := len(rec.Static.Bodies) + i
	// each contact counts at the corners of its triangle, on either side
	for c := range f.Contacts {
		c := &f.Contacts[c]
		normal := math.Max(0, c.Force_W.Dot(c.Normal_W))
		for side, b := range [2]int{c.A, c.B} {
			if b != body {
				continue
			}
			for _, k := range tris[c.Elem[side]] {
				u[k] += normal * c.Slip_W.Norm()
				weight[k] += normal
			}
		}
	}
	for k := range u {
		if weight[k] > 0 {
			u[k] /= weight[k]
		}
	}
	return u
}
