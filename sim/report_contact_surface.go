package sim

// Sums over the faces i of a contact surface, with normal n_i, area S_i, force f_i on
// body B at r_i and slip velocity s_i, over the faces with N_i > 0:
//
//	N_i = f_i·n_i,  p_i = N_i/S_i,  S = Σ S_i,  p̄ = Σ N_i/S           pressures          (1)
//	C = Σ N_i r_i/Σ N_i                                              centre of pressure (2)
//	F = Σ f_i,  M_C = Σ (r_i − C) × f_i                              force, moment      (3)
//	s̄ = Σ N_i |s_i|/Σ N_i                                            mean slip          (4)

import (
	"math"

	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/hydroelastic"
	"github.com/curlfree/curlfree/r3"
)

// ContactSurfaceReport holds area, force and pressure of the contact surface (contact
// patch) of two bodies in the last step: of two geoms with pressure fields, of a geom
// and a deformable, or of two deformables. Only faces with normal force count.
type ContactSurfaceReport struct {
	// A and B are the scene bodies, A ≤ B; A may be geometry.World.
	A, B int
	// Geoms are the geoms on the sides of A and B, −1 for a deformable.
	Geoms [2]int32
	// Contacts is the range of its faces: Report.Contacts()[Contacts[0]:Contacts[1]].
	Contacts [2]int
	// Hydroelastic is its number among the surfaces of pressure fields, whose polygons
	// Stepper.ContactSurface has; −1 for a surface of a deformable.
	Hydroelastic int

	// Area is the area of the faces with normal force, m².
	Area float64
	// Force_W is the force on B, mean over the step, in world axes, N.
	Force_W r3.Vec
	// Moment_W is the moment on B about Center_W, in world axes, N m.
	Moment_W r3.Vec
	// Center_W is the centre of pressure in the world, m.
	Center_W r3.Vec
	// Normal is the sum of the magnitudes of the faces' normal forces, N.
	Normal float64
	// MeanPressure is Normal over Area, Pa.
	MeanPressure float64
	// MaxPressure is the largest mean pressure of a face, Pa.
	MaxPressure float64
	// Slip is the mean of the faces' slip speeds, weighted by normal force, m/s.
	Slip float64
	// MaxSlip is the largest slip speed of a face, m/s.
	MaxSlip float64
}

// collectSurfaces sums up the faces of each contact surface. Faces of one surface are
// adjacent in the list of contacts.
func (r *Report) collectSurfaces(s *Stepper) {
	// faces of deformables: runs of faces of the same two surfaces
	for from := 0; from < r.FirstFace; {
		to := from + 1
		if r.contacts[from].Area > 0 {
			for to < r.FirstFace && s.sameSurface(&r.contacts[from], &r.contacts[to]) {
				to++
			}
			r.addSurface(s, from, to, -1)
		}
		from = to
	}
	// faces of pressure fields: as many as each contact surface has
	from := r.FirstFace
	for i := range s.surfaces {
		to := from + len(s.surfaces[i].Surface.Faces)
		r.addSurface(s, from, to, i)
		from = to
	}
}

// sameSurface reports whether two contacts are faces of the same contact surface of a
// deformable.
func (s *Stepper) sameSurface(c, d *ContactReport) bool {
	return d.Area > 0 && c.A.Body == d.A.Body && c.B.Body == d.B.Body && s.surfaceGeoms(c) == s.surfaceGeoms(d)
}

// surfaceGeoms returns the geoms of a face's two sides.
func (s *Stepper) surfaceGeoms(c *ContactReport) [2]int32 {
	g := c.Elem
	for side, body := range [2]int{c.A.Body, c.B.Body} {
		if body != geometry.World && s.isDeformable(body) {
			g[side] = -1
		}
	}
	return g
}

// addSurface appends the report of a range of contacts if any of them has normal force.
func (r *Report) addSurface(s *Stepper, from, to, hydroelastic int) {
	if from == to {
		return
	}
	c := &r.contacts[from]
	p := ContactSurfaceReport{A: c.A.Body, B: c.B.Body, Geoms: s.surfaceGeoms(c), Contacts: [2]int{from, to}, Hydroelastic: hydroelastic}
	// sums of (1) to (4)
	for i := from; i < to; i++ {
		f := &r.contacts[i]
		if !f.IsActiveFace() {
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
	// means, and the moment about the centre of pressure
	p.MeanPressure = p.Normal / p.Area          // (1)
	p.Center_W = p.Center_W.Scale(1 / p.Normal) // (2)
	p.Slip /= p.Normal                          // (4)
	for i := from; i < to; i++ {
		if f := &r.contacts[i]; f.IsActiveFace() {
			p.Moment_W = p.Moment_W.Add(f.Pos_W.Sub(p.Center_W).Cross(f.Force_W)) // (3)
		}
	}
	r.surfaces = append(r.surfaces, p)
}

// IsActiveFace reports whether a contact is a face with normal force.
func (c *ContactReport) IsActiveFace() bool { return c.Area > 0 && c.Normal > 0 }

// Pressure returns the mean pressure on a face, Pa; 0 for a contact point.
func (c *ContactReport) Pressure() float64 {
	if c.Area == 0 {
		return 0
	}
	return c.Normal / c.Area
}

// ContactSurface returns the polygons of a contact surface of the last step, whose faces
// are its contacts in order; nil for that of a deformable. It is valid until the next step.
func (s *Stepper) ContactSurface(p *ContactSurfaceReport) *hydroelastic.ContactSurface {
	if p.Hydroelastic < 0 {
		return nil
	}
	return &s.surfaces[p.Hydroelastic].Surface
}
