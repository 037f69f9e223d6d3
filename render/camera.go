package render

import (
	"math"

	"github.com/fogleman/fauxgl"

	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/record"
)

// view is a perspective camera. A point with the coordinates r, a (m) to the right of the
// line of sight and above it, at the distance d (m) in front of the eye, is seen at
//
//	x = r/(d tan(fov/2) aspect),  y = a/(d tan(fov/2))
//
// of the picture, whose sides are at −1 and 1.
type view struct {
	// eye and target are the position of the camera and the point in the middle of the
	// picture, m, in world axes.
	eye, target r3.Vec
	// up is the unit vector that is upright in the picture.
	up r3.Vec
	// fov is the vertical angle of view, rad.
	fov float64
	// aspect is the width of the picture over its height.
	aspect float64
	// matrix maps world coordinates to clip coordinates.
	matrix fauxgl.Matrix
	// near is the distance of the near clipping plane from the eye, m.
	near float64
	// size is the height of the part of the world that is seen at the distance of the
	// target, m: 2 |eye − target| tan(fov/2).
	size float64
}

// depth returns by how much the depth of a pixel changes over the given distance (m)
// away from the camera, where the target is.
func (v *view) depth(dist float64) float64 {
	// z = f/(f − n) (1 − n/d) at the distance d, from 0 to 1: dz/dd = n/d² for n ≪ f
	return v.near / v.eye.Sub(v.target).Norm2() * dist
}

// newView completes the options' camera: what is not given is chosen so that
// everything that moves stays in the picture for the whole recording.
func newView(rec *record.Recording, opt *Options) *view {
	// the upright direction: the one asked for, or against gravity, or z
	v := &view{fov: opt.FOV * math.Pi / 180, aspect: float64(opt.Size[0]) / float64(opt.Size[1])}
	switch {
	case opt.Up != nil && opt.Up.Norm2() > 0:
		v.up = opt.Up.Unit()
	case rec.Static.Gravity.Norm2() > 0:
		v.up = rec.Static.Gravity.Neg().Unit()
	default:
		v.up = r3.Vec{0, 0, 1}
	}
	// the subject, or the ground where nothing else is shown
	wanted := subject(rec)
	box := bounds(rec, wanted)
	if box.Min[0] > box.Max[0] {
		box = groundBounds(rec)
	}
	// eye and target: both chosen, one chosen for the other, or both given
	switch {
	case opt.Camera == nil && opt.Target == nil:
		v.frame(rec, wanted, box, pictureFrame(rec, opt))
	case opt.Camera == nil:
		v.target = *opt.Target
		v.eye = v.target.Add(v.fit(box))
	case opt.Target == nil:
		v.eye, v.target = *opt.Camera, box.Center()
	default:
		v.eye, v.target = *opt.Camera, *opt.Target
	}
	// a camera in the target, or one that looks along up, would have no axes
	if v.eye == v.target {
		v.eye = v.target.Add(v.fit(box))
	}
	if v.eye.Sub(v.target).Unit().Cross(v.up).Norm() < 1e-3 {
		v.up, _ = r3.Basis(v.eye.Sub(v.target).Unit())
	}
	// The far plane is beyond everything shown. The near plane is at 1e-4 of its distance, which
	// leaves a depth buffer of doubles more than enough resolution, but well before the target: a ground of
	// kilometres must not cut away the part that stands on it.
	far := v.eye.Sub(v.target).Norm()
	v.size = 2 * far * math.Tan(v.fov/2)
	reach := sceneBounds(rec).Union(box)
	far += reach.Size().Norm() + reach.Center().Sub(v.target).Norm()
	v.near = min(far*1e-4, v.eye.Sub(v.target).Norm()*1e-2)
	v.matrix = fauxgl.LookAt(vector(v.eye), vector(v.target), vector(v.up)).
		Perspective(opt.FOV, v.aspect, v.near, far)
	return v
}

// axes returns the axes of the automatic camera, which looks from the front right
// and above: to the right, up in the picture, and towards the camera.
func (v *view) axes() (right, above, back r3.Vec) {
	// level axes: those of the world where up is z, so that x points to the right
	x, y := r3.Basis(v.up)
	if math.Abs(v.up[2]) > 0.99 {
		x, y = r3.Vec{1, 0, 0}, r3.Vec{0, 1, 0}
	}
	back = x.Scale(0.62).AddScaled(-1, y).AddScaled(0.55, v.up).Unit()
	right = v.up.Cross(back).Unit()
	return right, back.Cross(right), back
}

