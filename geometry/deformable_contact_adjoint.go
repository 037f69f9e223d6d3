package geometry

// Contacts of faces of deformables with distance fields of rigid bodies, differentiated backward: derivatives of a
// number by contacts (bars) become those by vertices, poses and predicted motions. A contact has the shape functions of
// its face, W = N(w, ⟨w w⟩, x) of deformable_parent.go, at p = Σ W x, and the rest from the parts of its triangle
// (deformable_clip_adjoint.go). Shape and face turned and moved together keep φ, area and weights, and carry p and n
// along, so that the bars of the body follow from those of the vertices,
//
//	F̄ = p̄ − Σ x̄_k,   M̄ = p × p̄ + n × n̄ − Σ x_k × x̄_k   about the world's origin                    (1)
//
// Parts ahead of contact end at the margin, which follows the predicted motion of both bodies.

import (
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
)

// ContactBar are the derivatives of a number by what a contact has, at fixed values of the others.
type ContactBar struct {
	// Pos_W is that by the point of the contact, Normal_W by its normal.
	Pos_W, Normal_W r3.Vec
	// Phi is that by the gap, Area by the area.
	Phi, Area float64
	// W are those by the weights of the vertices of B.
	W [6]float64
}

// ContactAdjoint are the derivatives of a number by what contacts are made of.
type ContactAdjoint struct {
	// Verts_W are those by the vertices of each deformable.
	Verts_W [][]r3.Vec
	// Force and Moment are those by translations and by rotations, about the world's origin, of each rigid body.
	Force, Moment []r3.Vec
	// Translation are those by PredictedTranslation of each body.
	Translation []r3.Vec
	// Bound are those by MotionBound of each body.
	Bound []float64

	worker clipWorker
	pieces pieces
	bars   []partBar
}

// Reset sets all derivatives to zero, of a model.
func (a *ContactAdjoint) Reset(m *Model) {
	if len(a.Bound) != m.NumRigid+len(m.Deformables) {
		n := m.NumRigid + len(m.Deformables)
		a.Force, a.Moment = make([]r3.Vec, m.NumRigid), make([]r3.Vec, m.NumRigid)
		a.Translation, a.Bound = make([]r3.Vec, n), make([]float64, n)
		a.Verts_W = make([][]r3.Vec, len(m.Deformables))
		for i := range m.Deformables {
			a.Verts_W[i] = make([]r3.Vec, m.Deformables[i].NumVerts)
		}
	}
	for _, x := range a.Verts_W {
		clear(x)
	}
	clear(a.Force)
	clear(a.Moment)
	clear(a.Translation)
	clear(a.Bound)
}

