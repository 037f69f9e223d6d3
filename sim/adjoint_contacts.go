package sim

// Signals that are sums over contacts, Σ s̄ s = Σ_i σ_i(x, v⁺), such as contact forces, in the adjoint of steps with
// deformables: as terms (adjoint_vertices.go), contacts depend on few vertices, so that many are displaced at a time.
// By v⁺ impulses alone change.

import "github.com/curlfree/curlfree/constraints"

// contactSum is implemented by signals that may be sums over contacts.
type contactSum interface {
	// sumsContacts reports whether the value is the sum of ofContact over all contacts.
	sumsContacts() bool
	// ofContact returns the part of a contact.
	ofContact(c *ContactReport) float64
}

// areContactSums reports whether all signals of the step that count are sums over contacts.
func (l *Linearization) areContactSums() bool {
	for _, i := range l.signals.of[1] {
		if c, ok := l.s.Model.Signals[i].Signal.(contactSum); !ok || !c.sumsContacts() {
			return false
		}
	}
	return true
}

// weighContact returns σ of contact i of the problem, whose impulses are known.
func (l *Linearization) weighContact(i int) float64 {
	if len(l.signals.of[1]) == 0 {
		return 0
	}
	s, c := l.s, &l.vertices.report
	c.Contact = s.contacts[i]
	c.Normal = constraints.ContactLoad(&s.Problem, s.handles[i], &c.Contact, &c.Force_W, &c.Slip_W)
	sum := 0.0
	for _, k := range l.signals.of[1] {
		sum += l.signals.bar[k] * s.Model.Signals[k].Signal.(contactSum).ofContact(c)
	}
	return sum
}

// sumContacts adds w σ_i of each contact to the vertex of a colour that it acts on.
func (l *Linearization) sumContacts(color int32, axis int, w float64) {
	if len(l.signals.of[1]) == 0 {
		return
	}
	for i, h := range l.s.handles {
		if v := l.vertices.vertexOf(&l.s.Problem, h, color); v != nil {
			v.sum[axis] += w * l.weighContact(i)
		}
	}
}

// differenceContactSums sets the derivatives of the signals of the step by v⁺, and by the coordinates of rigid bodies
// at its start; those by vertices at the start are parts of addVertexTerms.
func (l *Linearization) differenceContactSums(bar []float64) error {
	s, d, t, nv := l.s, &l.signals, &l.vertices, len(l.place)
	nx, _ := l.Size()
	_, joints := s.Model.RigidSize()
	var err error
	for k := range nx {
		if k%nv >= joints || l.isStill(k) {
			continue
		}
		l.direction[k] = 1
		if d.start[k], err = l.differenceOfStart(bar, l.direction, k, k+1); err == nil && k >= nv && k < 2*nv {
			d.step[l.place[k-nv]], err = l.differenceOfEnd(bar, l.direction[nv:], k-nv, k-nv+1)
		}
		l.direction[k] = 0
		if err != nil {
			return err
		}
	}
	if err := l.residualAt(s, &l.x, l.v, l.plus); err != nil {
		return err
	}
	l.color()
	for color := range t.colors {
		for axis := range 3 {
			for _, w := range [2]float64{endWidth, -endWidth} {
				d.v = append(d.v[:0], l.v...)
				for i := range t.touched {
					if v := &t.touched[i]; v.color == color {
						d.v[int(v.place)+axis] += w
					}
				}
				if err := l.gradient.Impulses(&s.Problem, d.v); err != nil {
					return err
				}
				l.sumContacts(color, axis, 1/(2*w))
			}
		}
	}
	for i := range t.touched {
		v := &t.touched[i]
		copy(d.step[v.place:v.place+3], v.sum[:])
		v.sum = [3]float64{}
	}
	return nil
}