// fit returns the way from the target to a camera that sees the box whole, with the
// target in the middle of the picture.
func (v *view) fit(box r3.Box) r3.Vec {
	// tangents of half of the angles of view: a point d before the camera is in view within d times them
	right, above, back := v.axes()
	ty := math.Tan(v.fov / 2)
	tx := ty * v.aspect
	const margin = 1.12 // room for shadows and the legend
	// each corner of the box bounds the distance from below, by its width and by its height
	dist := 0.0
	for k := range 8 {
		d := boxCorner(box, k).Sub(v.target)
		dist = max(dist, d.Dot(back)+margin*max(math.Abs(d.Dot(right))/tx, math.Abs(d.Dot(above))/ty))
	}
	return back.Scale(max(dist, 1e-6))
}

// boxCorner returns corner k of 8: bit i of k selects the maximum of coordinate i.
func boxCorner(box r3.Box, k int) r3.Vec {
	p := box.Min
	for i := range 3 {
		if k>>i&1 == 1 {
			p[i] = box.Max[i]
		}
	}
	return p
}

// rect is a part of the picture, whose sides are at −1 and 1.
type rect struct{ left, right, bottom, top float64 }

// pictureFrame is the part of the picture that legends leave to the subject.
func pictureFrame(rec *record.Recording, opt *Options) rect {
	// height of a line of text as a part of half of the picture
	size := opt.legendSize()
	line := 2 * size / float64(opt.Size[1])
	// 6 % of room to the sides and above, and two lines of text below
	r := rect{-0.94, 0.94, -1 + 2.2*line, 0.94}
	// the title takes the top, and the colour scale 5.8 letters at the right
	if title(rec.Static.Title) != "" && !opt.Captioned {
		r.top = 1 - 2.4*line
	}
	if opt.showsScale(rec) {
		r.right = 1 - 2*5.8*size/float64(opt.Size[0])
	}
	return r
}

// frame places the automatic camera so that all points of the subject are within
// the rectangle, and as large as that allows. With the coordinates r, a, b of a point
// along the axes and the camera at r₀, a₀, b₀, the point is left of the line x of
// the picture where
//
//	r − r₀ ≤ x tₓ (b₀ − b),   that is   r + x tₓ b ≤ r₀ + x tₓ b₀,
//
// so that the largest r + x tₓ b of all points on the right and the least on the left
// bound b₀, and then give r₀; likewise for heights.
func (v *view) frame(rec *record.Recording, wanted func(*record.Geom) bool, box r3.Box, f rect) {
	// bounds of r + x tₓ b, of the same for heights, and of b itself
	right, above, back := v.axes()
	ty := math.Tan(v.fov / 2)
	tx := ty * v.aspect
	maxX, minX, maxY, minY, maxB := math.Inf(-1), math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
	add := func(p r3.Vec) {
		r, a, b := p.Dot(right), p.Dot(above), p.Dot(back)
		maxX, minX = max(maxX, r+f.right*tx*b), min(minX, r+f.left*tx*b)
		maxY, minY = max(maxY, a+f.top*ty*b), min(minY, a+f.bottom*ty*b)
		maxB = max(maxB, b)
	}
	visitPoints(rec, wanted, add)
	if maxX < minX || math.IsInf(maxX, -1) { // ground alone
		for k := range 8 {
			add(boxCorner(box, k))
		}
	}
	// The nearest camera that satisfies both pairs of bounds and is in front of all points.
	b := max((maxX-minX)/((f.right-f.left)*tx), (maxY-minY)/((f.top-f.bottom)*ty), maxB+1e-6)
	// the dimension that does not bound b stands in the middle of its part
	r := (maxX - f.right*tx*b + minX - f.left*tx*b) / 2
	a := (maxY - f.top*ty*b + minY - f.bottom*ty*b) / 2
	// the target is on the line of sight, as far away as the middle of the subject
	v.eye = right.Scale(r).AddScaled(a, above).AddScaled(b, back)
	dist := max(b-box.Center().Dot(back), 1e-6)
	v.target = v.eye.AddScaled(-dist, back)
}

// visitPoints calls do for points whose hull is nearly that of the wanted geoms and
// of all deformables, over the recording.
func visitPoints(rec *record.Recording, wanted func(*record.Geom) bool, do func(r3.Vec)) {
	// cloud has the extreme points of a geom, m, in its frame G.
	type cloud struct {
		geom   *record.Geom
		points []r3.Vec
	}
	var clouds []cloud
	for i := range rec.Static.Geoms {
		if g := &rec.Static.Geoms[i]; isShown(g) && wanted(g) {
			clouds = append(clouds, cloud{g, extremes(g.Mesh.Verts)})
		}
	}
	// at most about 200 frames represent a long recording
	stride := max(1, rec.Len()/200)
	for k := 0; k < rec.Len(); k += stride {
		f := rec.At(k)
		for _, c := range clouds {
			X := geomPose(c.geom, f)
			for _, p := range c.points {
				do(X.Point(p))
			}
		}
		// vertices of deformables are recorded in world axes
		for i := range f.Verts {
			for _, p := range f.Verts[i] {
				do(p)
			}
		}
	}
}

