package sim

// Contact of two rigid bodies, and constraints between them, as functions of what the lower of both, A, sees of the
// other, B: their relative pose, and the relative velocities V⁰ at the start and V⁺ at the end of the step. Terms are
// made by the same code as those of the step, with A at rest and B a body of six velocities, so that a term i with the
// Jacobian J (rows × 6) adds to the wrench on B
//
//	W = Σ J_iᵀ γ_i(ξ, c_i, c⁰_i),   c = J V⁺ + b,   c⁰ = J V⁰ + b                     (1)
//
//	∂W/∂ξ = Σ ∂(J_iᵀ γ_i)/∂ξ − J_iᵀ G_i ∂c_i/∂ξ + J_iᵀ Γ_i ∂c⁰_i/∂ξ                     (2)
//	∂W/∂V⁺ = −Σ J_iᵀ G_i J_i,   ∂W/∂V⁰ = Σ J_iᵀ Γ_i J_i                               (3)
//
// G is the Hessian of the law. Differences are taken of the rest: Γ = ∂γ/∂c⁰, and for six displacements ξ of B the
// first term at fixed c and c⁰, ∂c and ∂c⁰. All of these are smooth on the scale of the bodies, while γ may change
// within the stiction tolerance.

import (
	"slices"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
)

// pairPart is a pair of bodies with what acts between them.
type pairPart struct {
	view     pairView
	index    int                    // of the pair of geoms
	with     constraints.Constraint // instead, if not nil
	contacts []geometry.Contact
	material constraints.Pair
	// parameters of the contacts at the place of B
	materials []constraints.Pair
	terms     []pairTerm
	gamma     [6]float64
	byStart   []float64 // of both sides of a difference
	// of wrenches and their derivatives (hasKink)
	lever, scale float64
}

// pairTerm is one term of a pair at its place.
type pairTerm struct {
	dim     int
	J       [36]float64 // dim×6
	G       [36]float64 // dim×dim
	byStart [36]float64 // Γ, dim×dim; of contacts
	end     [6]float64  // c
	start   r3.Vec      // c⁰ of a contact
	gamma   [6]float64
	bias    [6]float64 // b
	weight  float64    // of a contact in its manifold
	axes    r3.Mat     // of a contact, t1, t2, n
	turn    axisTurn   // of its axes where it is displaced
}

// poseWidth is the width of displacements, rad or m: far below depths of contact. Velocities of contact do not change
// with them, so that it may be wider than that of whole assemblies and keeps more digits; a power of two, so that
// coordinates are moved by it exactly.
const poseWidth = 0x1p-20

// depthWidth is the same where friction acts beside its points, which follow the loads and so change within depths of
// contact.
const depthWidth = 0x1p-25

// slipWidth is the width of differences by the velocity at the start, m/s, small beside the velocities over which the
// regularization of friction changes, 20 stiction tolerances.
const slipWidth = 1e-7

// addContactPair adds the derivatives of the contact of a pair of geoms.
func (l *Linearization) addContactPair(i int) (ok bool, err error) {
	s, d := l.s, &l.local
	a, b, first, count, ok := s.Geometry.PointPair(i)
	if !ok || count == 0 {
		return ok, nil
	}
	// the terms of the step that these contacts are
	center := r3.Vec{}
	for _, c := range s.contacts[first : first+count] {
		center = center.AddScaled(1/float64(count), c.Pos_W)
	}
	l.setMobilities(int(s.handles[first]), count)
	d.pair.index, d.pair.with = i, nil
	return l.addPair(a, b, center)
}

// addPair adds the derivatives of the terms of the part between two bodies. Their mobilities are set.
func (l *Linearization) addPair(a, b int, center r3.Vec) (ok bool, err error) {
	s, d := l.s, &l.local
	part, w := &d.pair, &d.wrench
	v := &part.view
	*v = pairView{body: [2]int{a, b}, center_W: center}
	s.rigid.RelativeVelocity(a, b, &center, l.x.V, &v.start)
	s.rigid.RelativeVelocity(a, b, &center, l.v, &v.end)
	w.A, w.B, w.Center_W = a, b, center
	at := s.kin.Pose(b)
	part.contacts, part.terms, part.materials = part.contacts[:0], part.terms[:0], part.materials[:0]
	if err := l.appendPair(&at, false, -1, 0); err != nil {
		return false, err
	}
	if l.readTerms() {
		return false, nil // regularized by mobilities
	}
	if w.Wrench == [6]float64{} && w.ByEnd == [36]float64{} {
		return true, nil // an open gap
	}
	part.setScale(w, at.P, l.h)
	if err := l.differenceStart(); err != nil {
		return false, err
	}
	for k := range 6 {
		if ok, err := l.differencePose(k); !ok || err != nil {
			return false, err
		}
	}
	// rotations about the centre are those about the body's origin and a translation
	lever := at.P.Sub(center)
	for k := range 3 {
		var e r3.Vec
		e[k] = 1
		x := e.Cross(lever)
		for i := range 6 {
			w.ByPose[6*i+k] += dot(w.ByPose[6*i+3:6*i+6], x[:])
		}
	}
	s.rigid.AddPairWrench(w, l.v[:d.size], l.partials, d.size, d.size)
	return true, nil
}

