package robot

// Invalid masses and moments of inertia are replaced by the nearest valid ones.
//
// Principal moments a ≤ b ≤ c of a body are not negative and obey a + b ≥ c. The moments that do
// form a cone with the edges (0,1,1), (1,0,1) and (1,1,0). The nearest point of it lies, for
// moments in ascending order,
//
//	on the face a + b = c:    (a + d/3, b + d/3, c − d/3),  d = c − a − b    if a + d/3 ≥ 0   (1)
//	on the edge (0,1,1):      (0, t, t),  t = (b + c)/2                      if t > 0         (2)
//	at 0.                                                                                     (3)
//
// Nearest is meant in the three principal moments; the principal axes stay.

import (
	"slices"

	"github.com/curlfree/curlfree/r3"
)

// Tolerances within which moments are taken as they are, relative to the largest: files round.
// Package rigid has the same.
const (
	definiteTol = 1e-6
	triangleTol = 1e-3
)

// MendInertias replaces invalid inertias of links by the nearest valid ones (positive moments
// that obey the triangle inequality), with a warning. A link with inertia but without mass
// loses its inertia.
func (r *Reader) MendInertias(m *Robot) {
	for i := range m.Links {
		l := &m.Links[i]
		in := l.Inertial
		if in == nil || in.Inertia.Norm2() == 0 {
			continue
		}
		if in.Mass == 0 {
			r.Repair(l.Line, "link %q has inertia but no mass: taken as without both", l.Name)
			in.Inertia = r3.Mat{}
			continue
		}
		Q, w := r3.SymEigen(in.Inertia)
		p := w[:]
		p = slices.Clone(p)
		slices.Sort(p)
		if p[0] >= -definiteTol*p[2] && p[2] > 0 && p[0]+p[1] >= p[2]*(1-triangleTol) {
			continue
		}
		near := nearestMoments(w)
		r.Repair(l.Line, "link %q: no body has its principal moments, %.4g, %.4g and %.4g kg m²: the nearest, %.4g, %.4g and %.4g, are taken",
			l.Name, w[0], w[1], w[2], near[0], near[1], near[2])
		in.Inertia = Q.Mul(r3.Diag(near)).Mul(Q.T())
		// Rounding leaves the product unsymmetric by a bit: the lower half is copied from the upper.
		in.Inertia[3], in.Inertia[6], in.Inertia[7] = in.Inertia[1], in.Inertia[2], in.Inertia[5]
	}
}

// nearestMoments returns the principal moments of a body that are nearest to w.
func nearestMoments(w r3.Vec) r3.Vec {
	order := []int{0, 1, 2}
	slices.SortStableFunc(order, func(i, j int) int {
		switch {
		case w[i] < w[j]:
			return -1
		case w[i] > w[j]:
			return 1
		}
		return 0
	})
	a, b, c := w[order[0]], w[order[1]], w[order[2]]
	d, t := c-a-b, (b+c)/2
	switch {
	case d <= 0 && a >= 0:
	case d > 0 && a+d/3 >= 0: // (1)
		a, b, c = a+d/3, b+d/3, c-d/3
	case t > 0: // (2)
		a, b, c = 0, t, t
	default: // (3)
		a, b, c = 0, 0, 0
	}
	var out r3.Vec
	out[order[0]], out[order[1]], out[order[2]] = a, b, c
	return out
}

// onAxis is the distance, m, within which a mass lies on an axis.
const onAxis = 1e-9

// spinsNothing reports whether a hinge turns mass that lies on its axis and has no inertia about
// it, with all that is fixed to it.
func (m *Robot) spinsNothing(k int, carried [][]int) bool {
	j := &m.Joints[k]
	if j.Type != Revolute && j.Type != Continuous || j.RotorInertia > 0 {
		return false
	}
	// poses in the joint's frame
	X := map[int]r3.Pose{j.Child: j.X_CM.Inv()}
	links := []int{j.Child}
	for i := 0; i < len(links); i++ {
		l := links[i]
		if in := m.Links[l].Inertial; in != nil && in.Mass > 0 {
			p := X[l].Point(in.Com)
			axis := X[l].R.T().MulVec(j.Axis)
			if p.Sub(j.Axis.Scale(p.Dot(j.Axis))).Norm() > onAxis || in.Inertia.MulVec(axis).Dot(axis) > 0 {
				return false
			}
		}
		for _, c := range carried[l] {
			inner := &m.Joints[c]
			// what moves may leave the axis
			if inner.Type != Fixed {
				return false
			}
			X[inner.Child] = X[l].Mul(inner.X_PF).Mul(inner.X_CM.Inv())
			links = append(links, inner.Child)
		}
	}
	return true
}

// HoldMassless fixes joints that move no mass, and hinges that rotate only point masses on their
// axis, because their mass matrix would be singular. Mimic joints and their leaders move as one: they are fixed where
// none of them moves anything.
func (r *Reader) HoldMassless(m *Robot) {
	if r.Err != nil {
		return
	}
	mass := make([]float64, len(m.Links)) // of a link with all that it carries
	for i := range m.Links {
		if in := m.Links[i].Inertial; in != nil {
			mass[i] = in.Mass
		}
	}
	order := m.Order()
	carried := make([][]int, len(m.Links)) // joints by parent
	for _, k := range order {
		carried[m.Joints[k].Parent] = append(carried[m.Joints[k].Parent], k)
	}
	for _, k := range slices.Backward(order) {
		mass[m.Joints[k].Parent] += mass[m.Joints[k].Child]
	}
	spins := func(k int) bool { return mass[m.Joints[k].Child] > 0 && m.spinsNothing(k, carried) }
	still := func(k int) bool {
		j := &m.Joints[k]
		return j.RotorInertia == 0 && (mass[j.Child] == 0 || spins(k))
	}
	// Tips first; a joint that is fixed may leave one that carries it without anything to move.
	for held := true; held; {
		held = false
		for _, k := range slices.Backward(order) {
			j := &m.Joints[k]
			if j.Type == Fixed || slices.ContainsFunc(m.coupled(k), func(i int) bool { return !still(i) }) {
				continue
			}
			if held = true; spins(k) {
				r.Repair(j.Line, "joint %q turns only mass that lies on its axis and has no inertia about it: it is held fixed; give link %q an <inertia>",
					j.Name, m.Links[j.Child].Name)
			} else {
				r.Repair(j.Line, "joint %q moves link %q, which has no mass, nor has anything that it carries: it is held fixed; give the link an <inertial>",
					j.Name, m.Links[j.Child].Name)
			}
			// what mimics it moves by itself, as little as it moves
			for i := range m.Joints {
				if f := m.Joints[i].Mimic; f != nil && f.Joint == k {
					m.Joints[i].Mimic = nil
				}
			}
			j.Type, j.Mimic = Fixed, nil
		}
	}
}

// coupled returns a joint with all joints that move with it by mimics.
func (m *Robot) coupled(k int) []int {
	leader := func(i int) int {
		for range m.Joints { // no more, in a cycle
			if m.Joints[i].Mimic == nil {
				break
			}
			i = m.Joints[i].Mimic.Joint
		}
		return i
	}
	var list []int
	for i := range m.Joints {
		if leader(i) == leader(k) {
			list = append(list, i)
		}
	}
	return list
}
