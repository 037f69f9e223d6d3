package sim

// Terms of contacts between faces of deformables and rigid bodies, differentiated backward: the part
//
//	T = −y·F − σ(F, n),   F = R γ(Rᵀu⁺, Rᵀu⁰, φ, S),   u = Σ W_k v_k − v_A(p)                       (1)
//
// of yᵀr less the signals of adjoint_contacts.go, with the frame R of the normal n, the motion y = Σ W_k y_k − y_A(p)
// of the contact in the solution, and velocities u⁺ and u⁰ at the end and start. With g = −y − ∂σ/∂F, the Hessian G and
// Γ = ∂γ/∂c⁰ of the law in the frame of the contact,
//
//	ū⁺ = −R G Rᵀ g,   ū⁰ = R Γᵀ Rᵀ g,   φ̄ = g·R ∂γ/∂φ,   S̄ = g·R ∂γ/∂S                           (2)
//	n̄ = (F × g − u⁺ × ū⁺ − u⁰ × ū⁰) × n − ∂σ/∂n                                                  (3)
//
// of which the law gives G and differences of one law Γ, ∂γ/∂φ and ∂γ/∂S. Friction is alike in all directions, so that
// only n counts of R. Weights, p, n, φ and S follow from vertices and poses by geometry.Data.AddFaces.

import (
	"slices"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
)

const (
	// faceGapWidth is the width of differences of laws by the gap, m, far below depths of contact.
	faceGapWidth = 0x1p-27
	// faceAreaShare is the same by the area, of which impulses are nearly linear functions, relative to it.
	faceAreaShare = 0x1p-12
	// faceStartWidth is the same by velocities at the start, m/s, small beside the velocities over which the
	// regularization of friction changes, 20 stiction tolerances.
	faceStartWidth = 1e-7
)

// faceTerms is the working memory of (1).
type faceTerms struct {
	contacts geometry.ContactAdjoint
	bars     []geometry.ContactBar // of the contacts of one face
	bodies   []bodyBars            // of each rigid body
	law      faceLaw
	off      bool // tests compare with colours
	used     bool // by the last adjoint
	// velocities of the trees: all zero, and one of them 1 at a time
	zero, unit []float64
	// of mobilityOf
	mobility                [36]float64
	motions, factor, solved []float64
}

// faceLaw is the law of one contact with its derivatives in the frame of the contact.
type faceLaw struct {
	contact geometry.Contact
	pair    constraints.Pair
	w       [3]float64
	vc, vc0 r3.Vec
	gamma   r3.Vec
	G       [9]float64
	by      [numFaceInputs]r3.Vec // ∂γ/∂φ, ∂γ/∂S and the columns of Γ
	start   r3.Vec                // velocity at the start, displaced
	sides   [2]r3.Vec
}

// Inputs of a contact's law, of which the last three are the velocity at the start.
const (
	faceGap = iota
	faceArea
	faceStart
	numFaceInputs = faceStart + 3
)

// eval evaluates the law of the contact.
func (f *faceLaw) eval(l *Linearization, gamma *r3.Vec) error {
	p := &l.local.problem
	var err error
	if f.pair, err = l.s.Model.ContactMaterials.Pair(&f.contact); err != nil {
		return err
	}
	law := l.s.contact.Law(&f.contact, &f.pair, l.s.kin, p)
	law.Start(&f.pair, constraints.StartVelocities{Lagged: f.start, Slip: f.start})
	law.Prepare(l.h, f.w[:])
	law.Eval(f.vc[:], gamma[:], f.G[:])
	return nil
}

// displace moves an input by w.
func (f *faceLaw) displace(input int, w float64) {
	switch input {
	case faceGap:
		f.contact.Phi += w
	case faceArea:
		f.contact.Area += w
	default:
		f.start[input-faceStart] += w
	}
}

// differentiate sets the derivatives of the law of contact i. It is false where friction has a direction, surfaces
// move, laws read mobilities, or the law of the step is another.
func (f *faceLaw) differentiate(l *Linearization, i int) (ok bool, err error) {
	s := l.s
	h, c := s.handles[i], &s.contacts[i]
	l.local.problem.Reset(l.x.Time, l.h)
	l.gradient.DelassusDiagonal(h, f.w[:])
	f.vc = r3.Vec(s.Problem.Velocity(h))
	s.Problem.StartVelocities(h, f.vc0[:])
	f.contact, f.start = *c, f.vc0
	w := f.w
	for k := range f.w {
		f.w[k] *= mobilityProbe
	}
	if err := f.eval(l, &f.gamma); err != nil {
		return false, err
	}
	f.w = w
	if f.pair.Directed() || !slices.Equal(f.gamma[:], s.Problem.Impulse(h)) {
		return false, nil
	}
	widths := [numFaceInputs]float64{faceGapWidth, faceAreaShare * c.Area, faceStartWidth, faceStartWidth, faceStartWidth}
	for input, width := range widths {
		// each side of a difference is loaded as in the step, else it is narrowed (touch.go)
		for range narrowings + 1 {
			alike := true
			for k, w := range [2]float64{width, -width} {
				f.contact, f.start = *c, f.vc0
				f.displace(input, w)
				if err := f.eval(l, &f.sides[k]); err != nil {
					return false, err
				}
				alike = alike && !changesSide(f.sides[k][:], f.gamma[:])
			}
			f.by[input] = f.sides[0].Sub(f.sides[1]).Scale(1 / (2 * width))
			if alike {
				break
			}
			width /= narrowing
		}
	}
	f.contact, f.start = *c, f.vc0
	return true, f.eval(l, &f.sides[0]) // G of the step
}