// appendPair makes the problem of the terms where B is at X_WB. With fixed, laws of contacts read c⁰ of the terms, its
// component along changed by width; else a constraint reads V⁰ with that component changed.
func (l *Linearization) appendPair(X_WB *r3.Pose, fixed bool, along int, width float64) error {
	s, d := l.s, &l.local
	part, p := &d.pair, &d.problem
	v := &part.view
	v.X_W = [2]r3.Pose{s.kin.Pose(v.body[0]), *X_WB}
	p.Reset(l.x.Time, l.h)
	var v0 []float64
	v.node, _, v0, _ = p.AddDense(6)
	copy(v0, v.start[:])
	if part.with != nil {
		if along >= 0 {
			v0[along] += width
		}
		part.with.Append(v, p)
		return nil
	}
	// contacts that stay where they are need no search
	if along < 0 {
		part.contacts = s.Geometry.ReplayPair(part.index, X_WB, part.contacts[:0])
		if err := constraints.SpreadFriction(s.contact, s.Model.ContactMaterials, part.contacts); err != nil {
			return err
		}
	}
	for k := range part.contacts {
		c := &part.contacts[k]
		// parameters of points depend on their share of the manifold alone
		if k >= len(part.terms) || c.Weight != part.terms[k].weight {
			var err error
			if part.material, err = s.Model.ContactMaterials.Pair(c); err != nil {
				return err
			}
			if !fixed {
				part.materials = append(part.materials, part.material)
			}
		} else {
			part.material = part.materials[k]
		}
		if !fixed || k >= len(part.terms) {
			constraints.AppendContact(s.contact, c, &part.material, v, p)
			continue
		}
		t := &part.terms[k]
		d.start = t.start
		for axis := range d.start {
			if along == axis || along == allAxes {
				d.start[axis] += width
			}
		}
		// c⁰ is a vector in the contact's axes as they are in the step
		t.findTurn(c)
		t.turn.into(d.start[:])
		constraints.AppendContactFrom(s.contact, c, &part.material, v, p, &d.start)
	}
	return nil
}

// readTerms sets the terms of the part, and the wrench (1) with its derivative by V⁺ (3). It reports whether a
// law depends on mobilities.
func (l *Linearization) readTerms() (mobile bool) {
	d := &l.local
	part, w, p := &d.pair, &d.wrench, &d.problem
	w.Wrench, w.ByPose, w.ByStart, w.ByEnd = [6]float64{}, [36]float64{}, [36]float64{}, [36]float64{}
	for i := range p.Constraints {
		part.terms = append(part.terms, pairTerm{dim: p.Constraints[i].Dim})
		t := &part.terms[i]
		n := t.dim
		if part.with == nil {
			t.weight, t.axes = part.contacts[i].Weight, constraints.ContactFrame(&part.contacts[i])
		}
		copy(t.bias[:n], p.Bias[p.Constraints[i].Row:])
		for _, b := range p.Blocks(cliques.Handle(i)) {
			copy(t.J[:], b.J)
		}
		d.velocities(i, &part.view.end, t.end[:n])
		if n == len(t.start) {
			d.velocities(i, &part.view.start, t.start[:])
		}
		mobile = mobile || d.dependsOnMobility(i, t.end[:n])
		d.evaluate(i, t.end[:n], t.gamma[:n], t.G[:n*n])
		addTransposed(t.J[:], t.gamma[:n], 1, &w.Wrench)
		addCongruent(&t.J, &t.G, n, -1, &w.ByEnd)
	}
	return mobile
}

// velocities writes J V + b of term i of the part.
func (d *localDerivatives) velocities(i int, V *[6]float64, dst []float64) {
	p := &d.problem
	copy(dst, p.Bias[p.Constraints[i].Row:])
	for _, b := range p.Blocks(cliques.Handle(i)) {
		for r := range dst {
			dst[r] += dot(b.J[6*r:6*r+6], V[:])
		}
	}
}

// differencePose sets column k of the derivative of the wrench by the displacement of B (2). It is false where the
// displaced bodies have another number of terms.
func (l *Linearization) differencePose(k int) (ok bool, err error) {
	v, width := &l.local.pair.view, poseWidth
	if spreadsFriction(l.local.pair.contacts) {
		width = depthWidth
	}
	for narrowed := 0; ; narrowed++ {
		// touch.go, kink.go
		ok, sides, kinked, err := l.differencePoseBy(k, width)
		switch last := narrowed == narrowings; {
		case err != nil || sides && !kinked:
			return ok, err
		case last && kinked:
			return false, l.contactKinkError(v.body[0], v.body[1])
		case last:
			return false, l.touchError(v.body[0], v.body[1])
		}
		width /= narrowing
	}
}

