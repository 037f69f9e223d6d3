package geometry

// A box as a SupportMap: the corner farthest along a direction has the signs of its
// components, and the face is the one whose normal has the largest component.

import (
	"math"

	"github.com/curlfree/curlfree/hydroelastic"
	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
)

// Box is a rectangular block centred in its frame, edges along the axes.
type Box struct {
	// Half is half of the edge lengths, m.
	Half r3.Vec
}

var _ SupportMap = (*Box)(nil)

var _ = Shapes.Register(kinds.Kind[ShapeSpec]{
	Name: "box",
	Doc:  "Rectangular block centred in its frame, edges along the axes.",
	New:  func() ShapeSpec { return &BoxSpec{} },
	Samples: func() []ShapeSpec {
		return []ShapeSpec{&BoxSpec{r3.Vec{0.1, 0.06, 0.04}}, &BoxSpec{r3.Vec{0.1, 0.1, 0.1}}, &BoxSpec{r3.Vec{1, 0.3, 0.01}}}
	},
})

// BoxSpec are the parameters of a box.
type BoxSpec struct {
	// Size are the edge lengths along x, y and z, m.
	Size r3.Vec `key:"size,required" unit:"m" doc:"edge lengths along x, y and z" above:"0"`
}

// Make implements ShapeSpec.
func (s *BoxSpec) Make(MeshSource) (Shape, error) { return NewBox(s.Size) }

// NewBox returns a box of the given full edge lengths (m). Lengths that are not positive
// and finite are an error.
func NewBox(size r3.Vec) (*Box, error) {
	for i, what := range [3]string{"size along x", "size along y", "size along z"} {
		if err := checkLength("box", what, size[i]); err != nil {
			return nil, err
		}
	}
	return &Box{size.Scale(0.5)}, nil
}

// Bounds returns the bounds in G, m.
func (b *Box) Bounds() r3.Box { return r3.Box{Min: b.Half.Neg(), Max: b.Half} }

// SignedDistance returns the exact distance: outside that to the nearest point of the
// box, inside that to the nearest face. Of equally near faces it takes the first in the
// order x, y, z; on a middle plane, the positive side.
func (b *Box) SignedDistance(p_G r3.Vec) (phi float64, grad r3.Vec) {
	// The way from the box to p, and the axis on which p is deepest.
	var out r3.Vec
	inside, best := true, 0
	depth := math.Inf(-1)
	// Height over the nearer of the two faces across each axis.
	for i, x := range p_G {
		d := math.Abs(x) - b.Half[i]
		if d > 0 {
			inside = false
			out[i] = math.Copysign(d, x)
		}
		if d > depth {
			depth, best = d, i
		}
	}
	// Inside: the nearest face.
	if inside {
		grad[best] = sign(p_G[best])
		return depth, grad
	}
	return direction(out)
}

// Support returns the corner farthest along dir_G.
func (b *Box) Support(dir_G r3.Vec) r3.Vec {
	return r3.Vec{sign(dir_G[0]) * b.Half[0], sign(dir_G[1]) * b.Half[1], sign(dir_G[2]) * b.Half[2]}
}

// Face returns the face whose normal is nearest to n_G.
func (b *Box) Face(n_G r3.Vec) Face {
	// The axis nearest to the direction.
	i := 0
	for j := 1; j < 3; j++ {
		if math.Abs(n_G[j]) > math.Abs(n_G[i]) {
			i = j
		}
	}
	j, k := (i+1)%3, (i+2)%3
	// Its four corners, counter-clockwise as seen from outside.
	s := sign(n_G[i])
	f := Face{N: 4}
	f.Normal[i] = s
	for c, uv := range [4][2]float64{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}} {
		f.P[c][i] = s * b.Half[i]
		f.P[c][j] = s * uv[0] * b.Half[j]
		f.P[c][k] = uv[1] * b.Half[k]
	}
	return f
}

// PressureField implements FieldMaker: p grows with the distance to the surface.
func (b *Box) PressureField(opt hydroelastic.Options) (hydroelastic.Geometry, error) {
	return hydroelastic.NewBox(b.Half.Scale(2), opt)
}

// Rounding returns 0.
func (b *Box) Rounding() float64 { return 0 }

// mass returns the exact mass properties: m = 8 hx hy hz, I_x = m (hy² + hz²)/3.
func (b *Box) mass() MassProperties {
	h := b.Half
	v := 8 * h[0] * h[1] * h[2]
	x, y, z := h[0]*h[0], h[1]*h[1], h[2]*h[2]
	return MassProperties{Mass: v, Inertia: r3.Diag(r3.Vec{y + z, x + z, x + y}.Scale(v / 3))}
}

// SurfaceMesh returns the twelve triangles of the box.
func (b *Box) SurfaceMesh() *meshes.Tri { return boxSurface(b.Half.Neg(), b.Half) }

// boxSurface returns the twelve triangles of the block between two corners.
func boxSurface(lo, hi r3.Vec) *meshes.Tri {
	t := &meshes.Tri{}
	for i := range 8 {
		p := lo
		for j := range p {
			if i>>j&1 == 1 {
				p[j] = hi[j]
			}
		}
		t.Verts = append(t.Verts, p)
	}
	// Corner i has bit j set where it lies on the upper side along axis j.
	for _, q := range [6][4]int{{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}} {
		quad(t, q[0], q[1], q[2], q[3])
	}
	return t
}

// numFaces implements faced.
func (b *Box) numFaces() int { return 6 }

// height implements faced.
func (b *Box) height(face int, p_G r3.Vec) (phi float64, n r3.Vec) {
	i := face / 2
	n[i] = float64(1 - 2*(face%2))
	return n[i]*p_G[i] - b.Half[i], n
}
