package geometry

import (
	"fmt"
	"math"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
)

// maxFace bounds the corners of a Face, so that faces stay on the stack.
const maxFace = 32

// Face is the part of a convex core that faces a direction, in the core's frame: a corner
// (N = 1), an edge (N = 2) or a plane polygon (N ≥ 3).
type Face struct {
	// N is the number of corners.
	N int
	// P are the corners, m; those of a polygon counter-clockwise about Normal.
	P [maxFace]r3.Vec
	// Normal is the outward unit normal of a polygon, else zero.
	Normal r3.Vec
	// Area is that of the round face that a polygon stands for, m²; 0: the polygon is the face.
	Area float64
}

// RoundShape is a shape whose point of contact moves over its surface as it turns: corners and edges turn with it.
type RoundShape interface {
	Shape
	// Round marks it.
	Round()
}

// SupportMap is a convex shape given by its support function (support mapping): the set
// of all points within the distance Rounding of a convex core. A sphere is a point and a
// radius, a capsule a segment and a radius, a box its own core and no radius. Contacts
// with all other convex shapes follow from these three methods (gjk.go, epa.go,
// manifold.go).
type SupportMap interface {
	Shape
	// Support returns the point of the core farthest along dir_G, a vector of any
	// length, also zero; of several farthest points it always returns the same one.
	Support(dir_G r3.Vec) r3.Vec
	// Face returns the part of the core that faces the unit vector n_G. It has a point
	// of greatest n_G·p to round-off, except for curves approximated by polygons, and a
	// polygon's Normal·n_G is at least minFaceCos.
	Face(n_G r3.Vec) Face
	// Rounding returns the radius around the core, m; 0 for sharp shapes.
	Rounding() float64
}

// minFaceCos is the least cosine between a direction and the normal of the polygon that
// faces it. Smaller values make gaps along the direction ill-conditioned; a cube seen
// along its diagonal needs 1/√3.
const minFaceCos = 0.5

// checkLength returns an error unless x is a positive finite length. Below a nanometre or
// beyond a million kilometres gaps have no significant digits in float64.
func checkLength(shape, what string, x float64) error {
	if x >= 1e-9 && x <= 1e9 {
		return nil
	}
	return fmt.Errorf("geometry: %s: %s is %g m; give a positive, finite length (1e-9 … 1e9 m)", shape, what, x)
}

// quad appends the two triangles of the quadrilateral a b c d.
func quad(t *meshes.Tri, a, b, c, d int) {
	t.Tris = append(t.Tris,
		[3]int32{int32(a), int32(b), int32(c)},
		[3]int32{int32(a), int32(c), int32(d)})
}

// revolve returns the closed surface of revolution about z of a profile of (radius,
// height) pairs, m, from the bottom pole to the top pole, both of radius 0.
func revolve(profile [][2]float64, sides int) *meshes.Tri {
	t := &meshes.Tri{}
	last := len(profile) - 1
	t.Verts = append(t.Verts, r3.Vec{0, 0, profile[0][1]})
	for _, p := range profile[1:last] {
		for i := range sides {
			s, c := math.Sincos(2 * math.Pi * float64(i) / float64(sides))
			t.Verts = append(t.Verts, r3.Vec{p[0] * c, p[0] * s, p[1]})
		}
	}
	top := len(t.Verts)
	t.Verts = append(t.Verts, r3.Vec{0, 0, profile[last][1]})
	ring := func(k, i int) int { return 1 + k*sides + i%sides }
	for i := range sides {
		t.Tris = append(t.Tris, [3]int32{0, int32(ring(0, i+1)), int32(ring(0, i))})
		for k := range last - 2 {
			quad(t, ring(k, i), ring(k, i+1), ring(k+1, i+1), ring(k+1, i))
		}
		t.Tris = append(t.Tris, [3]int32{int32(top), int32(ring(last-2, i)), int32(ring(last-2, i+1))})
	}
	return t
}

// radial splits p into its distance from the z axis and the unit vector away
// from it, +x on the axis itself.
func radial(p r3.Vec) (rho float64, u r3.Vec) {
	rho = math.Hypot(p[0], p[1])
	if rho == 0 {
		return 0, r3.Vec{1, 0, 0}
	}
	return rho, r3.Vec{p[0] / rho, p[1] / rho, 0}
}

// sign returns −1 for negative x, else +1.
func sign(x float64) float64 {
	if x < 0 {
		return -1
	}
	return 1
}
