package hydroelastic

import "github.com/curlfree/curlfree/r3"

// Face is one planar convex piece of a contact surface, on one pair of elements.
type Face struct {
	// its corners are Verts_W[Lo:Hi] of the surface, counter-clockwise about Normal_W
	Lo, Hi int32
	// centroid, where the force acts, m
	Pos_W r3.Vec
	// unit, from A to B
	Normal_W r3.Vec
	// m²; less than the polygon's where the face turns away from a field, see Query
	Area float64
	// Pressure at the centroid, Pa; negative ahead of contact.
	Pressure float64
	// GradA and GradB are how steeply the pressure of A falls and that of B rises
	// along the normal, Pa/m, bounded below (see Query); +Inf on a rigid side.
	PressureGradientA, PressureGradientB float64
	// Grad is both in series, 1/(1/GradA + 1/GradB), Pa/m: Area·Grad is the
	// stiffness of the face, N/m.
	PressureGradient float64
	// Phi is −Pressure/Grad, m: below 0 in contact, above 0 the gap ahead of it.
	Phi float64
	// Depth is how deep the centroid lies in A and in B together, each along its own
	// pressure gradient, m: −Phi where the surface faces both, less where it leans and
	// Grad is bounded.
	Depth float64
	// Elem are the elements of A and B: the number of a cell or of a rigid
	// triangle, 0 on a half-space. A pair has two faces where the surface leaves
	// the bodies, one in contact and one ahead.
	Elem [2]int32
}

// Dropped counts pairs of elements that overlap and bring no face.
type Dropped struct {
	// the surface turns away from a pressure gradient
	Facing int
	// no area but for round-off
	Tiny int
}

// Surface is the contact surface of one pair of bodies. It keeps its memory from
// one query to the next.
type ContactSurface struct {
	Faces []Face
	// corners of the faces, m
	Verts_W []r3.Vec
	// pressure at each, Pa
	Pressures []float64

	// Sums over the faces with positive pressure: what is in contact now.
	// m²
	Area float64
	// of the area, m
	Centroid_W r3.Vec
	// Σ p S n̂, on B at rest, N; −Force_W acts on A
	Force_W r3.Vec
	// of these forces about Centroid_W, N·m
	Moment_W r3.Vec
	// centre of pressure, Σ p S x/Σ p S, m
	CenterOfPressure_W r3.Vec
	// largest pressure at a centroid, Pa
	MaxPressure float64

	Dropped Dropped
}

// Reset empties the surface and keeps its memory.
func (s *ContactSurface) Reset() {
	*s = ContactSurface{Faces: s.Faces[:0], Verts_W: s.Verts_W[:0], Pressures: s.Pressures[:0]}
}

// sum fills in the totals.
func (s *ContactSurface) sum() {
	weight := 0.0
	for i := range s.Faces {
		f := &s.Faces[i]
		if f.Pressure <= 0 {
			continue
		}
		q := f.Area * f.Pressure
		s.Area += f.Area
		weight += q
		s.Centroid_W.IncScale(f.Area, &f.Pos_W)
		s.CenterOfPressure_W.IncScale(q, &f.Pos_W)
		s.Force_W.IncScale(q, &f.Normal_W)
		s.MaxPressure = max(s.MaxPressure, f.Pressure)
	}
	if s.Area == 0 {
		return
	}
	s.Centroid_W = s.Centroid_W.Scale(1 / s.Area)
	s.CenterOfPressure_W = s.CenterOfPressure_W.Scale(1 / weight)
	var r, force r3.Vec
	for i := range s.Faces {
		f := &s.Faces[i]
		if f.Pressure > 0 {
			r.SetSub(&f.Pos_W, &s.Centroid_W)
			force.SetScale(f.Area*f.Pressure, &f.Normal_W)
			s.Moment_W.IncCross(&r, &force)
		}
	}
}

// Triangles appends the faces as triangles about Normal_W, indices into Verts_W,
// a fan each.
func (s *ContactSurface) Triangles(dst [][3]int32) [][3]int32 {
	for i := range s.Faces {
		f := &s.Faces[i]
		for k := f.Lo + 1; k+1 < f.Hi; k++ {
			dst = append(dst, [3]int32{f.Lo, k, k + 1})
		}
	}
	return dst
}
