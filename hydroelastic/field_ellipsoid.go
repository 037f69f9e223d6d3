package hydroelastic

import (
	"math"

	"github.com/curlfree/curlfree/r3"
)

// NewEllipsoid returns the field of an ellipsoid about the origin with its axes
// along the frame's, p = E (1 − |(x/a, y/b, z/c)|) on the vertices: the mesh of a
// sphere, stretched. It is stiffer along its short axes.
func NewEllipsoid(semi r3.Vec, opt Options) (*Compliant, error) {
	for i, what := range [3]string{"semi-axis along x", "semi-axis along y", "semi-axis along z"} {
		if err := checkLength("ellipsoid", what, semi[i]); err != nil {
			return nil, err
		}
	}
	return newEllipsoid("ellipsoid", semi, opt)
}

func newEllipsoid(shape string, semi r3.Vec, opt Options) (*Compliant, error) {
	opt, err := opt.checked(shape, 2*semi.Norm())
	if err != nil {
		return nil, err
	}
	long := max(semi[0], semi[1], semi[2])
	short := min(semi[0], semi[1], semi[2])
	n := opt.pieces(math.Pi/2*long, 1) // an edge of the octahedron is a quarter circle
	if err := opt.checkCells(shape, 8*float64(n)*float64(n)); err != nil {
		return nil, err
	}
	// The skirt is the ellipsoid blown up so that it is nowhere thinner than the
	// margin.
	skirt := opt.Margin / short
	b := &builder{}
	centre := b.vertex(r3.Vec{}, opt.HydroelasticModulus)
	for _, t := range sphereTriangles(n) {
		var outer [3]int32
		for k, u := range t {
			x := r3.Vec{semi[0] * u[0], semi[1] * u[1], semi[2] * u[2]}
			outer[k] = b.vertex(x.Scale(1+skirt), -opt.HydroelasticModulus*skirt)
		}
		b.column(outer[:], []int32{centre, centre, centre})
	}
	return b.build(opt, short), nil
}

// sphereTriangles returns triangles inscribed in the unit sphere, outward: each
// face of the octahedron is cut in n² triangles whose edges are about equal,
// symmetric under all symmetries of the octahedron.
func sphereTriangles(n int) [][3]r3.Vec {
	var out [][3]r3.Vec
	for _, sx := range [2]float64{1, -1} {
		for _, sy := range [2]float64{1, -1} {
			for _, sz := range [2]float64{1, -1} {
				at := func(i, j int) r3.Vec { // i + j ≤ n
					u := octant(i, j, n-i-j)
					return r3.Vec{sx * u[0], sy * u[1], sz * u[2]}
				}
				add := func(a, b, c r3.Vec) {
					if sx*sy*sz < 0 {
						b, c = c, b
					}
					out = append(out, [3]r3.Vec{a, b, c})
				}
				for i := range n {
					for j := range n - i {
						add(at(i+1, j), at(i, j+1), at(i, j))
						if i+j+2 <= n {
							add(at(i+1, j), at(i+1, j+1), at(i, j+1))
						}
					}
				}
			}
		}
	}
	return out
}

// octant returns the point of the unit sphere with barycentric weights i, j, k in
// the octant's face. Weights are angles first, so that the edges of the octant
// are cut in equal arcs and the triangles inside come out even.
func octant(i, j, k int) r3.Vec {
	n := float64(i + j + k)
	f := func(m int) float64 { return math.Sin(math.Pi / 2 * float64(m) / n) }
	u := r3.Vec{f(i), f(j), f(k)}
	return u.Unit()
}
