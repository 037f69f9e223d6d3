package sim

// What a patch of faces i bears, with normal n_i, area S_i, force f_i on B at r_i
// and slip s_i:
//
//	N_i = f_i·n_i,  p_i = N_i/S_i,  S = Σ S_i,  p̄ = Σ N_i/S           (1)
//	C = Σ N_i r_i/Σ N_i                                              (2)
//	F = Σ f_i,  M_C = Σ (r_i − C) × f_i                              (3)
//	s̄ = Σ N_i |s_i|/Σ N_i                                            (4)
//
// over the faces with N_i > 0.

import (
	"math"

	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/hydroelastic"
	"github.com/curlfree/curlfree/r3"
)

// ContactSurfaceReport is what the contact surface of two bodies bore in the last step: of
// two geoms that touch by pressure fields, of a geom and a deformable, or of two
// deformables. Only faces that press count.
type ContactSurfaceReport struct {
	A, B         int      // scene bodies, A ≤ B, A may be geometry.World
	Geoms        [2]int32 // the geoms that touch, −1 on the side of a deformable
	Contacts     [2]int   // its faces are Report.Contacts()[Contacts[0]:Contacts[1]]
	Hydroelastic int      // its shape is Scene.Patches()[Patch] until the next step; −1: of a deformable

	Area         float64 // m²
	Force_W      r3.Vec  // on B, mean over the step, N
	Moment_W     r3.Vec  // on B about Center_W, N m
	Center_W     r3.Vec  // centre of pressure, m
	Normal       float64 // Σ of the normal forces, N
	MeanPressure float64 // Pa
	MaxPressure  float64 // of a face, mean over it, Pa
	Slip         float64 // mean of the faces' sliding speeds, weighted by normal force, m/s
	MaxSlip      float64 // m/s
}

// collectPatches sums up the faces of each patch. Faces of a pair follow each
// other in the list of contacts.
func (r *Report) collectPatches(s *Stepper) {
	for from := 0; from < r.FirstFace; {
		to := from + 1
		if r.contacts[from].Area > 0 {
			for to < r.FirstFace && s.samePatch(&r.contacts[from], &r.contacts[to]) {
				to++
			}
			r.addPatch(s, from, to, -1)
		}
		from = to
	}
	from := r.FirstFace
	for i := range s.patches {
		to := from + len(s.patches[i].Surface.Faces)
		r.addPatch(s, from, to, i)
		from = to
	}
}

// samePatch reports whether two contacts are faces of the same patch of a
// deformable.
func (s *Stepper) samePatch(c, d *ContactReport) bool {
	return d.Area > 0 && c.A.Body == d.A.Body && c.B.Body == d.B.Body && s.patchGeoms(c) == s.patchGeoms(d)
}

// patchGeoms returns the geoms of a face's two sides.
func (s *Stepper) patchGeoms(c *ContactReport) [2]int32 {
	g := c.Elem
	for side, body := range [2]int{c.A.Body, c.B.Body} {
		if body != geometry.World && s.isSoft(body) {
			g[side] = -1
		}
	}
	return g
}

// addPatch appends the report of a range of contacts if any of them presses.
func (r *Report) addPatch(s *Stepper, from, to, patch int) {
	if from == to {
		return
	}
	c := &r.contacts[from]
	p := ContactSurfaceReport{A: c.A.Body, B: c.B.Body, Geoms: s.patchGeoms(c), Contacts: [2]int{from, to}, Hydroelastic: patch}
	for i := from; i < to; i++ {
		f := &r.contacts[i]
		if !f.Presses() {
			continue
		}
		slip := f.Slip_W.Norm()
		p.Area += f.Area
		p.Force_W = p.Force_W.Add(f.Force_W)
		p.Normal += f.Normal
		p.Center_W = p.Center_W.AddScaled(f.Normal, f.Pos_W)
		p.MaxPressure = math.Max(p.MaxPressure, f.Pressure())
		p.Slip += f.Normal * slip
		p.MaxSlip = math.Max(p.MaxSlip, slip)
	}
	if p.Area == 0 {
		return
	}
	p.MeanPressure = p.Normal / p.Area          // (1)
	p.Center_W = p.Center_W.Scale(1 / p.Normal) // (2)
	p.Slip /= p.Normal                          // (4)
	for i := from; i < to; i++ {
		if f := &r.contacts[i]; f.Presses() {
			p.Moment_W = p.Moment_W.Add(f.Pos_W.Sub(p.Center_W).Cross(f.Force_W)) // (3)
		}
	}
	r.patches = append(r.patches, p)
}

// Presses reports whether a contact is a face that bears force.
func (c *ContactReport) Presses() bool { return c.Area > 0 && c.Normal > 0 }

// Pressure returns the mean pressure on a face, Pa; 0 at a point.
func (c *ContactReport) Pressure() float64 {
	if c.Area == 0 {
		return 0
	}
	return c.Normal / c.Area
}

// ContactSurface returns the shape of a patch of the last step, whose faces are the
// patch's contacts in order; nil of a deformable. It holds until the next step.
func (s *Stepper) ContactSurface(p *ContactSurfaceReport) *hydroelastic.ContactSurface {
	if p.Hydroelastic < 0 {
		return nil
	}
	return &s.patches[p.Hydroelastic].Surface
}
