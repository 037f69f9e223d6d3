package hydroelastic

import (
	"math"

	"curlfree/r3"
)

// output turns polygons in the frame of the first body M into faces.
type output struct {
	dst  *Surface
	X_W  r3.Pose // of the first body
	flip bool    // M is B
	all  bool    // keep the faces that lean away
	// depth is that of both bodies, m: no face is deeper in contact; +Inf: no bound.
	depth float64
	tiny  float64 // pressure that counts as none, Pa
}

// patch is what is known of a face before it is cut, in the frame of M.
type patch struct {
	n     r3.Vec // from M to N
	gradM r3.Vec // pressure gradients
	gradN r3.Vec
	rigid bool // N is, and gradN means nothing
	elem  [2]int32
	// The pressure is ref + grad·(x − at).
	at, grad r3.Vec
	ref      float64
	size     float64 // of the cell, m

	share float64    // of the area, 1 unless the face leans away
	g     [2]float64 // bounded gradients along n; +Inf on a rigid side
}

// lean fills in share and g; it reports whether the face counts.
func (o *output) lean(f *patch) bool {
	f.share = 1
	f.g[0] = o.side(f, f.gradM, -1)
	f.g[1] = math.Inf(1)
	if !f.rigid {
		f.g[1] = o.side(f, f.gradN, 1)
	}
	if f.share > 0 {
		return true
	}
	o.dst.Dropped.Facing++
	return false
}

// side returns the bounded gradient of one side along s·n and fades the share.
func (o *output) side(f *patch, grad r3.Vec, s float64) float64 {
	steep := grad.Norm()
	if steep == 0 { // pressure that nothing changes
		f.share = 0
		return 0
	}
	g := s * grad.Dot(f.n)
	cos := g / steep
	if !o.all {
		f.share *= max(0, min(1, (cos-leanMost)/(leanFull-leanMost)))
	}
	return max(g, leanGrad*steep)
}

// add appends the face p, in two where the pressure changes its sign: what is in
// contact, and what is ahead. tmp and rest are scratch.
func (o *output) add(p *polygon, f *patch, tmp, rest *polygon) {
	if p.n < 3 || !o.lean(f) {
		return
	}
	var height [maxCorners]float64
	low, high := 0.0, 0.0
	for k := range p.n {
		height[k] = f.ref + f.grad.Dot(p.x[k].Sub(f.at))
		low, high = min(low, height[k]), max(high, height[k])
	}
	if low < -o.tiny && high > o.tiny {
		*rest = *p
		rest.clip(&height, tmp)
		o.face(rest, f)
		for k := range p.n {
			height[k] = -height[k]
		}
		p.clip(&height, tmp)
	}
	o.face(p, f)
}

// face appends p.
func (o *output) face(p *polygon, f *patch) {
	if p.n < 3 {
		return
	}
	area, c := p.measure(f.n)
	if area <= tinyFace*f.size*f.size {
		o.dst.Dropped.Tiny++
		return
	}
	pressure := f.ref + f.grad.Dot(c.Sub(f.at))
	g := f.g[0] * f.g[1] / (f.g[0] + f.g[1])
	if f.rigid {
		g = f.g[0]
	}
	g = max(g, pressure/o.depth)
	s := o.dst
	face := Face{
		Lo: int32(len(s.Verts_W)), Pos_W: o.X_W.Point(c), Normal_W: o.X_W.R.MulVec(f.n),
		Area: f.share * area, Pressure: pressure, GradA: f.g[0], GradB: f.g[1], Grad: g, Phi: -pressure / g,
		Elem: f.elem,
	}
	for k := range p.n {
		if o.flip {
			k = p.n - 1 - k
		}
		s.Verts_W = append(s.Verts_W, o.X_W.Point(p.x[k]))
		s.P = append(s.P, f.ref+f.grad.Dot(p.x[k].Sub(f.at)))
	}
	face.Hi = int32(len(s.Verts_W))
	if o.flip {
		face.Normal_W = face.Normal_W.Neg()
		face.GradA, face.GradB = face.GradB, face.GradA
		face.Elem[0], face.Elem[1] = face.Elem[1], face.Elem[0]
	}
	s.Faces = append(s.Faces, face)
}
