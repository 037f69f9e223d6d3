package geometry

import (
	"curlfree/hydroelastic"
	"curlfree/r3"
)

// Patch is the contact surface of two rigid bodies, of which one at least has a
// pressure field: faces that each press, or are about to. Signs are those of
// Contact: normals point from A to B, the lower body.
type Patch struct {
	A, B     int      // scene bodies, A may be World
	Mat      [2]int   // materials of A's and B's surface
	Elem     [2]int32 // geoms
	Center_W r3.Vec   // amid the faces: where the patch's moment is taken, m
	Surface  hydroelastic.Surface
}

// Pressable reports whether a geom is part of contact by pressure fields.
func (g *Geom) Pressable() bool { return g.Field != nil }

// Patches returns the contact surfaces that the last Collide found beside its
// contacts; they hold until the next.
func (s *Scene) Patches() []Patch { return s.patches }

// pressed finds the patch of two geoms if they touch by pressure; false when they
// do not, and touch at points.
func (s *Scene) pressed(a, b int) bool {
	ga, gb := &s.Model.Geoms[a], &s.Model.Geoms[b]
	if ga.Field == nil || gb.Field == nil || !ga.Field.Compliant() && !gb.Field.Compliant() {
		return false
	}
	p := s.nextPatch()
	if !s.query.Contact(ga.Field, gb.Field, s.geoms[a].X_WG, s.geoms[b].X_WG, &p.Surface) {
		s.patches = s.patches[:len(s.patches)-1]
		return false
	}
	if len(p.Surface.Faces) == 0 {
		s.patches = s.patches[:len(s.patches)-1]
		return true
	}
	p.A, p.B = ga.Body, gb.Body
	p.Mat = [2]int{ga.Material, gb.Material}
	p.Elem = [2]int32{int32(a), int32(b)}
	area := 0.0
	p.Center_W = r3.Vec{}
	for i := range p.Surface.Faces {
		f := &p.Surface.Faces[i]
		area += f.Area
		p.Center_W = p.Center_W.AddScaled(f.Area, f.Pos_W)
	}
	p.Center_W = p.Center_W.Scale(1 / area)
	return true
}

// nextPatch appends a patch and keeps what memory is there.
func (s *Scene) nextPatch() *Patch {
	n := len(s.patches)
	if n < cap(s.patches) {
		s.patches = s.patches[:n+1]
	} else {
		s.patches = append(s.patches, Patch{})
	}
	return &s.patches[n]
}

// ahead appends the points at which two geoms that touch by pressure may meet
// beyond their skirts, where moving reaches so far. Fields whose meshes are not
// convex are asked for that only where they could pass each other whole.
func (s *Scene) ahead(a, b int, margin float64) {
	ga, gb := &s.Model.Geoms[a], &s.Model.Geoms[b]
	skirt := skirtOf(ga) + skirtOf(gb)
	if margin <= skirt {
		return
	}
	if isGeneral(ga.Shape) || isGeneral(gb.Shape) {
		if s.moving < min(thickness(s.geoms[a].bounds_G), thickness(s.geoms[b].bounds_G)) {
			return
		}
	}
	from := len(s.contacts)
	s.points(a, b, margin)
	kept := s.contacts[:from]
	for _, c := range s.contacts[from:] {
		if c.Phi > skirt {
			kept = append(kept, c)
		}
	}
	s.contacts = kept
}

// skirtOf returns how far a geom's field reaches beyond its surface, m.
func skirtOf(g *Geom) float64 {
	if c, ok := g.Field.(interface{ Margin() float64 }); ok {
		return c.Margin()
	}
	return 0
}
