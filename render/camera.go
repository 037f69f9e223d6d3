package render

import (
	"math"

	"github.com/fogleman/fauxgl"

	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/record"
)

// view is a perspective camera.
type view struct {
	eye, target, up r3.Vec
	fov             float64 // vertical, rad
	aspect          float64
	matrix          fauxgl.Matrix // world → clip
	size            float64       // height of what is seen at the target's distance, m
}

// newView completes the options' camera: what is not given is chosen so that
// everything that moves stays in the picture for the whole recording.
func newView(rec *record.Recording, opt *Options) *view {
	v := &view{fov: opt.FOV * math.Pi / 180, aspect: float64(opt.Size[0]) / float64(opt.Size[1])}
	switch {
	case opt.Up != nil && opt.Up.Norm2() > 0:
		v.up = opt.Up.Unit()
	case rec.Static.Gravity.Norm2() > 0:
		v.up = rec.Static.Gravity.Neg().Unit()
	default:
		v.up = r3.Vec{0, 0, 1}
	}
	box := movingBounds(rec)
	v.target = box.Center()
	if opt.Target != nil {
		v.target = *opt.Target
	}
	if opt.Camera != nil {
		v.eye = *opt.Camera
	} else {
		v.eye = v.target.Add(v.fit(box))
	}
	if v.eye == v.target {
		v.eye = v.target.Add(v.fit(box))
	}
	if v.eye.Sub(v.target).Unit().Cross(v.up).Norm() < 1e-3 {
		v.up, _ = r3.Basis(v.eye.Sub(v.target).Unit())
	}
	far := v.eye.Sub(v.target).Norm()
	v.size = 2 * far * math.Tan(v.fov/2)
	reach := sceneBounds(rec).Union(box)
	far += reach.Size().Norm() + reach.Center().Sub(v.target).Norm()
	near := far * 1e-4
	v.matrix = fauxgl.LookAt(vector(v.eye), vector(v.target), vector(v.up)).
		Perspective(opt.FOV, v.aspect, near, far)
	return v
}

// fit returns the way from the target to a camera that sees the box whole, from
// the front right and above.
func (v *view) fit(box r3.Box) r3.Vec {
	x, y := r3.Basis(v.up)
	if math.Abs(v.up[2]) > 0.99 {
		x, y = r3.Vec{1, 0, 0}, r3.Vec{0, 1, 0}
	}
	back := x.Scale(0.62).AddScaled(-1, y).AddScaled(0.55, v.up).Unit()
	right := v.up.Cross(back).Unit()
	above := back.Cross(right)
	ty := math.Tan(v.fov / 2)
	tx := ty * v.aspect
	const margin = 1.12 // room for shadows and the legend
	dist := 0.0
	for k := range 8 {
		p := box.Min
		for i := range 3 {
			if k>>i&1 == 1 {
				p[i] = box.Max[i]
			}
		}
		d := p.Sub(v.target)
		dist = max(dist, d.Dot(back)+margin*max(math.Abs(d.Dot(right))/tx, math.Abs(d.Dot(above))/ty))
	}
	return back.Scale(max(dist, 1e-6))
}

// movingBounds bounds all shown bodies that move during the recording; all that
// stand still too when nothing moves.
func movingBounds(rec *record.Recording) r3.Box {
	moves := make([]bool, len(rec.Static.Bodies))
	any := len(rec.Static.Deformables) > 0
	start := rec.At(0)
	stride := max(1, rec.Len()/200)
	for k := 0; k < rec.Len(); k += stride {
		for b, X := range rec.At(k).Poses {
			if X != start.Poses[b] {
				moves[b], any = true, true
			}
		}
	}
	box := bounds(rec, func(body int) bool { return !any || body >= 0 && moves[body] })
	if box.Min[0] > box.Max[0] {
		box = bounds(rec, func(int) bool { return true })
	}
	if box.Min[0] > box.Max[0] { // nothing but ground
		size := 0.1
		for i := range rec.Static.Geoms {
			size = max(size, rec.Static.Geoms[i].Ground)
		}
		box = r3.Box{Min: r3.Vec{-size / 2, -size / 2, 0}, Max: r3.Vec{size / 2, size / 2, size / 4}}
	}
	return box
}

// sceneBounds bounds everything shown, ground included.
func sceneBounds(rec *record.Recording) r3.Box {
	box := bounds(rec, func(int) bool { return true })
	for i := range rec.Static.Geoms {
		g := &rec.Static.Geoms[i]
		if g.Ground > 0 && !g.Hidden {
			X := geomPose(g, rec.At(0))
			half := r3.Vec{g.Ground / 2, g.Ground / 2, 0}
			box = box.Union(r3.Box{Min: half.Neg(), Max: half}.Transform(X))
		}
	}
	return box
}

// bounds of the shown geoms whose body is wanted, and of all deformables, over
// the recording.
func bounds(rec *record.Recording, wanted func(body int) bool) r3.Box {
	box := r3.EmptyBox()
	stride := max(1, rec.Len()/200)
	for k := 0; k < rec.Len(); k += stride {
		f := rec.At(k)
		for i := range rec.Static.Geoms {
			g := &rec.Static.Geoms[i]
			if g.Hidden || g.Ground > 0 || g.Mesh == nil || len(g.Mesh.Verts) == 0 || !wanted(g.Body) {
				continue
			}
			box = box.Union(g.Mesh.Bounds().Transform(geomPose(g, f)))
		}
		for i := range f.Verts {
			for _, p := range f.Verts[i] {
				box = box.Extend(p)
			}
		}
	}
	return box
}

// geomPose returns X_WG.
func geomPose(g *record.Geom, f *record.Frame) r3.Pose {
	if g.Body < 0 {
		return g.X_BG
	}
	return f.Poses[g.Body].Mul(g.X_BG)
}

func vector(v r3.Vec) fauxgl.Vector { return fauxgl.Vector{X: v[0], Y: v[1], Z: v[2]} }