// AddFaces adds what the bars of contacts of a face with a rigid body give: contacts are those of one face, all of
// them, in their order, as the last Collide found them. It is false where such contacts have no derivative by hand:
// those with pressure fields.
func (s *Data) AddFaces(contacts []Contact, bars []ContactBar, a *ContactAdjoint) bool {
	c := &contacts[0]
	geom, tri, soft := int(c.Elem[0]), c.Elem[1], c.B.Body-s.Model.NumRigid
	if c.A.N > 0 || soft < 0 || s.Model.Geoms[geom].Field != nil && s.Model.Geoms[geom].Field.Compliant() {
		return false
	}
	b, w := &s.deformables[soft], &a.worker
	pair := itemPair{bodyA: int32(c.A.Body), bodyB: int32(c.B.Body)}
	moving := s.approach(&pair)
	w.pieces = &a.pieces
	w.shape = shapeField{s.geoms[geom].X_WG, newDistanceQuery(s.Model.Geoms[geom].Shape)}
	w.field, w.margin, w.size = &w.shape, s.DeformableSpeculativeDistance+moving, s.geoms[geom].thickness
	w.products = b.parent(tri) != nil
	v, xa, xb, xc := b.corners(tri)
	area := w.clipAt(&[3]r3.Vec{xa, xb, xc})
	// the parts that became contacts, as withinReach
	touches := false
	for i := range w.parts {
		touches = touches || w.parts[i].phi <= 0
	}
	a.bars = a.bars[:0]
	next := 0
	var before [6]r3.Vec // bars of the vertices of the face
	verts := &c.B.Vert
	for k, i := range verts[:c.B.N] {
		before[k] = a.Verts_W[soft][i]
	}
	for i := range w.parts {
		p := &w.parts[i]
		a.bars = append(a.bars, partBar{})
		if touches && p.phi > max(moving, s.ContactRange) {
			continue
		}
		if next == len(contacts) {
			return false
		}
		bar := &bars[next]
		part := &a.bars[i]
		part.area, part.phi, part.grad_W = bar.Area, bar.Phi, bar.Normal_W
		b.faceAdjoint(tri, p, bar, part, a.Verts_W[soft])
		next++
	}
	if next != len(contacts) {
		return false
	}
	out := w.adjoint(area, a.bars)
	for k, i := range v {
		a.Verts_W[soft][i] = a.Verts_W[soft][i].Add(out.x_W[k])
	}
	if c.A.Body != World {
		// (1)
		F, M := &a.Force[c.A.Body], &a.Moment[c.A.Body]
		for i := range contacts {
			*F = F.Add(bars[i].Pos_W)
			*M = M.Add(contacts[i].Pos_W.Cross(bars[i].Pos_W)).Add(contacts[i].Normal_W.Cross(bars[i].Normal_W))
		}
		for k, i := range verts[:c.B.N] {
			change := a.Verts_W[soft][i].Sub(before[k])
			*F = F.Sub(change)
			*M = M.Sub(b.dist.Mesh().Verts[i].Cross(change))
		}
	}
	s.addApproach(&pair, out.margin, a)
	return true
}

// addApproach adds what the bar of the approach of a pair gives.
func (s *Data) addApproach(p *itemPair, bar float64, a *ContactAdjoint) {
	if bar == 0 {
		return
	}
	var apart r3.Vec
	apart.SetSub(s.translation(int(p.bodyA)), s.translation(int(p.bodyB)))
	length := apart.Norm()
	d := length + s.motionBound(int(p.bodyA)) + s.motionBound(int(p.bodyB))
	// the slope of speculative
	if far := (d + s.SurfaceMotion) * s.SpeculativeFactor; far > d {
		bar *= s.SpeculativeFactor
	}
	for i, body := range [2]int32{p.bodyA, p.bodyB} {
		if body == World {
			continue
		}
		if length > 0 {
			a.Translation[body] = a.Translation[body].AddScaled(float64(1-2*i)*bar/length, apart)
		}
		a.Bound[body] += bar
	}
}

// faceAdjoint adds the bars of face(tri, …) for a part: to those of the part and of the vertices.
func (s *deformableSurface) faceAdjoint(tri int32, p *part, bar *ContactBar, dst *partBar, verts []r3.Vec) {
	x := s.dist.Mesh().Verts
	f := s.face(tri, p.w, &p.products)
	// p = Σ W x
	wBar := bar.W
	for k, i := range f.Vert[:f.N] {
		wBar[k] += bar.Pos_W.Dot(x[i])
		verts[i] = verts[i].AddScaled(f.W[k], bar.Pos_W)
	}
	face := s.parent(tri)
	switch {
	case face == nil:
		for k := range dst.w {
			dst.w[k] += wBar[k]
		}
	case face.N == 4:
		s.quadAdjoint(tri, face, p, &wBar, dst, verts)
	default:
		s.sixAdjoint(face, &wBar, dst)
	}
}

// sixAdjoint takes back spreadOverSix, which is linear in centroid and products.
func (s *deformableSurface) sixAdjoint(face *meshes.ParentFace, wBar *[6]float64, dst *partBar) {
	var f MaterialPoint
	f.N = 6
	var w [3]float64
	var p products
	for k := range 6 {
		// columns of the linear map
		w, p = [3]float64{}, products{}
		if k < 3 {
			w[k] = 1
		} else {
			p[k-3] = 1
		}
		f.spreadOverSix(face, w, &p)
		for i, b := range wBar {
			if k < 3 {
				dst.w[k] += b * f.W[i]
			} else {
				dst.products[k-3] += b * f.W[i]
			}
		}
	}
}

