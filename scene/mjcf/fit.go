package mjcf

// Primitives that are fitted to a mesh. A geom of another type than mesh that names one has its
// place and size. With compiler/fitaabb the box around the mesh counts, in the mesh's axes; else the
// box of uniform density that has the mesh's mass and principal moments I₁ ≥ I₂ ≥ I₃, with the half
// edges
//
//	h_i = √(3 (I_j + I_k − I_i)/(2 m)),   h_1 ≤ h_2 ≤ h_3, along the principal axes     (1)
//
// The size of the primitive follows from the half edges as in MuJoCo:
//
//	               box (1)                                  fitaabb
//	sphere         (h1 + h2 + h3)/3                         max(h1, h2, h3)
//	capsule        r = (h1 + h2)/2, l = h3 − r/2            r = max(h1, h2), l = h3 − r
//	cylinder       r = (h1 + h2)/2, l = h3                  r = max(h1, h2), l = h3
//	box, ellipsoid h1, h2, h3                               h1, h2, h3
//
// with radius r and half length l ≥ 0, times fitscale.

import (
	"math"
	"slices"

	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/scene/robot"
)

// fit sets shape and pose of a geom to those of the mesh that it names.
func (r *reader) fit(v view, kind string, g *robot.Geometry) {
	name := v.text("mesh", "")
	m := r.meshes[name]
	if m == nil {
		r.Fail(g.Line, "<geom>: there is no mesh %q: add one to <asset>", name)
		return
	}
	X, h, ok := r.halfEdges(m, g.Line)
	if !ok {
		return
	}
	size := h[:]
	// the table above; the third half edge is along the axis of a capsule or cylinder
	switch across := (h[0] + h[1]) / 2; {
	case kind == "sphere" && r.compiler.fitAABB:
		size[0] = max(h[0], h[1], h[2])
	case kind == "sphere":
		size[0] = (h[0] + h[1] + h[2]) / 3
	case (kind == "capsule" || kind == "cylinder") && r.compiler.fitAABB:
		size[0], size[1] = max(h[0], h[1]), h[2]
		if kind == "capsule" {
			size[1] = max(0, h[2]-size[0])
		}
	case kind == "capsule":
		size[0], size[1] = across, max(0, h[2]-across/2)
	case kind == "cylinder":
		size[0], size[1] = across, h[2]
	}
	if scale := r.number(v, "fitscale", 1); scale > 0 && !math.IsInf(scale, 0) {
		for i := range size {
			size[i] *= scale
		}
	} else {
		r.Fail(g.Line, "<geom fitscale>: a positive number is required")
	}
	if !(size[0] > 0) || !(size[1] >= 0) {
		r.Fail(g.Line, "<geom>: a %s cannot be fitted to mesh %q, which has no extent: give its size and leave out mesh", kind, name)
		return
	}
	// a capsule without length is a ball
	if kind == "capsule" && size[1] == 0 {
		kind = "sphere"
	}
	// the box lies in the frame of the file, the file in that of the geom
	g.X_LG = g.X_LG.Mul(m.X_GM).Mul(X)
	setSize(g, kind, size)
}

// halfEdges returns the box of a mesh in the frame of its file, and its half edges; false after a fault.
func (r *reader) halfEdges(m *mesh, line int) (X r3.Pose, h r3.Vec, ok bool) {
	if r.compiler.fitAABB {
		tri, err := r.surfaceOf(m)
		if err != nil {
			r.Fail(line, "mesh %q, to which a shape is fitted: %v", m.name, err)
			return X, h, false
		}
		robot.ScaleMesh(tri, m.scale)
		b := tri.Bounds()
		return r3.Pose{R: r3.Identity(), P: b.Center()}, b.Max.Sub(b.Min).Scale(0.5), true
	}
	s := r.solid(m, line)
	if s == nil {
		return X, h, false
	}
	X, h = inertiaBox(s)
	return X, h, true
}

// inertiaBox returns the frame and the half edges of the box with the inertia of a solid.
func inertiaBox(s *geometry.MassProperties) (X r3.Pose, h r3.Vec) {
	Q, w := r3.SymEigen(s.Inertia)
	// the greatest moment first; the axes stay right-handed
	order := []int{0, 1, 2}
	slices.SortStableFunc(order, func(i, j int) int {
		if w[i] > w[j] {
			return -1
		} else if w[i] < w[j] {
			return 1
		}
		return 0
	})
	column := func(k int) r3.Vec { return r3.Vec{Q[k], Q[3+k], Q[6+k]} }
	x, y := column(order[0]), column(order[1])
	X = r3.Pose{R: r3.FromColumns(x, y, x.Cross(y)), P: s.Com}
	sum := w[0] + w[1] + w[2]
	for i, k := range order {
		h[i] = math.Sqrt(max(0, 1.5*(sum-2*w[k])/s.Mass)) // (1)
	}
	return X, h
}
