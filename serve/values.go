package serve

import (
	"image"
	"image/draw"

	"github.com/curlfree/curlfree/gradient"
	"github.com/curlfree/curlfree/optimize"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/record"
	"github.com/curlfree/curlfree/render"
	"github.com/curlfree/curlfree/scene"
)

// What clients read of the state at hand.

// signals is the method that returns the values of all signals.
func signals(c *connection, a *arguments) (any, error) {
	s := c.session(a)
	if err := a.check(); err != nil {
		return nil, err
	}
	s.evaluate()
	return vector(s.signals), nil
}

// contactArrays has the contacts of a step, a row each.
type contactArrays struct {
	bodies                                []int32
	place, normal, force, slip, gap, area []float64
}

// contacts is the method that returns the contacts of the last step.
func contacts(c *connection, a *arguments) (any, error) {
	s := c.session(a)
	if err := a.check(); err != nil {
		return nil, err
	}
	s.place()
	k := &s.contacts
	k.bodies, k.place, k.normal, k.force = []int32{}, k.place[:0], k.normal[:0], k.force[:0]
	k.slip, k.gap, k.area = k.slip[:0], k.gap[:0], k.area[:0]
	list := s.stepper.Report.Contacts()
	for i := range list {
		p := &list[i]
		k.bodies = append(k.bodies, int32(p.A.Body), int32(p.B.Body))
		k.place, k.normal = append(k.place, p.Pos_W[:]...), append(k.normal, p.Normal_W[:]...)
		k.force, k.slip = append(k.force, p.Force_W[:]...), append(k.slip, p.Slip_W[:]...)
		k.gap, k.area = append(k.gap, p.Phi), append(k.area, p.Area)
	}
	n := len(list)
	rows := func(x []float64) array { return array{dims: []int{n, 3}, floats: x} }
	return map[string]any{
		"bodies": array{dims: []int{n, 2}, ints: k.bodies}, "position": rows(k.place), "normal": rows(k.normal), "force": rows(k.force),
		"slip": rows(k.slip), "gap": vector(k.gap), "area": vector(k.area),
	}, nil
}

// vertices is the method that returns the vertices of a deformable, or their velocities.
func vertices(c *connection, a *arguments) (any, error) {
	s := c.session(a)
	name, velocities := a.text("name"), a.truth("velocities", false)
	if err := a.check(); err != nil {
		return nil, err
	}
	nq, nv := s.sc.Model.RigidSize()
	at, of := nq, s.x.Q
	if velocities {
		at, of = nv, s.x.V
	}
	var names []string
	for i, d := range s.sc.Model.Deformables {
		n := d.NumVerts()
		if s.sc.Static.Deformables[i].Name == name {
			return array{dims: []int{n, 3}, floats: of[at : at+3*n]}, nil
		}
		names = append(names, s.sc.Static.Deformables[i].Name)
		at += 3 * n
	}
	return nil, unknown("deformable", name, names)
}

// poses is the method that returns the poses of all rigid bodies, a matrix X_WB of four rows each.
func poses(c *connection, a *arguments) (any, error) {
	s := c.session(a)
	if err := a.check(); err != nil {
		return nil, err
	}
	s.place()
	return posesArray(s.stepper.Geometry.X_WB), nil
}

// posesArray returns poses as matrices of four rows and columns.
func posesArray(list []r3.Pose) array {
	out := array{dims: []int{len(list), 4, 4}, floats: make([]float64, 0, 16*len(list))}
	for i := range list {
		x := &list[i]
		for r := range 3 {
			out.floats = append(out.floats, x.R[3*r], x.R[3*r+1], x.R[3*r+2], x.P[r])
		}
		out.floats = append(out.floats, 0, 0, 0, 1)
	}
	return out
}