// spreadsFriction reports whether friction of one of the contacts acts beside its point.
func spreadsFriction(contacts []geometry.Contact) bool {
	return slices.ContainsFunc(contacts, func(c geometry.Contact) bool { return c.FrictionOffset_W != r3.Vec{} })
}

// changesSide reports whether an impulse is zero where the other is not.
func changesSide(a, b []float64) bool {
	for r := range a {
		if (a[r] == 0) != (b[r] == 0) {
			return true
		}
	}
	return false
}

// differencePoseBy is differencePose with a width. It is not of the sides of the step itself where a term acts on one
// side of the difference and not in the step, and kinked where the wrench has a kink between them.
func (l *Linearization) differencePoseBy(k int, width float64) (ok, sides, kinked bool, err error) {
	d := &l.local
	part, w := &d.pair, &d.wrench
	gamma := &part.gamma
	var wrench [2][6]float64 // of each side
	for side, x := range [2]float64{width, -width} {
		changes := false
		moved := displaced(k, x, l.s.kin.Pose(part.view.body[1]))
		if err := l.appendPair(&moved, true, -1, 0); err != nil {
			return false, true, false, err
		}
		if len(d.problem.Constraints) != len(part.terms) {
			return false, true, false, nil
		}
		for i := range part.terms {
			t := &part.terms[i]
			n := t.dim
			row := d.problem.Constraints[i].Row
			d.evaluateAt(i, t, gamma[:n])
			if changesSide(gamma[:n], t.gamma[:n]) {
				return false, false, false, nil
			}
			changes = changes || !slices.Equal(gamma[:n], t.gamma[:n])
			for _, b := range d.problem.Blocks(cliques.Handle(i)) {
				changes = part.addVelocityChange(t, b.J, d.problem.Bias[row:row+n], gamma[:n]) || changes
				addTransposed(b.J, gamma[:n], 1, &wrench[side])
			}
		}
		// a ball that turns about its centre
		if side == 0 && !changes {
			return true, true, false, nil // the column is zero
		}
	}
	var kink [6]float64
	for i := range kink {
		w.ByPose[6*i+k] = (wrench[0][i] - wrench[1][i]) / (2 * width)
		kink[i] = (wrench[0][i] + wrench[1][i] - 2*w.Wrench[i]) / (2 * width)
	}
	return true, true, part.hasKink(k, &w.ByPose, &kink, width), nil
}

// displaced returns a pose after the k-th of three rotations about its origin and three translations: rotations leave
// the origin as it is to the last bit, so that what turns about its centre stays in place.
func displaced(k int, width float64, x r3.Pose) r3.Pose {
	if k >= 3 {
		x.P[k-3] += width
		return x
	}
	var turn r3.Vec
	turn[k] = width
	x.R = r3.RotExp(turn).Mul(x.R)
	return x
}

// addTransposed adds s Jᵀ γ.
func addTransposed(J, gamma []float64, s float64, dst *[6]float64) {
	for r, g := range gamma {
		for k := range dst {
			dst[k] += s * g * J[6*r+k]
		}
	}
}

// addVelocityChange adds to the impulse γ of term t at fixed velocities of contact what their change adds, −G ∂c + Γ
// ∂c⁰ (2), where the displaced term has J and b. It reports whether these are others. Differences of J keep more digits
// than those of c.
func (part *pairPart) addVelocityChange(t *pairTerm, J, bias, gamma []float64) (changes bool) {
	n := t.dim
	for q := range n {
		end := bias[q] - t.bias[q]
		start := end
		changes = changes || end != 0
		for k, e := range J[6*q : 6*q+6] {
			e -= t.J[6*q+k]
			changes = changes || e != 0
			end += e * part.view.end[k]
			start += e * part.view.start[k]
		}
		for r := range gamma {
			gamma[r] -= t.G[r*n+q] * end
		}
		// of contacts; constraints read the start as it is
		if part.with == nil {
			for r := range gamma {
				gamma[r] += t.byStart[r*n+q] * start
			}
		}
	}
	return changes
}

// addCongruent adds s Jᵀ M J (6×6) of n rows.
func addCongruent(J, M *[36]float64, n int, s float64, dst *[36]float64) {
	for r := range n {
		for q := range n {
			g := s * M[r*n+q]
			if g == 0 {
				continue
			}
			for i := range 6 {
				x := g * J[6*r+i]
				for k := range 6 {
					dst[6*i+k] += x * J[6*q+k]
				}
			}
		}
	}
}
