package record

import (
	"errors"
	"fmt"

	"github.com/curlfree/curlfree/r3"
)

// A recording comes from a file, which may be damaged or hostile, or from a program, which may
// have made a mistake. Everything that reads it (pictures, exports, fields) indexes its lists
// without further checks, so these are true of a valid one:
//
//	times       rise from frame to frame
//	lengths     Poses: len(Bodies); Verts, Vels: len(Rest); VonMises: len(Tets); Q: NumQ; V: NumV
//	bodies      −1 ≤ body < len(Bodies) + len(Deformables)
//	triangles   of deformables in contacts: 0 ≤ Elem < len(Tris)
//	corners     0 ≤ Lo, Lo + 3 ≤ Hi ≤ len(Verts_W)
//	numbers     finite

// Valid returns an error for a recording that cannot be drawn or exported: without
// frames, with times that do not rise, indices out of range or numbers that are not
// finite. The frames of a file are checked when they are read, see Err.
func (r *Recording) Valid() error {
	if r.Len() == 0 {
		return errors.New("the recording has no frames: run the scene again")
	}
	if err := r.rising(); err != nil {
		return err
	}
	// The frames of a file have been checked when they were read.
	if r.file != nil {
		return r.Err()
	}
	if err := r.Static.valid(); err != nil {
		return err
	}
	// All frames of a recording in memory.
	for i := range r.Frames {
		if err := r.Static.validFrame(&r.Frames[i]); err != nil {
			return r.fault(i, err)
		}
	}
	return nil
}

// fault names the frame of an error.
func (r *Recording) fault(k int, err error) error {
	return fmt.Errorf("frame %d of the recording, at %.6g s: %w", k, r.Time(k), err)
}

// rising returns an error unless each frame is later than the one before.
func (r *Recording) rising() error {
	for i := 1; i < r.Len(); i++ {
		if !(r.Time(i) > r.Time(i-1)) {
			return fmt.Errorf("frame %d of the recording is not later than the one before: run the scene again", i)
		}
	}
	return nil
}

// valid checks indices and numbers of the header.
func (st *Static) valid() error {
	// Shapes: a body that exists or the world, finite poses, triangles of their own vertices.
	for i := range st.Geoms {
		g := &st.Geoms[i]
		if g.Body < -1 || g.Body >= len(st.Bodies) || !finite(g.X_BG.P) || !finite(g.X_BG.R.Row(0), g.X_BG.R.Row(1), g.X_BG.R.Row(2)) {
			return errDamaged
		}
		if g.Mesh != nil && (!inRange(g.Mesh.Tris, len(g.Mesh.Verts)) || !finite(g.Mesh.Verts...)) {
			return errDamaged
		}
	}
	// Deformables: triangles and tetrahedra of their own vertices.
	for i := range st.Deformables {
		s := &st.Deformables[i]
		if !inRange(s.Tris, len(s.Rest)) || !finite(s.Rest...) {
			return errDamaged
		}
		for _, t := range s.Tets {
			for _, v := range t {
				if v < 0 || int(v) >= len(s.Rest) {
					return errDamaged
				}
			}
		}
	}
	return nil
}

// validFrame checks sizes, indices and numbers of a frame.
func (st *Static) validFrame(f *Frame) error {
	if !st.hasLengths(f) {
		return errDamaged
	}
	// rigid bodies
	ok := finite(r3.Vec{f.Time})
	for i := range f.Poses {
		X := &f.Poses[i]
		ok = ok && finite(X.P, X.R.Row(0), X.R.Row(1), X.R.Row(2))
	}
	// deformables
	for i := range f.Verts {
		ok = ok && finite(f.Verts[i]...) && finite(f.Vels[i]...)
		for _, s := range f.VonMises[i] {
			ok = ok && finite(r3.Vec{float64(s)})
		}
	}
	for i := range f.Contacts {
		c := &f.Contacts[i]
		if !st.hasSides(c) {
			return errDamaged
		}
		ok = ok && finite(c.Pos_W, c.Normal_W, c.Force_W, c.Slip_W, r3.Vec{c.Phi, c.Area})
	}
	for i := range f.ContactSurfaces {
		fine, err := st.validSurface(&f.ContactSurfaces[i])
		if err != nil {
			return err
		}
		ok = ok && fine
	}
	if !ok {
		return errors.New("a number is not finite: the simulation diverged or the recording is damaged")
	}
	return nil
}

// hasLengths reports whether every list of a frame has the length that the header says.
func (st *Static) hasLengths(f *Frame) bool {
	n := len(st.Deformables)
	if len(f.Poses) != len(st.Bodies) || len(f.Verts) != n || len(f.Vels) != n || len(f.VonMises) != n || len(f.Q) != st.NumQ || len(f.V) != st.NumV {
		return false
	}
	for i := range st.Deformables {
		d := &st.Deformables[i]
		if len(f.Verts[i]) != len(d.Rest) || len(f.Vels[i]) != len(d.Rest) || len(f.VonMises[i]) != len(d.Tets) {
			return false
		}
	}
	return true
}

// hasBody reports whether a number is that of a body or of the world.
func (st *Static) hasBody(b int) bool { return b >= -1 && b < len(st.Bodies)+len(st.Deformables) }

// hasSides reports whether the bodies of a contact exist, and so does the triangle on a deformable's side.
func (st *Static) hasSides(c *Contact) bool {
	for side, b := range [2]int{c.A, c.B} {
		if !st.hasBody(b) {
			return false
		}
		if s := b - len(st.Bodies); s >= 0 && (c.Elem[side] < 0 || int(c.Elem[side]) >= len(st.Deformables[s].Tris)) {
			return false
		}
	}
	return true
}

// validSurface returns an error for indices out of range, and whether all numbers are
// finite. A side has a geom exactly if its body is not a deformable.
func (st *Static) validSurface(p *ContactSurface) (ok bool, err error) {
	// the bodies exist, and rigid ones alone have a geom
	for side, b := range [2]int{p.A, p.B} {
		if !st.hasBody(b) || (b >= len(st.Bodies)) != (p.Geoms[side] < 0) {
			return false, errDamaged
		}
	}
	// numbers that are not finite are reported apart: a run that diverged writes them too
	ok = finite(p.Force_W, p.Moment_W, p.Center_W, r3.Vec{p.Area, p.Normal, p.MaxPressure}, r3.Vec{p.Slip, p.MaxSlip}) && finite(p.Verts_W...)
	for i := range p.Faces {
		f := &p.Faces[i]
		// A face has at least three corners, all of them the surface's.
		if f.Lo < 0 || f.Hi < f.Lo+3 || int(f.Hi) > len(p.Verts_W) {
			return false, errDamaged
		}
		ok = ok && finite(f.Normal_W, f.Traction_W, f.Slip_W, r3.Vec{f.Area, f.Pressure})
	}
	return ok, nil
}

// inRange reports whether all vertices of triangles are among n.
func inRange(tris [][3]int32, n int) bool {
	for _, t := range tris {
		for _, v := range t {
			if v < 0 || int(v) >= n {
				return false
			}
		}
	}
	return true
}

// finite reports whether no number is NaN or infinite.
func finite(vs ...r3.Vec) bool {
	for _, v := range vs {
		if !v.IsFinite() {
			return false
		}
	}
	return true
}
