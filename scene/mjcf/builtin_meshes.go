package mjcf

// Meshes that the format itself makes of a few parameters, in a cube of edge 2 before they are scaled:
//
//	builtin       params                    surface
//	sphere        n: 0 to 4                 icosahedron in the unit sphere, n times with four triangles for one
//	hemisphere    n: 0 to 10                upper half of the unit sphere, 4 (n + 1) edges at its equator
//	cone          n ≥ 3, r ≤ 1              hull of a regular polygon at z = −1 and one of radius r at z = 1
//	supersphere   n ≥ 3, e, m               (c(v, m) c(u, e), c(v, m) s(u, e), s(v, m)), −π/2 ≤ v ≤ π/2
//	supertorus    n ≥ 3, r ≤ 1, s, t        ((1 + r c(v, s)) c(u, t), (1 + r c(v, s)) s(u, t), r s(v, s))
//
// with c(x, p) = sign(cos x) |cos x|^p, s(x, p) likewise of sin x, and n steps of u and v. The pads for
// tactile sensors, wedge and plate, are not read. Source: MuJoCo, XML reference, asset/mesh/builtin.

import (
	"math"

	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/scene/robot"
)

// maxMeshSteps bounds the steps of a mesh in each direction.
const maxMeshSteps = 256

// builtins are the parameters of meshes: the bounds of each.
var builtins = map[string][][2]float64{
	"sphere":      {{0, 4}},
	"hemisphere":  {{0, 10}},
	"cone":        {{3, maxMeshSteps}, {0, 1}},
	"supersphere": {{3, maxMeshSteps}, {0, 100}, {0, 100}},
	"supertorus":  {{3, maxMeshSteps}, {1e-6, 1}, {1e-6, 100}, {1e-6, 100}},
}

// builtin returns the surface of a mesh by its parameters; nil after a fault.
func (r *reader) builtin(e *robot.Element, kind string) *meshes.Tri {
	bounds, ok := builtins[kind]
	if !ok {
		r.Fail(e.Line, "<mesh builtin=%q>: sphere, hemisphere, cone, supersphere and supertorus are read", kind)
		return nil
	}
	x := r.numbers(e, "params", len(bounds), len(bounds))
	if x == nil {
		if r.Err == nil {
			r.Fail(e.Line, "<mesh builtin=%q> has no params: %d are required", kind, len(bounds))
		}
		return nil
	}
	for i, b := range bounds {
		if !(x[i] >= b[0] && x[i] <= b[1]) || i == 0 && x[0] != math.Trunc(x[0]) {
			r.Fail(e.Line, "<mesh builtin=%q>: parameter %d is %g: it must be from %g to %g, the first a whole number", kind, i+1, x[i], b[0], b[1])
			return nil
		}
	}
	n := int(x[0])
	var points []r3.Vec
	switch kind {
	case "sphere":
		points = icosphere(n)
	case "hemisphere":
		points = hemisphere(n)
	case "cone":
		points = cone(n, x[1])
	case "supersphere":
		return supersphere(n, x[1], x[2])
	default:
		return supertorus(n, x[1], x[2], x[3])
	}
	tri, err := geometry.HullSurface(points)
	if err != nil {
		r.Fail(e.Line, "<mesh builtin=%q>: %v", kind, err)
		return nil
	}
	return tri
}

// icosphere returns the corners of an icosahedron whose triangles were divided into four n times, with
// new corners on the unit sphere.
func icosphere(n int) (points []r3.Vec) {
	golden := (1 + math.Sqrt(5)) / 2
	for k := range 3 {
		for _, s := range [4][2]float64{{1, 1}, {1, -1}, {-1, 1}, {-1, -1}} {
			var p r3.Vec
			p[k], p[(k+1)%3] = s[0], s[1]*golden
			points = append(points, p.Unit())
		}
	}
	for range n {
		hull, err := geometry.HullSurface(points)
		if err != nil { // points of a sphere have a hull
			panic(err)
		}
		points = hull.Verts
		for _, t := range hull.Tris {
			for k := range 3 {
				// each edge has two triangles
				if a, b := t[k], t[(k+1)%3]; a < b {
					points = append(points, hull.Verts[a].Add(hull.Verts[b]).Unit())
				}
			}
		}
	}
	return points
}