// hasFaces reports whether (1) may be true for the step, whose parts then are those of faces, attachments and
// local_derivatives.go.
func (l *Linearization) hasFaces() bool {
	s := l.s
	if l.vertices.faces.off || l.local.off || s.planner != nil || len(s.drags) > 0 || s.rest.holds {
		return false
	}
	for i := range s.contacts {
		// signals of contacts of rigid bodies have differences
		if c := &s.contacts[i]; c.B.N == 0 && len(l.signals.of[1]) > 0 && l.weighContact(i) != 0 {
			return false
		}
	}
	return true
}

// beginFaces places the step itself, with its impulses at v⁺.
func (l *Linearization) beginFaces() error {
	s := l.s
	if s.placements != l.placement {
		if err := l.residualAt(s, &l.x, l.v, l.plus); err != nil {
			return err
		}
		l.keepPlacement()
		return nil
	}
	// the solve predicted the motion again, after contacts were found
	copy(s.Geometry.PredictedTranslation, l.vertices.translation)
	copy(s.Geometry.MotionBound, l.vertices.bound)
	if err := l.gradient.Impulses(&s.Problem, l.v); err != nil {
		return err
	}
	l.bearing = s.bearingPoints()
	return nil
}

// subtractFaces subtracts r_xᵀy less the signals of contacts from dst (2n_v). It is false, with dst unchanged, where a
// part of the step has no derivative by hand.
func (l *Linearization) subtractFaces(y, dst []float64) (ok bool, err error) {
	l.products = sized(l.products, 2*len(l.place))
	clear(l.products)
	if ok, err := l.addByFaces(y); !ok || err != nil {
		return false, err
	}
	l.subtractProducts(dst)
	l.vertices.faces.used = true
	return true, nil
}

// addByFaces adds r_xᵀy less the signals of contacts to products. It is false, with products undefined, where a part of
// the step has no derivative by hand.
func (l *Linearization) addByFaces(y []float64) (ok bool, err error) {
	s, t := l.s, &l.vertices.faces
	_, joints := s.Model.RigidSize()
	if len(t.zero) != joints {
		t.zero, t.unit = make([]float64, joints), make([]float64, joints)
	}
	l.moved.copyFrom(&l.x)
	l.resetBars()
	l.addMobilities(y, len(s.handles))
	if ok, err := l.addFaces(y); !ok || err != nil {
		return false, err
	}
	if joints > 0 || len(s.inputs.constraints) > 0 {
		if ok, err := l.addRigidParts(y); !ok || err != nil {
			return false, err
		}
	}
	if !l.addDeformables(y) {
		return false, nil
	}
	if joints > 0 {
		l.addRigidCoordinates()
		l.keepPlacement() // rigid bodies are where they were
	}
	return true, nil
}

// addFaces adds the terms of contacts of faces to products, and to the bars of rigid bodies. It is false where one has
// no derivative by hand.
func (l *Linearization) addFaces(y []float64) (ok bool, err error) {
	s, t := l.s, &l.vertices.faces
	a := &t.contacts
	a.Reset(s.Model.Geometry)
	for i := 0; i < len(s.contacts); {
		c := &s.contacts[i]
		if c.B.N == 0 {
			i++
			continue
		}
		first := i
		t.bars = t.bars[:0]
		for ; i < len(s.contacts) && s.contacts[i].Elem == c.Elem && s.contacts[i].A.Body == c.A.Body && s.contacts[i].B.Body == c.B.Body; i++ {
			t.bars = append(t.bars, geometry.ContactBar{})
			if ok, err := l.addFace(i, y, &t.bars[i-first]); !ok || err != nil {
				return false, err
			}
		}
		if !s.Geometry.AddFaces(s.contacts[first:i], t.bars, a) {
			return false, nil
		}
	}
	_, iv := s.Model.RigidSize()
	nv := len(l.place)
	for k, b := range s.deformables {
		body := s.Model.Geometry.NumRigid + k
		_, size := b.Size()
		for i, x := range a.Verts_W[k] {
			for axis, d := range x {
				l.products[iv+3*i+axis] += d
			}
		}
		l.spreadPrediction(l.x.V[iv:iv+size], a.Translation[body], a.Bound[body], l.products[nv+iv:nv+iv+size])
		iv += size
	}
	return true, nil
}

