package fem

// Bars of eight tets at once, as element_lanes.go computes their forces: results equal those of element_adjoint.go to
// round-off. The scalar code takes tets whose rotation Newton's iteration does not find, flat ones, and the rest of a
// number of tets that eight does not divide.

import "github.com/curlfree/curlfree/r3"

// adjointLanes is the memory of a kernel's call: each row has one number of eight tets.
type adjointLanes struct {
	// edges x_a − x_0 of the positions x and z and of y, 3i + a
	pos, z, y [9][8]float64
	// rotation, and scratch
	R, F, G, B [9][8]float64
	// bars of the vertices 1…3 over −h, 3a + i
	zBar, xBar [9][8]float64
	// stresses of z, which kernels alone read, and of y, and the moment on the frame, over −h
	_, T   [6][8]float64
	moment [3][8]float64
}

// adjoint implements elementSet.
func (s tet4Set) adjoint(a *adjointPass) bool {
	t := 0
	if haveKernels && s.class == Corotated {
		a.markMobile()
		for ; t < len(s.restTets)*8; t += 8 {
			if !a.eightTets(t) {
				return false
			}
		}
	}
	for ; t < len(s.elements); t++ {
		if !a.tet4(&s.elements[t]) {
			return false
		}
	}
	return true
}

// markMobile notes the vertices whose blocks of A have a cotangent.
func (a *adjointPass) markMobile() {
	for v := range a.mobile {
		_, a.mobile[v] = a.diagonalOf(int32(v))
	}
}

// eightTets adds the bars of the tets t … t + 7.
func (a *adjointPass) eightTets(t int) bool {
	m, b := a.model, &a.lanes
	tets := m.elements[t : t+8]
	for lane := range tets {
		v := &tets[lane].verts
		packEdges(&b.pos, a.pos, v, lane)
		packEdges(&b.z, a.z, v, lane)
		packEdges(&b.y, a.y, v, lane)
	}
	alone := adjointFrames(b, &m.restTets[t/8], &a.law)
	for lane := range tets {
		e := &tets[lane]
		if v := &e.verts; a.mobile[v[0]] || a.mobile[v[1]] || a.mobile[v[2]] || a.mobile[v[3]] {
			R := b.rotation(lane)
			moment := a.diagonalMoment(e, &R)
			for i, x := range moment {
				b.moment[i][lane] -= x / a.h
			}
		}
	}
	alone |= adjointBars(b, &m.restTets[t/8], &a.law)
	for lane := range tets {
		if alone>>lane&1 != 0 {
			if !a.tet4(&tets[lane]) {
				return false
			}
			continue
		}
		addLane(a.zBar, &tets[lane].verts, &b.zBar, -a.h, lane)
		addLane(a.xBar, &tets[lane].verts, &b.xBar, -a.h, lane)
	}
	return true
}

// rotation returns R of a lane.
func (b *adjointLanes) rotation(lane int) (R r3.Mat) {
	for k := range R {
		R[k] = b.R[k][lane]
	}
	return R
}

// addLane adds s times the vectors of one tet's vertices from a lane; that of the first is minus the sum of the others.
func addLane(dst []r3.Vec, verts *[4]int32, src *[9][8]float64, s float64, lane int) {
	lane &= 7
	a0, a1, a2 := s*src[0][lane], s*src[1][lane], s*src[2][lane]
	b0, b1, b2 := s*src[3][lane], s*src[4][lane], s*src[5][lane]
	c0, c1, c2 := s*src[6][lane], s*src[7][lane], s*src[8][lane]
	o, a, b, c := &dst[verts[0]], &dst[verts[1]], &dst[verts[2]], &dst[verts[3]]
	o[0], o[1], o[2] = o[0]-(a0+b0+c0), o[1]-(a1+b1+c1), o[2]-(a2+b2+c2)
	a[0], a[1], a[2] = a[0]+a0, a[1]+a1, a[2]+a2
	b[0], b[1], b[2] = b[0]+b0, b[1]+b1, b[2]+b2
	c[0], c[1], c[2] = c[0]+c0, c[1]+c1, c[2]+c2
}