// extremes returns the points that are the farthest in one of 98 directions: those to
// the points on the surface of a grid of 5×5×5 points. For a sphere they reach 0.96 of
// its radius in every direction.
func extremes(pts []r3.Vec) []r3.Vec {
	if len(pts) <= 98 {
		return pts
	}
	var out []r3.Vec
	for k := range 125 {
		// points of the grid that are not on its surface give no direction
		x, y, z := k%5-2, k/5%5-2, k/25-2
		if max(x, -x, y, -y, z, -z) < 2 {
			continue
		}
		// the first of the points that are farthest along d
		d := r3.Vec{float64(x), float64(y), float64(z)}
		best, most := pts[0], math.Inf(-1)
		for _, p := range pts {
			if h := p.Dot(d); h > most {
				best, most = p, h
			}
		}
		out = append(out, best)
	}
	return out
}

// isShown reports whether a geom is drawn as a body, not as ground.
func isShown(g *record.Geom) bool {
	return !g.Hidden && g.Ground == 0 && g.Mesh != nil && len(g.Mesh.Verts) > 0
}

// surroundings is how much larger than what moves a picture may get to show bodies
// that stand still.
const surroundings = 1.6

// subject returns the geoms that the automatic camera frames: those that move during
// the recording, and of the others those near enough; all where nothing moves.
func subject(rec *record.Recording) func(*record.Geom) bool {
	// bodies whose pose differs from that of the first frame in any frame
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
	moving := func(g *record.Geom) bool { return g.Body >= 0 && moves[g.Body] }
	box := bounds(rec, moving)
	if !any || box.Min[0] > box.Max[0] {
		return func(*record.Geom) bool { return true }
	}
	// a body at rest belongs to the subject if it makes the box only a little larger
	most := surroundings * box.Size().Norm()
	near := map[*record.Geom]bool{}
	for i := range rec.Static.Geoms {
		g := &rec.Static.Geoms[i]
		if !isShown(g) || moving(g) {
			continue
		}
		if u := box.Union(g.Mesh.Bounds().Transform(geomPose(g, start))); u.Size().Norm() <= most {
			near[g] = true
		}
	}
	return func(g *record.Geom) bool { return moving(g) || near[g] }
}

// groundBounds bounds what is shown of a recording of nothing but ground.
func groundBounds(rec *record.Recording) r3.Box {
	// 0.1 m, or the largest ground, with a quarter of it as height
	size := 0.1
	for i := range rec.Static.Geoms {
		size = max(size, rec.Static.Geoms[i].Ground)
	}
	return r3.Box{Min: r3.Vec{-size / 2, -size / 2, 0}, Max: r3.Vec{size / 2, size / 2, size / 4}}
}

// sceneBounds bounds everything shown, ground included.
func sceneBounds(rec *record.Recording) r3.Box {
	// bodies over the recording, then each square of ground where it stands
	box := bounds(rec, func(*record.Geom) bool { return true })
	for i := range rec.Static.Geoms {
		g := &rec.Static.Geoms[i]
		if g.Ground > 0 && !g.Hidden {
			// half-spaces do not move
			X := geomPose(g, rec.At(0))
			half := r3.Vec{g.Ground / 2, g.Ground / 2, 0}
			box = box.Union(r3.Box{Min: half.Neg(), Max: half}.Transform(X))
		}
	}
	return box
}

// bounds returns the box of the wanted geoms, and of all deformables, over the
// recording.
func bounds(rec *record.Recording, wanted func(*record.Geom) bool) r3.Box {
	box := r3.EmptyBox()
	visitPoints(rec, wanted, func(p r3.Vec) { box = box.Extend(p) })
	return box
}

// geomPose returns X_WG.
func geomPose(g *record.Geom, f *record.Frame) r3.Pose {
	if g.Body < 0 {
		return g.X_BG
	}
	return f.Poses[g.Body].Mul(g.X_BG)
}

// vector converts a vector to the type of the rasterizer.
func vector(v r3.Vec) fauxgl.Vector { return fauxgl.Vector{X: v[0], Y: v[1], Z: v[2]} }
