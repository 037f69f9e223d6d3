package hydroelastic

import "github.com/curlfree/curlfree/r3"

// Face is one planar convex piece of a contact surface, on one pair of elements (cells,
// rigid triangles or a half-space). Numbers in parentheses are equations of the package's
// document.
type Face struct {
	// Lo and Hi delimit its corners, Verts_W[Lo:Hi] of the surface, counter-clockwise
	// about Normal_W.
	Lo, Hi int32
	// Pos_W is the centroid, where the force acts, m.
	Pos_W r3.Vec
	// Normal_W is the unit normal, from A to B.
	Normal_W r3.Vec
	// Area is the effective area, m²: less than that of the polygon where the face
	// turns away from a pressure gradient, see Query.
	Area float64
	// Pressure is the pressure at the centroid, Pa; negative ahead of contact.
	Pressure float64
	// PressureGradientA and PressureGradientB are g_A and g_B of (3), the slopes with
	// which the pressure of A falls and that of B rises along the normal, Pa/m, bounded
	// below (see Query); +Inf on a rigid side.
	PressureGradientA, PressureGradientB float64
	// PressureGradient is g of (3), both in series, Pa/m: Area·PressureGradient is the
	// stiffness of the face, N/m.
	PressureGradient float64
	// Phi is −Pressure/PressureGradient (4), m: negative in contact, positive the gap
	// ahead of it.
	Phi float64
	// Depth is the sum of the depths of the centroid in A and in B, each along its own
	// pressure gradient, m: −Phi where the face is perpendicular to both gradients, less
	// where it is inclined and PressureGradient is bounded.
	Depth float64
	// Elem are the elements of A and B: the number of a cell or of a rigid triangle, 0 on
	// a half-space. A pair of elements has two faces where the pressure changes its sign,
	// one in contact and one ahead.
	Elem [2]int32
}

// SetGap sets the gap of the face, m, and changes pressure and depth in proportion by the
// pressure gradient.
func (f *Face) SetGap(phi float64) {
	p := -phi * f.PressureGradient
	if f.Pressure != 0 {
		f.Depth *= p / f.Pressure
	} else {
		f.Depth = -phi
	}
	f.Phi, f.Pressure = phi, p
}

// Dropped counts pairs of elements that overlap and contribute no face.
type Dropped struct {
	// Facing is the number of pairs whose surface turns away from a pressure gradient.
	Facing int
	// Tiny is the number of pairs whose area is as small as round-off errors.
	Tiny int
}

// ContactSurface is the contact surface (contact patch) of one pair of bodies: a
// polygon mesh with a pressure. It keeps its memory from one query to the next.
type ContactSurface struct {
	// Faces are the planar pieces, in contact and ahead of it.
	Faces []Face
	// Verts_W are the corners of the faces, m.
	Verts_W []r3.Vec
	// Pressures are the pressures at the corners, Pa.
	Pressures []float64

	// Area is the area in contact, of the faces with positive pressure, m². The sums
	// below are over these faces, too.
	Area float64
	// Centroid_W is the centroid of that area, m.
	Centroid_W r3.Vec
	// Force_W is Σ p S n̂, the force on B at rest, N; −Force_W acts on A.
	Force_W r3.Vec
	// Moment_W is the moment of these forces about Centroid_W, N·m.
	Moment_W r3.Vec
	// CenterOfPressure_W is Σ p S x/Σ p S, m.
	CenterOfPressure_W r3.Vec
	// MaxPressure is the largest pressure at a centroid, Pa.
	MaxPressure float64

	// Dropped counts the pairs of elements without a face.
	Dropped Dropped
}

// Reset empties the surface and keeps its memory.
func (s *ContactSurface) Reset() {
	*s = ContactSurface{Faces: s.Faces[:0], Verts_W: s.Verts_W[:0], Pressures: s.Pressures[:0]}
}

// Sum recomputes the sums over the faces in contact (area, force, moment, centre of pressure)
// after the faces were changed.
func (s *ContactSurface) Sum() {
	s.Area, s.MaxPressure = 0, 0
	s.Centroid_W, s.CenterOfPressure_W, s.Force_W, s.Moment_W = r3.Vec{}, r3.Vec{}, r3.Vec{}, r3.Vec{}
	// Forces, and means weighted by area and by force.
	weight := 0.0
	for i := range s.Faces {
		f := &s.Faces[i]
		// Faces ahead of contact carry nothing.
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
	s.Moment_W = s.moment(s.Centroid_W)
}

// moment returns the moment of the forces of the faces in contact about a point, N·m.
func (s *ContactSurface) moment(about_W r3.Vec) (M_W r3.Vec) {
	var r, force r3.Vec
	for i := range s.Faces {
		f := &s.Faces[i]
		if f.Pressure > 0 {
			// Arm times force.
			r.SetSub(&f.Pos_W, &about_W)
			force.SetScale(f.Area*f.Pressure, &f.Normal_W)
			M_W.IncCross(&r, &force)
		}
	}
	return M_W
}

// Triangles appends the faces as triangles, counter-clockwise about Normal_W, indices of
// Verts_W; each face is a fan.
func (s *ContactSurface) Triangles(dst [][3]int32) [][3]int32 {
	for i := range s.Faces {
		f := &s.Faces[i]
		for k := f.Lo + 1; k+1 < f.Hi; k++ {
			dst = append(dst, [3]int32{f.Lo, k, k + 1})
		}
	}
	return dst
}