// hemisphere returns the corners of the upper half of an octahedron with n + 1 rings, put on the unit sphere.
func hemisphere(n int) []r3.Vec {
	pole := r3.Vec{0, 0, 1}
	equator := [4]r3.Vec{{1, 0, 0}, {0, 1, 0}, {-1, 0, 0}, {0, -1, 0}}
	points := []r3.Vec{pole}
	for ring := 1; ring <= n+1; ring++ {
		down := float64(ring) / float64(n+1)
		for side, a := range equator {
			b := equator[(side+1)%4]
			for i := range ring {
				along := float64(i) / float64(ring)
				out := a.Scale(1 - along).Add(b.Scale(along))
				points = append(points, pole.Scale(1-down).Add(out.Scale(down)).Unit())
			}
		}
	}
	return points
}

// cone returns the corners of two regular polygons of n corners, at z = −1 and with a radius at z = 1.
func cone(n int, radius float64) (points []r3.Vec) {
	for i := range n {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(n))
		points = append(points, r3.Vec{cos, sin, -1}, r3.Vec{radius * cos, radius * sin, 1})
	}
	return points
}

// power returns c(x, p) and s(x, p).
func power(x, p float64) (c, s float64) {
	sin, cos := math.Sincos(x)
	return math.Copysign(math.Pow(math.Abs(cos), p), cos), math.Copysign(math.Pow(math.Abs(sin), p), sin)
}

// supersphere returns a superellipsoid with n steps around and from pole to pole.
func supersphere(n int, e, m float64) *meshes.Tri {
	tri := &meshes.Tri{Verts: []r3.Vec{{0, 0, -1}}}
	for i := 1; i < n; i++ {
		cv, sv := power(-math.Pi/2+math.Pi*float64(i)/float64(n), m)
		for j := range n {
			cu, su := power(-math.Pi+2*math.Pi*float64(j)/float64(n), e)
			tri.Verts = append(tri.Verts, r3.Vec{cv * cu, cv * su, sv})
		}
	}
	top := int32(len(tri.Verts))
	tri.Verts = append(tri.Verts, r3.Vec{0, 0, 1})
	at := func(ring, j int) int32 { return int32(1 + (ring-1)*n + j%n) }
	for j := range n {
		tri.Tris = append(tri.Tris, [3]int32{0, at(1, j+1), at(1, j)})
		for ring := 1; ring < n-1; ring++ {
			tri.Tris = quad(tri.Tris, at(ring, j), at(ring, j+1), at(ring+1, j+1), at(ring+1, j))
		}
		tri.Tris = append(tri.Tris, [3]int32{at(n-1, j), at(n-1, j+1), top})
	}
	return tri
}

// supertorus returns a torus of larger radius 1 with n steps around each of its circles.
func supertorus(n int, radius, s, t float64) *meshes.Tri {
	tri := &meshes.Tri{}
	at := func(i, j int) int32 { return int32(i%n*n + j%n) }
	for i := range n {
		cu, su := power(2*math.Pi*float64(i)/float64(n), t)
		for j := range n {
			cv, sv := power(2*math.Pi*float64(j)/float64(n), s)
			tri.Verts = append(tri.Verts, r3.Vec{(1 + radius*cv) * cu, (1 + radius*cv) * su, radius * sv})
			tri.Tris = quad(tri.Tris, at(i, j), at(i+1, j), at(i+1, j+1), at(i, j+1))
		}
	}
	return tri
}

// quad adds the two triangles of a quadrilateral, cut from b to d.
func quad(tris [][3]int32, a, b, c, d int32) [][3]int32 {
	return append(tris, [3]int32{a, b, d}, [3]int32{b, c, d})
}
