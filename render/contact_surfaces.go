package render

import (
	"slices"

	"github.com/fogleman/fauxgl"

	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/record"
)

// Where the pressure fields of two bodies overlap, the recording has a contact surface: polygons in which
// both fields are equal, each with its pressure. A picture shows them through the bodies, which are in
// front of them everywhere; see cover.hidden. Colours are those of the scale, without light or shade,
// so that a pressure can be read off.
//
// The surfaces of teeth and edges are strips narrower than a pixel, or seen edge-on. So each surface has a border of a
// few pixels in the colours of its pressure, and a dark one about it, which parts it from the colours of bodies.
// Borders are drawn below the faces: where faces are wide, they show beside the outline only.

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

// Widths of the borders of contact surfaces over the height of the picture, and the colour of the outer one.
const (
	innerBorder = 2.5 / 960
	outerBorder = 4.0 / 960
)

var borderColor = fauxgl.Color{R: 0.01, G: 0.01, B: 0.015, A: 1}

// band appends a band about a segment from a to b that is w wide on both sides, m at the distance of the target, as the
// camera sees it, and longer than the segment by w at both ends.
func (v *view) band(tris []fauxgl.Triangle, a, b r3.Vec, w float64, c fauxgl.Color) []fauxgl.Triangle {
	corners := [4]fauxgl.Vertex{}
	near := v.target.Sub(v.eye).Norm()
	for k, p := range [2]r3.Vec{a, b} {
		ray := p.Sub(v.eye)
		far := ray.Norm()
		if far == 0 {
			return tris
		}
		ray = ray.Scale(1 / far)
		along := b.Sub(a)
		along = along.AddScaled(-along.Dot(ray), ray)
		if along.Norm2() < 1e-24*v.size*v.size { // seen from its end
			along = v.up.AddScaled(-v.up.Dot(ray), ray)
		}
		along = along.Unit()
		s := w * far / near
		p = p.AddScaled([2]float64{-s, s}[k], along)
		side := ray.Cross(along).Scale(s)
		corners[2*k] = fauxgl.Vertex{Position: vector(p.Add(side)), Color: c}
		corners[2*k+1] = fauxgl.Vertex{Position: vector(p.Sub(side)), Color: c}
	}
	return fromBothSides(fromBothSides(tris, corners[0], corners[1], corners[3]), corners[0], corners[3], corners[2])
}

// fromBothSides appends a triangle that is seen from both sides.
func fromBothSides(tris []fauxgl.Triangle, a, b, c fauxgl.Vertex) []fauxgl.Triangle {
	return append(tris, fauxgl.Triangle{V1: a, V2: b, V3: c}, fauxgl.Triangle{V1: a, V2: c, V3: b})
}

// faceLayers are the triangles of contact surfaces, each list above those before.
type faceLayers struct{ outer, inner, faces []fauxgl.Triangle }

// drawFaces returns the faces of a frame with their borders, coloured by their pressure up to top,
// or in one colour where top is 0. They are seen from both sides.
func (v *view) drawFaces(f *record.Frame, top float64) (l faceLayers) {
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
			for i := face.Lo; i < face.Hi; i++ {
				j := i + 1
				if j == face.Hi {
					j = face.Lo
				}
				l.outer = v.band(l.outer, p.Verts_W[i], p.Verts_W[j], outerBorder*v.size, borderColor)
				l.inner = v.band(l.inner, p.Verts_W[i], p.Verts_W[j], innerBorder*v.size, c)
			}
			// a fan of triangles about the first corner
			a := corner(face.Lo)
			for i := face.Lo + 2; i < face.Hi; i++ {
				l.faces = fromBothSides(l.faces, a, corner(i-1), corner(i))
			}
		}
	}
	return l
}

// flatShader draws colours as they are, so that they can be read against a scale.
type flatShader struct{}

// Fragment implements shader.
func (flatShader) Fragment(v *fauxgl.Vertex) fauxgl.Color { return fromLight(v.Color) }