// addFace sets the bars of contact i, and adds those of velocities.
func (l *Linearization) addFace(i int, y []float64, bar *geometry.ContactBar) (ok bool, err error) {
	s, nv := l.s, len(l.place)
	f := &l.vertices.faces.law
	if ok, err := f.differentiate(l, i); !ok || err != nil {
		return false, err
	}
	c, p := &s.contacts[i], &s.Problem
	R := constraints.ContactFrame(c)
	var yc r3.Vec
	for _, b := range p.Blocks(s.handles[i]) {
		off, n := p.NodeOffset[b.Node], p.NodeSize[b.Node]
		for r := range yc {
			yc[r] += dot(b.J[r*n:(r+1)*n], y[off:off+n])
		}
	}
	byForce, byNormal := l.signalOf(i, R.MulVec(f.gamma))
	F, motion := R.MulVec(f.gamma), R.MulVec(yc)
	g := motion.Add(byForce).Neg()
	gc := R.TMulVec(g)
	// (2)
	end := R.MulVec(r3.Mat(f.G).MulVec(gc)).Neg()
	start := R.MulVec(r3.Vec{gc.Dot(f.by[faceStart]), gc.Dot(f.by[faceStart+1]), gc.Dot(f.by[faceStart+2])})
	bar.Phi, bar.Area = gc.Dot(f.by[faceGap]), gc.Dot(f.by[faceArea])
	// (3)
	turn := F.Cross(g).Sub(R.MulVec(f.vc).Cross(end)).Sub(R.MulVec(f.vc0).Cross(start))
	bar.Normal_W = turn.Cross(c.Normal_W).Sub(byNormal)
	// velocities of the vertices, of which fixed ones have none
	first := l.firstVelocity(c.B.Body)
	for k, v := range c.B.Vert[:c.B.N] {
		entry := first + 3*int(v)
		at := l.place[entry]
		if at < 0 {
			continue
		}
		bar.W[k] = end.Dot(r3.Vec(l.v[at:at+3])) + start.Dot(r3.Vec(l.x.V[entry:entry+3])) - F.Dot(r3.Vec(y[at:at+3]))
		for axis, u := range start {
			l.products[nv+entry+axis] += c.B.W[k] * u
		}
	}
	l.addLever(c.A.Body, c.Pos_W, [3]r3.Vec{end, start, F.Neg()}, &bar.Pos_W)
	return true, nil
}

// firstVelocity returns where the velocities of a deformable begin in the state.
func (l *Linearization) firstVelocity(body int) int {
	_, iv := l.s.Model.RigidSize()
	for _, b := range l.s.deformables[:body-l.s.Model.Geometry.NumRigid] {
		_, n := b.Size()
		iv += n
	}
	return iv
}

// signalOf returns the derivatives of σ of contact i with the impulse F, N s, by F and by the normal. Signals are
// linear in both.
func (l *Linearization) signalOf(i int, F r3.Vec) (byForce, byNormal r3.Vec) {
	if len(l.signals.of[1]) == 0 {
		return byForce, byNormal
	}
	s, c := l.s, &l.vertices.report
	c.Contact = s.contacts[i]
	n := c.Normal_W
	of := func(F, n r3.Vec) (sum float64) {
		c.Force_W, c.Normal = F.Scale(1/l.h), F.Dot(n)/l.h
		for _, k := range l.signals.of[1] {
			sum += l.signals.bar[k] * s.Model.Signals[k].Signal.(contactSum).ofContact(c)
		}
		return sum
	}
	for k := range 3 {
		var e r3.Vec
		e[k] = 1
		byForce[k], byNormal[k] = of(e, n), of(F, e)-of(F, r3.Vec{})
	}
	return byForce, byNormal
}

// addSignalsByEnd adds the derivatives of σ of all contacts of faces by v⁺ to those of the signals: −Jᵀ G Rᵀ ∂σ/∂F.
func (l *Linearization) addSignalsByEnd() {
	s, p := l.s, &l.s.Problem
	for i := range s.contacts {
		if s.contacts[i].B.N == 0 {
			continue
		}
		h := s.handles[i]
		R := constraints.ContactFrame(&s.contacts[i])
		byForce, _ := l.signalOf(i, R.MulVec(r3.Vec(p.Impulse(h))))
		if byForce == (r3.Vec{}) {
			continue
		}
		f := &l.vertices.faces.law
		p.Constraints[h].Law.Eval(p.Velocity(h), f.gamma[:], f.G[:])
		u := r3.Mat(f.G).MulVec(R.TMulVec(byForce))
		addTransposedBlocks(p, h, u[:], -1, l.signals.step)
	}
}

// addTransposedBlocks adds s Jᵀ u of a term.
func addTransposedBlocks(p *cliques.Problem, h cliques.Handle, u []float64, s float64, dst []float64) {
	for _, b := range p.Blocks(h) {
		off, n := p.NodeOffset[b.Node], p.NodeSize[b.Node]
		for r, x := range u {
			for k := range n {
				dst[off+k] += s * x * b.J[r*n+k]
			}
		}
	}
}
