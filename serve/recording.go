package serve

import (
	"math"

	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/record"
)

// readRun is the method that reads a recording: what does not change, or some of its frames.
func readRun(_ *connection, a *arguments) (any, error) {
	dir := a.text("dir")
	first, count := a.whole("first", 0, 0, math.MaxInt32), a.whole("count", 0, 0, math.MaxInt32)
	if err := a.check(); err != nil {
		return nil, err
	}
	rec, err := record.ReadRun(dir)
	if err != nil {
		return nil, as("input", err)
	}
	defer rec.Close()
	if count == 0 {
		return describeRecording(rec), nil
	}
	var frames []any
	for k := first; k < min(first+count, rec.Len()); k++ {
		frames = append(frames, frameOf(rec.At(k)))
	}
	return frames, as("input", rec.Err())
}

// describeRecording returns what does not change in a recording.
func describeRecording(rec *record.Recording) any {
	st := &rec.Static
	times := make([]float64, rec.Len())
	for k := range times {
		times[k] = rec.Time(k)
	}
	var deformables, shapes []any
	for i := range st.Deformables {
		d := &st.Deformables[i]
		tets, tris := make([]int32, 0, 4*len(d.Tets)), make([]int32, 0, 3*len(d.Tris))
		for _, t := range d.Tets {
			tets = append(tets, t[:]...)
		}
		for _, t := range d.Tris {
			tris = append(tris, t[:]...)
		}
		deformables = append(deformables, map[string]any{
			"name": d.Name, "rest": points(d.Rest), "tetrahedra": array{dims: []int{len(d.Tets), 4}, ints: tets}, "triangles": array{dims: []int{len(d.Tris), 3}, ints: tris},
		})
	}
	for i := range st.Geoms {
		g := &st.Geoms[i]
		m := map[string]any{"name": g.Name, "body": g.Body, "pose": posesArray([]r3.Pose{g.X_BG})}
		if g.Mesh != nil {
			tris := make([]int32, 0, 3*len(g.Mesh.Tris))
			for _, t := range g.Mesh.Tris {
				tris = append(tris, t[:]...)
			}
			m["vertices"], m["triangles"] = points(g.Mesh.Verts), array{dims: []int{len(g.Mesh.Tris), 3}, ints: tris}
		}
		shapes = append(shapes, m)
	}
	return map[string]any{
		"title": st.Title, "bodies": st.Bodies, "times": vector(times), "complete": rec.Complete(), "deformables": deformables, "shapes": shapes,
	}
}

// points returns a list of points as an array.
func points(list []r3.Vec) array {
	out := array{dims: []int{len(list), 3}, floats: make([]float64, 0, 3*len(list))}
	for _, p := range list {
		out.floats = append(out.floats, p[:]...)
	}
	return out
}

// frameOf returns a frame.
func frameOf(f *record.Frame) any {
	var verts, velocities, stress []any
	for i := range f.Verts {
		verts, velocities = append(verts, points(f.Verts[i])), append(velocities, points(f.Vels[i]))
		s := make([]float64, len(f.VonMises[i]))
		for k, x := range f.VonMises[i] {
			s[k] = float64(x)
		}
		stress = append(stress, vector(s))
	}
	n := len(f.Contacts)
	bodies, place, force := make([]int32, 0, 2*n), make([]float64, 0, 3*n), make([]float64, 0, 3*n)
	for i := range f.Contacts {
		c := &f.Contacts[i]
		bodies, place, force = append(bodies, int32(c.A), int32(c.B)), append(place, c.Pos_W[:]...), append(force, c.Force_W[:]...)
	}
	return map[string]any{
		"time": f.Time, "q": vector(f.Q), "v": vector(f.V), "poses": posesArray(f.Poses), "vertices": verts, "velocities": velocities, "von_mises": stress,
		"contact_bodies": array{dims: []int{n, 2}, ints: bodies}, "contact_positions": array{dims: []int{n, 3}, floats: place}, "contact_forces": array{dims: []int{n, 3}, floats: force},
	}
}
