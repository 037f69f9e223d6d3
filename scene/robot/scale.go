package robot

import (
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
)

// ScaleMesh multiplies the coordinates of a surface by the components of s, in place.
// Where the product of the components is negative, which mirrors the surface, it
// reverses the triangles, so that they still face outwards.
func ScaleMesh(tri *meshes.Tri, s r3.Vec) {
	for i := range tri.Verts {
		for k := range s {
			tri.Verts[i][k] *= s[k]
		}
	}
	if s[0]*s[1]*s[2] < 0 {
		for i := range tri.Tris {
			t := &tri.Tris[i]
			t[1], t[2] = t[2], t[1]
		}
	}
}