// quadAdjoint takes back spreadOverQuad: with the areas of two triangles over that of the face, α = A_abc/A and β =
// A_bcd/A, and the product P = 2⟨w_a w_c⟩ within its bounds,
//
//	W_b = w_b + (1 − α) P,   W_a = w_a − β P,   W_c = w_c − (1 − β) P,   W_d = α P               (2)
func (s *deformableSurface) quadAdjoint(tri int32, face *meshes.ParentFace, p *part, wBar *[6]float64, dst *partBar, verts []r3.Vec) {
	x := s.dist.Mesh().Verts
	v := s.dist.Mesh().Tris[tri]
	b, fourth := face.Across()
	c, a := (b+1)%3, (b+2)%3
	of := [4]int32{v[a], v[b], v[c], fourth}
	xa, xb, xc, xd := x[of[0]], x[of[1]], x[of[2]], x[of[3]]
	n := xc.Sub(xa).Cross(xd.Sub(xb))
	alpha, beta := 0.5, 0.5
	if n2 := n.Norm2(); n2 > 0 {
		alpha = min(1, max(0, xb.Sub(xa).Cross(xc.Sub(xa)).Dot(n)/n2))
		beta = min(1, max(0, xc.Sub(xb).Cross(xd.Sub(xb)).Dot(n)/n2))
	}
	for k := range dst.w {
		dst.w[k] += wBar[k]
	}
	P := productOf(p.w[a], p.w[b], p.w[c], alpha, beta, p.products[b])
	pBar := (1-alpha)*wBar[b] - beta*wBar[a] - (1-beta)*wBar[c] + alpha*wBar[3]
	dst.w[a] += pBar * P.byA
	dst.w[b] += pBar * P.byB
	dst.w[c] += pBar * P.byC
	dst.products[b] += pBar * P.byMean
	alphaBar := pBar*P.byAlpha + P.value*(wBar[3]-wBar[b])
	betaBar := pBar*P.byBeta + P.value*(wBar[c]-wBar[a])
	if n2 := n.Norm2(); n2 > 0 {
		n1, d1 := shareAdjoint(xb.Sub(xa), xc.Sub(xa), n, alphaBar, alpha)
		n2, d2 := shareAdjoint(xc.Sub(xb), xd.Sub(xb), n, betaBar, beta)
		nBar := n1.Add(n2)
		// n = (c − a) × (d − b)
		ac, bd := xd.Sub(xb).Cross(nBar), nBar.Cross(xc.Sub(xa))
		add := func(i int32, u r3.Vec) { verts[i] = verts[i].Add(u) }
		add(of[0], d1[0].Add(d1[1]).Add(ac).Neg())
		add(of[1], d1[0].Sub(d2[0]).Sub(d2[1]).Sub(bd))
		add(of[2], d1[1].Add(d2[0]).Add(ac))
		add(of[3], d2[1].Add(bd))
	}
}

// shareAdjoint takes back the share s = (e1 × e2)·n/n² of a triangle: it returns the bars of n and of both sides.
// Shares at their bounds 0 and 1 do not change.
func shareAdjoint(e1, e2, n r3.Vec, bar, share float64) (nBar r3.Vec, eBar [2]r3.Vec) {
	if share == 0 || share == 1 {
		return nBar, eBar
	}
	u, n2 := e1.Cross(e2), n.Norm2()
	uBar := n.Scale(bar / n2)
	nBar = u.Scale(bar/n2).AddScaled(-2*bar*u.Dot(n)/(n2*n2), n)
	return nBar, [2]r3.Vec{e2.Cross(uBar), uBar.Cross(e1)}
}
