package hydroelastic

import (
	"math"
	"slices"

	"github.com/curlfree/curlfree/r3"
)

// Faces are in world axes, with the normal from A to B and the pressure at their corners; the
// polygons are given in the frame of M, which is A or B, whichever made cutting cheapest.

// output turns polygons in the frame of the first body M into faces.
type output struct {
	dst *ContactSurface
	// pose of the first body
	X_W r3.Pose
	// M is B
	flip bool
	// keep the faces that turn away
	all bool
	// depth of both bodies, m: no face is deeper in contact; +Inf: no bound
	depth float64
	// pressure that counts as zero, Pa
	tiny float64
}

// facePlan are the facts about a face that do not depend on its outline, in the frame of M.
type facePlan struct {
	// unit normal, from M to N
	n r3.Vec
	// pressure gradients of both sides, Pa/m
	gradM r3.Vec
	gradN r3.Vec
	// N is rigid, and gradN has no meaning
	rigid bool
	// elements of M and N
	elem [2]int32
	// the pressure is ref + grad·(x − at), Pa
	at, grad r3.Vec
	ref      float64
	// size of the cell, m
	size float64

	// share of the area that counts, 1 unless the face turns away
	share float64
	// bounded gradients of M and N along n, Pa/m; +Inf on a rigid side
	g [2]float64
	// depth in both bodies for a unit of pressure, m/Pa
	compliance float64
}

// fade sets share, compliance and g; it reports whether the face counts.
func (o *output) fade(f *facePlan) bool {
	// Both sides fade the face, a rigid side does not.
	f.share, f.compliance = 1, 0
	f.g[0] = o.side(f, &f.gradM, -1)
	f.g[1] = math.Inf(1)
	if !f.rigid {
		f.g[1] = o.side(f, &f.gradN, 1)
	}
	if f.share > 0 {
		return true
	}
	o.dst.Dropped.Facing++
	return false
}

// side returns the bounded gradient of one side along s·n, Pa/m, and multiplies the share
// by its fade.
func (o *output) side(f *facePlan, grad *r3.Vec, s float64) float64 {
	steep := math.Sqrt(grad.DotOf(grad))
	// A constant pressure has no direction.
	if steep == 0 {
		f.share = 0
		return 0
	}
	f.compliance += 1 / steep
	g := s * grad.DotOf(&f.n)
	// Full area up to cosFadeStart, none from cosFadeEnd on.
	cos := g / steep
	if !o.all && cos < cosFadeStart {
		f.share *= max(0, (cos-cosFadeEnd)/(cosFadeStart-cosFadeEnd))
	}
	return max(g, minGradientShare*steep)
}

// pressures sets out to the pressure at each corner, Pa.
func (f *facePlan) pressures(p *polygon, out *[maxCorners]float64) {
	g0, g1, g2 := f.grad[0], f.grad[1], f.grad[2]
	x0, x1, x2 := f.at[0], f.at[1], f.at[2]
	for k := range p.n {
		x := &p.x[k]
		out[k] = f.ref + (g0*(x[0]-x0) + g1*(x[1]-x1) + g2*(x[2]-x2))
	}
}

// add appends the face p, in two where the pressure changes its sign: the part in contact
// and the part ahead. tmp and rest are working memory.
func (o *output) add(p *polygon, f *facePlan, tmp, rest *polygon) {
	if p.n < 3 || !o.fade(f) {
		return
	}
	var at [maxCorners]float64
	f.pressures(p, &at)
	// The range of the pressure.
	low, high := 0.0, 0.0
	for _, v := range at[:p.n] {
		low, high = min(low, v), max(high, v)
	}
	if low < -o.tiny && high > o.tiny {
		// The part ahead of contact, then the part in contact.
		part := at
		*rest = *p
		rest.clip(&part, tmp)
		f.pressures(rest, &part)
		o.face(rest, f, &part)
		for k := range p.n {
			at[k] = -at[k]
		}
		p.clip(&at, tmp)
		f.pressures(p, &at)
	}
	o.face(p, f, &at)
}

// face appends p with the pressures at its corners.
func (o *output) face(p *polygon, f *facePlan, at *[maxCorners]float64) {
	if p.n < 3 {
		return
	}
	var c r3.Vec
	// Area, centroid and the pressure there.
	area := p.measure(&f.n, &c)
	if area <= tinyFace*f.size*f.size {
		o.dst.Dropped.Tiny++
		return
	}
	var x r3.Vec
	x.SetSub(&c, &f.at)
	pressure := f.ref + f.grad.DotOf(&x)
	// Both sides in series (3), no softer than the depth of the bodies allows.
	g := f.g[0] * f.g[1] / (f.g[0] + f.g[1])
	if f.rigid {
		g = f.g[0]
	}
	g = max(g, pressure/o.depth)
	// Room for the face and its corners.
	s := o.dst
	i, lo := len(s.Faces), len(s.Verts_W)
	s.Faces = slices.Grow(s.Faces, 1)[:i+1]
	s.Verts_W, s.Pressures = slices.Grow(s.Verts_W, p.n)[:lo+p.n], slices.Grow(s.Pressures, p.n)[:lo+p.n]
	face := &s.Faces[i]
	*face = Face{
		Lo: int32(lo), Hi: int32(lo + p.n),
		Area: f.share * area, Pressure: pressure, PressureGradientA: f.g[0], PressureGradientB: f.g[1], PressureGradient: g, Phi: -pressure / g,
		Depth: pressure * f.compliance, Elem: f.elem,
	}
	// Into the world; a flipped face runs the other way round.
	face.Pos_W.SetPoint(&o.X_W, &c)
	face.Normal_W.SetMul(&o.X_W.R, &f.n)
	for k := range p.n {
		from := k
		if o.flip {
			from = p.n - 1 - k
		}
		s.Verts_W[lo+k].SetPoint(&o.X_W, &p.x[from])
		s.Pressures[lo+k] = at[from]
	}
	// M is B: its values are those of the second side.
	if o.flip {
		face.Normal_W = face.Normal_W.Neg()
		face.PressureGradientA, face.PressureGradientB = face.PressureGradientB, face.PressureGradientA
		face.Elem[0], face.Elem[1] = face.Elem[1], face.Elem[0]
	}
}
