package record

import (
	"curlfree/r3"
	"curlfree/sim"
)

// Capture fills a frame from a stepper whose scene is placed at the state x.
// Memory of f is reused.
func Capture(s *sim.Stepper, x *sim.State, f *Frame) {
	m := s.Model
	f.Time = x.Time
	nq, nv := m.RigidSize()
	f.Q, f.V = append(f.Q[:0], x.Q[:nq]...), append(f.V[:0], x.V[:nv]...)
	f.Poses = append(f.Poses[:0], s.Scene.X_WB...)
	if f.Verts == nil {
		f.Verts, f.Vels = make([][]r3.Vec, len(m.Soft)), make([][]r3.Vec, len(m.Soft))
		f.VonMises = make([][]float32, len(m.Soft))
	}
	for i, b := range m.Soft {
		n := 3 * b.NumVerts()
		f.Verts[i] = f.Verts[i][:0]
		f.Vels[i] = f.Vels[i][:0]
		for j := 0; j < n; j += 3 {
			f.Verts[i] = append(f.Verts[i], r3.Vec(x.Q[nq+j:nq+j+3]))
			f.Vels[i] = append(f.Vels[i], r3.Vec(x.V[nv+j:nv+j+3]))
		}
		nq, nv = nq+n, nv+n
		f.VonMises[i] = f.VonMises[i][:0]
		for _, s := range s.VonMises(i) {
			f.VonMises[i] = append(f.VonMises[i], float32(s))
		}
	}
	f.Contacts = f.Contacts[:0]
	for i := range s.Report.Contacts {
		c := &s.Report.Contacts[i]
		f.Contacts = append(f.Contacts, Contact{
			A: c.A.Body, B: c.B.Body, Pos_W: c.Pos_W, Normal_W: c.Normal_W, Force_W: c.Force_W,
			Phi: c.Phi, Area: c.Area, Elem: c.Elem,
		})
	}
}
