package render

import (
	"slices"

	"github.com/fogleman/fauxgl"

	"github.com/curlfree/curlfree/record"
)

// Where the pressure fields of two bodies overlap, the recording has a contact surface: polygons in which
// both fields are equal, each with its pressure. A picture shows them through the bodies, which are in
// front of them everywhere; see cover.hidden. Colours are those of the scale, without light or shade,
// so that a pressure can be read off.

// showsFaces reports whether pictures show the faces of pressure fields: where
// they are requested, or where contact pressure is.
func (o *Options) showsFaces() bool {
	if o.ContactSurfaces != nil {
		return *o.ContactSurfaces
	}
	return o.Field == contactPressure
}

// showsScale reports whether pictures have a scale of colours.
func (o *Options) showsScale(rec *record.Recording) bool {
	if o.Field == "none" {
		return false
	}
	// the scale is of the deformables, or of the contact surfaces of rigid bodies
	return len(rec.Static.Deformables) > 0 || o.Field == contactPressure && o.showsFaces() && hasFaces(rec)
}

// contactPressure is the field that contact surfaces have too.
const contactPressure = "contact_pressure"

// facePressures returns the pressures of all faces of a frame, Pa.
func facePressures(f *record.Frame) []float64 {
	var p []float64
	for i := range f.ContactSurfaces {
		for k := range f.ContactSurfaces[i].Faces {
			p = append(p, f.ContactSurfaces[i].Faces[k].Pressure)
		}
	}
	return p
}

// hasFaces reports whether a recording has faces of pressure fields, looking at as
// many frames as scales do.
func hasFaces(rec *record.Recording) bool {
	// at most about 200 frames of a long recording are read
	stride := max(1, rec.Len()/200)
	for k := 0; k < rec.Len(); k += stride {
		if slices.ContainsFunc(rec.At(k).ContactSurfaces, func(p record.ContactSurface) bool { return len(p.Faces) > 0 }) {
			return true
		}
	}
	return false
}

// drawFaces returns the faces of a frame, coloured by their pressure up to top,
// or in one colour where top is 0. They are seen from both sides.
func drawFaces(f *record.Frame, top float64) []fauxgl.Triangle {
	var tris []fauxgl.Triangle
	plain := bodyColor(arrowColor, 0)
	for i := range f.ContactSurfaces {
		p := &f.ContactSurfaces[i]
		for k := range p.Faces {
			face := &p.Faces[k]
			// the colour of the pressure, as a part of the scale
			c := plain
			if top > 0 {
				c = fieldLight[int(max(0, min(1, face.Pressure/top))*1024+0.5)]
			}
			corner := func(v int32) fauxgl.Vertex {
				return fauxgl.Vertex{Position: vector(p.Verts_W[v]), Color: c}
			}
			// a fan of triangles about the first corner, from both sides
			a := corner(face.Lo)
			for v := face.Lo + 2; v < face.Hi; v++ {
				b, d := corner(v-1), corner(v)
				tris = append(tris, fauxgl.Triangle{V1: a, V2: b, V3: d}, fauxgl.Triangle{V1: a, V2: d, V3: b})
			}
		}
	}
	return tris
}

// flatShader draws colours as they are, so that they can be read against a scale.
type flatShader struct{}

// Fragment implements shader.
func (flatShader) Fragment(v *fauxgl.Vertex) fauxgl.Color { return fromLight(v.Color) }
