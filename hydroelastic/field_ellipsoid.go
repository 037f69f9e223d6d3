package hydroelastic

import (
	"math"

	"github.com/curlfree/curlfree/r3"
)

// NewEllipsoid returns the field of an ellipsoid about the origin with the semi-axes a,
// b, c (m) along its frame's axes,
//
//	p = E (1 − |(x/a, y/b, z/c)|)
//
// at the vertices: the field of a sphere, stretched. It is stiffer along its short axes.
func NewEllipsoid(semi r3.Vec, opt Options) (*Compliant, error) {
	for i, what := range [3]string{"semi-axis along x", "semi-axis along y", "semi-axis along z"} {
		if err := checkLength("ellipsoid", what, semi[i]); err != nil {
			return nil, err
		}
	}
	return newEllipsoid("ellipsoid", semi, opt)
}

// newEllipsoid is NewEllipsoid; shape is the name in messages.
func newEllipsoid(shape string, semi r3.Vec, opt Options) (*Compliant, error) {
	// The diagonal of the bounds is twice that of the semi-axes.
	opt, err := opt.checked(shape, 2*semi.Norm())
	if err != nil {
		return nil, err
	}
	long := max(semi[0], semi[1], semi[2])
	short := min(semi[0], semi[1], semi[2])
	// An edge of the octahedron is a quarter of a circle.
	n := opt.pieces(math.Pi/2*long, 1)
	if err := opt.checkCells(shape, 8*float64(n)*float64(n)); err != nil {
		return nil, err
	}
	triangles := sphereTriangles(n)
	// The gradient of the field does not change with the size of the mesh.
	innermost := opt.HydroelasticModulus
	if opt.EqualVolume {
		k := sphereScale(triangles)
		semi, innermost = semi.Scale(k), k*innermost
	}
	// The margin layer is the ellipsoid scaled so that it is nowhere thinner than the
	// margin.
	layer := opt.Margin / short
	b := &builder{}
	// One tetrahedron from each triangle to the centre.
	centre := b.vertex(r3.Vec{}, innermost)
	for _, t := range triangles {
		var outer [3]int32
		for k, u := range t {
			x := r3.Vec{semi[0] * u[0], semi[1] * u[1], semi[2] * u[2]}
			outer[k] = b.vertex(x.Scale(1+layer), -innermost*layer)
		}
		b.column(outer[:], []int32{centre, centre, centre})
	}
	return b.build(opt, short), nil
}

// sphereScale returns the factor by which triangles inscribed in the unit sphere enclose
// the volume of the ball.
func sphereScale(triangles [][3]r3.Vec) float64 {
	six := 0.0
	for _, t := range triangles {
		six += t[0].Dot(t[1].Cross(t[2]))
	}
	return math.Cbrt(8 * math.Pi / six)
}

// polygonScale returns the factor by which a regular polygon inscribed in a circle
// encloses the area of the disk.
func polygonScale(sides int) float64 {
	a := 2 * math.Pi / float64(sides)
	return math.Sqrt(a / math.Sin(a))
}

// sphereTriangles returns triangles inscribed in the unit sphere, outward: each face of
// the octahedron is cut into n² triangles whose edges are about equal, symmetric under
// all symmetries of the octahedron.
func sphereTriangles(n int) [][3]r3.Vec {
	var out [][3]r3.Vec
	for _, sx := range [2]float64{1, -1} {
		for _, sy := range [2]float64{1, -1} {
			for _, sz := range [2]float64{1, -1} {
				// Corner i, j of the octant's face, i + j ≤ n.
				at := func(i, j int) r3.Vec {
					u := octant(i, j, n-i-j)
					return r3.Vec{sx * u[0], sy * u[1], sz * u[2]}
				}
				// A reflected octant is oriented the other way.
				add := func(a, b, c r3.Vec) {
					if sx*sy*sz < 0 {
						b, c = c, b
					}
					out = append(out, [3]r3.Vec{a, b, c})
				}
				// Triangles that point up, and between them those that point down.
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

// octant returns the point of the unit sphere with barycentric weights i, j, k in the
// octant's face. Weights are angles first, so that the edges of the octant are cut into
// equal arcs and the triangles inside are about equal.
func octant(i, j, k int) r3.Vec {
	n := float64(i + j + k)
	f := func(m int) float64 { return math.Sin(math.Pi / 2 * float64(m) / n) }
	u := r3.Vec{f(i), f(j), f(k)}
	return u.Unit()
}