// joints is the method that returns positions and velocities of joints with one degree of freedom.
func joints(c *connection, a *arguments) (any, error) {
	s := c.session(a)
	if err := a.check(); err != nil {
		return nil, err
	}
	s.place()
	m := map[string]any{}
	for name := range s.sc.Model.Names.Joints {
		q, v, err := s.stepper.Joint(name)
		if err != nil {
			return nil, err
		}
		m[name] = array{dims: []int{2}, floats: []float64{q, v}}
	}
	return m, nil
}

// gradientOf is the method that returns derivatives of a signal of a run of the scene from its start.
func gradientOf(c *connection, a *arguments) (any, error) {
	s := c.session(a)
	of, by := a.text("of"), a.texts("by")
	mode, ok := map[string]gradient.Mode{"": gradient.Automatic, "auto": gradient.Automatic, "adjoint": gradient.Adjoint, "tangents": gradient.Tangents}[a.text("method")]
	if !ok {
		a.fail("method: give adjoint, tangents or auto")
	}
	if of == "" || len(by) == 0 {
		a.fail("of names a signal, such as grip_N@last, and by paths of values")
	}
	if err := a.check(); err != nil {
		return nil, err
	}
	from := s.source
	return await(c, func() (any, error) {
		d, err := optimize.GradientOf(func(set []string) (*scene.Scene, error) { return from.load(set...) }, of, by, mode)
		if err != nil {
			return nil, as("input", err)
		}
		values, slopes := make([]float64, len(d.By)), make([]float64, len(d.By))
		for i := range d.By {
			values[i], slopes[i] = d.By[i].Value, d.By[i].Gradient
		}
		return map[string]any{"value": d.Value, "unit": d.Unit, "steps": d.Steps, "values": vector(values), "gradient": vector(slopes)}, nil
	})
}

// renderSession is the method that draws the state.
func renderSession(c *connection, a *arguments) (any, error) {
	s := c.session(a)
	opt, err := render.RecordedOptions(s.sc.Static)
	if err != nil {
		return nil, err
	}
	applyPicture(a, &opt)
	if err := a.check(); err != nil {
		return nil, err
	}
	s.place()
	rec := &record.Recording{Static: *s.sc.Static, Frames: make([]record.Frame, 1)}
	record.Capture(s.stepper, s.x, &rec.Frames[0])
	t := s.x.Time
	return await(c, func() (any, error) {
		img, err := render.Picture(rec, t, opt)
		if err != nil {
			return nil, err
		}
		return pixels(img), nil
	})
}

// applyPicture replaces settings of the scene's pictures by those of a request.
func applyPicture(a *arguments, opt *render.Options) {
	if size := a.finite("size", 2); size != nil {
		opt.Size = [2]int{int(size[0]), int(size[1])}
	}
	for name, to := range map[string]**r3.Vec{"camera": &opt.Camera, "target": &opt.Target, "up": &opt.Up} {
		if v := a.finite(name, 3); v != nil {
			*to = &r3.Vec{v[0], v[1], v[2]}
		}
	}
	opt.FOV = a.number("fov", opt.FOV)
	if field := a.text("field"); field != "" {
		opt.Field, opt.FieldMax = field, 0
	}
	opt.FieldMax = a.number("field_max", opt.FieldMax)
	if quality := a.text("quality"); quality != "" {
		opt.Quality = quality
	}
	if background := a.text("background"); background != "" {
		opt.Background = background
	}
	opt.Hide = append(opt.Hide, a.texts("hide")...)
	if !a.truth("forces", true) {
		no := false
		opt.Forces = &no
	}
}

// pixels returns a picture as an array of rows, columns and three colours.
func pixels(img image.Image) array {
	b := img.Bounds()
	rgba := image.NewRGBA(b)
	draw.Draw(rgba, b, img, b.Min, draw.Src)
	out := array{dims: []int{b.Dy(), b.Dx(), 3}, bytes: make([]byte, 0, 3*b.Dx()*b.Dy())}
	for i := 0; i < len(rgba.Pix); i += 4 {
		out.bytes = append(out.bytes, rgba.Pix[i:i+3]...)
	}
	return out
}
