package record

import (
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/sim"
)

// The state x of a step has, in this order, the coordinates of rigid bodies (RigidSize) and three
// for each vertex of each deformable. What a state does not have (poses, stresses, contacts) is
// taken from the stepper, whose geometry and report belong to the step that ended at x.

// Capture fills a frame from a stepper whose geometry is placed at the state x, as it
// is after a step or after Stepper.Place. The memory of f is reused, so that capturing
// allocates only while the numbers of contacts and faces grow.
func Capture(s *sim.Stepper, x *sim.State, f *Frame) {
	m := s.Model
	// rigid bodies come first in the state
	f.Time = x.Time
	nq, nv := m.RigidSize()
	f.Q, f.V = append(f.Q[:0], x.Q[:nq]...), append(f.V[:0], x.V[:nv]...)
	f.Poses = append(f.Poses[:0], s.Geometry.X_WB...)
	// Lists of deformables are made once, for the number of deformables in the model.
	if f.Verts == nil {
		f.Verts, f.Vels = make([][]r3.Vec, len(m.Deformables)), make([][]r3.Vec, len(m.Deformables))
		f.VonMises = make([][]float32, len(m.Deformables))
	}
	// each deformable: three coordinates for each vertex
	for i, b := range m.Deformables {
		n := 3 * b.NumVerts()
		f.Verts[i] = f.Verts[i][:0]
		f.Vels[i] = f.Vels[i][:0]
		for j := 0; j < n; j += 3 {
			f.Verts[i] = append(f.Verts[i], r3.Vec(x.Q[nq+j:nq+j+3]))
			f.Vels[i] = append(f.Vels[i], r3.Vec(x.V[nv+j:nv+j+3]))
		}
		// The next deformable follows in the state.
		nq, nv = nq+n, nv+n
		f.VonMises[i] = f.VonMises[i][:0]
		for _, s := range s.VonMises(i) {
			f.VonMises[i] = append(f.VonMises[i], float32(s))
		}
	}
	f.Contacts = f.Contacts[:0]
	// contacts from FirstFace on are faces of pressure fields, stored with their surface
	contacts, surfaces := s.Report.Contacts(), s.Report.ContactSurfaces()
	for i := range contacts[:s.Report.FirstFace] {
		c := &contacts[i]
		f.Contacts = append(f.Contacts, Contact{
			A: c.A.Body, B: c.B.Body, Pos_W: c.Pos_W, Normal_W: c.Normal_W, Force_W: c.Force_W, Slip_W: c.Slip_W,
			Phi: c.Phi, Area: c.Area, Elem: c.Elem,
		})
	}
	f.ContactSurfaces = f.ContactSurfaces[:0]
	for i := range surfaces {
		captureSurface(s, &surfaces[i], f.addSurface())
	}
}

// addSurface appends a contact surface and reuses the memory of an earlier one.
func (f *Frame) addSurface() *ContactSurface {
	// An earlier frame may have left memory behind the end of the list.
	n := len(f.ContactSurfaces)
	if n < cap(f.ContactSurfaces) {
		f.ContactSurfaces = f.ContactSurfaces[:n+1]
	} else {
		f.ContactSurfaces = append(f.ContactSurfaces, ContactSurface{})
	}
	return &f.ContactSurfaces[n]
}

// captureSurface fills p with the sums of a contact surface and with those of its
// faces that press.
func captureSurface(s *sim.Stepper, r *sim.ContactSurfaceReport, p *ContactSurface) {
	*p = ContactSurface{
		A: r.A, B: r.B, Geoms: r.Geoms,
		Area: r.Area, Normal: r.Normal, MaxPressure: r.MaxPressure, Slip: r.Slip, MaxSlip: r.MaxSlip,
		Force_W: r.Force_W, Moment_W: r.Moment_W, Center_W: r.Center_W,
		Faces: p.Faces[:0], Verts_W: p.Verts_W[:0],
	}
	// Surfaces of deformables have no shape: their faces are triangles of the boundary.
	shape := s.ContactSurface(r)
	if shape == nil {
		return
	}
	// face k of the surface is contact k of the report
	contacts := s.Report.Contacts()[r.Contacts[0]:r.Contacts[1]]
	for k := range shape.Faces {
		c, face := &contacts[k], &shape.Faces[k]
		// A face with a gap transmits no pressure, and is left out.
		if !c.IsActiveFace() {
			continue
		}
		// Corners are kept for each face; the writer finds the shared ones.
		lo := int32(len(p.Verts_W))
		p.Verts_W = append(p.Verts_W, shape.Verts_W[face.Lo:face.Hi]...)
		p.Faces = append(p.Faces, Face{
			Lo: lo, Hi: int32(len(p.Verts_W)), Area: c.Area, Pressure: c.Pressure(),
			Normal_W: c.Normal_W, Traction_W: c.Force_W.Scale(1 / c.Area), Slip_W: c.Slip_W,
		})
	}
}
