package render

import (
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/record"
)

// A placement is where all surfaces are in a frame: x_W = X_WG x_G for vertices and n_W = R_WG n_G for normals of rigid
// bodies; vertices of deformables are recorded in world axes. Its memory serves the next frame.

// placement has the vertices (m) and normals of all surfaces in world axes.
type placement struct {
	// verts and normals are those of each geom that is drawn, in the order of Painter.geoms; shadow are the
	// vertices of the surface that throws its shadow.
	verts, normals, shadow [][]r3.Vec
	// softVerts, softNormals and softShadow are those of each deformable.
	softVerts, softNormals, softShadow [][]r3.Vec
}

// place moves all surfaces to where they are in a frame.
func (p *Painter) place(at *placement, f *record.Frame) {
	for _, s := range []*[][]r3.Vec{&at.verts, &at.normals, &at.shadow} {
		*s = sized(*s, len(p.geoms))
	}
	// rigid surfaces were split in the frame of their geom, once
	for i := range p.geoms {
		g := &p.geoms[i]
		X_WG := geomPose(g.geom, f)
		at.verts[i], at.shadow[i] = moved(at.verts[i], X_WG, g.verts), moved(at.shadow[i], X_WG, g.shadow)
		normals := sized(at.normals[i], len(g.normals))
		for j, n := range g.normals {
			normals[j] = X_WG.R.MulVec(n)
		}
		at.normals[i] = normals
	}
	for _, s := range []*[][]r3.Vec{&at.softVerts, &at.softNormals, &at.softShadow} {
		*s = sized(*s, len(p.soft))
	}
	for i := range p.soft {
		// both surfaces are split from the recorded boundary and its normals
		s := &p.soft[i]
		verts := f.Verts[s.index]
		normals := s.skin.normals(verts)
		at.softVerts[i], at.softNormals[i] = s.surface.apply(verts, normals)
		at.softShadow[i], _ = s.shadow.apply(verts, normals)
	}
}

// moved returns X p of points, in the memory of out.
func moved(out []r3.Vec, X r3.Pose, points []r3.Vec) []r3.Vec {
	out = sized(out, len(points))
	for i, p := range points {
		out[i] = X.Point(p)
	}
	return out
}

// sized returns a slice of n elements in the memory of s where it is enough, and keeps what they contain.
func sized[T any](s []T, n int) []T {
	// frames of a film have the same sizes, so that this happens in the first one alone
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}
