package geometry

// Contacts of the middle of the step. Under the midpoint rule the gap of a contact at the end of a step is that of the
// start and the rate of change in the middle,
//
//	φ⁺ = φ(q0) + h ∇φ(q½)·w,                                                  (1)
//
// of second order where ∇φ is that of the same contact at the pose q½. A body that rolls touches at another point
// there, and the normal of a face turns with it. So the contact points of pairs that turn are found at the poses of the
// middle as well. A contact of the start takes point and normal of the one there that is its continuation: that contact
// has no other nearer before it, where those of the start are taken as carried by one body or the other, as corners and
// faces have them, or along with the origin of one of them, below which a rolling body touches. Its gap, weight and
// parameters stay those of the start. Contacts without a continuation stay where they are. Source: this program.

import (
	"math"

	"github.com/curlfree/curlfree/r3"
)

const (
	// middleTol is the second-order change of a gap in a step, over the thickness of the thinner shape, from which on
	// contacts are those of the middle.
	middleTol = 1e-7
	// middleNormal is the least cosine between the normals of a contact and its continuation, beside their turn.
	middleNormal = 0.8
)

// middleScratch is the working memory of a worker.
type middleScratch struct {
	found   []Contact
	nearest []int32 // contact of the start that is nearest to each of found; −1: none
	gap     []float64
}

// middleFinder is a Data that finds contacts of the middle on workers.
type middleFinder Data

// MoveToMiddle gives contacts, a copy of those of the last Collide or Redetect with others behind them, the points and
// normals that they have in the middle of the step, where the poses of the rigid bodies are X_WB, and marks them
// (Middle).
func (s *Data) MoveToMiddle(X_WB []r3.Pose, contacts []Contact) {
	s.middlePairs = s.middlePairs[:0]
	for i := range s.pairs {
		p := &s.pairs[i]
		if p.count == 0 || int(max(p.a, p.b)) >= len(s.geoms) || p.surface >= 0 {
			continue
		}
		ga, gb := &s.geoms[p.a], &s.geoms[p.b]
		bend := s.turnTo(X_WB, int(p.bodyA), ga.radius+ga.rolling) + s.turnTo(X_WB, int(p.bodyB), gb.radius+gb.rolling)
		if bend > middleTol*min(ga.thickness, gb.thickness) {
			s.middlePairs = append(s.middlePairs, i)
		}
	}
	if len(s.middlePairs) == 0 {
		return
	}
	s.growMesh()
	if size := s.Pool.Size(); len(s.middles) < size {
		s.middles = make([]middleScratch, size)
	}
	s.middlePoses, s.middleContacts = X_WB, contacts
	s.Pool.Run(len(s.middlePairs), (*middleFinder)(s))
	s.middlePoses, s.middleContacts = nil, nil
}

// turnTo bounds how far gaps at a distance of rho (m) from the origin of a body bend by its turn θ in the step, ½ θ² ρ
// (m).
func (s *Data) turnTo(X_WB []r3.Pose, body int, rho float64) float64 {
	if body == World {
		return 0
	}
	half2, at := 0.0, &s.X_WB[body].R // twice the square of the turn to the middle, ½ θ²
	for k, x := range X_WB[body].R {
		half2 += (x - at[k]) * (x - at[k])
	}
	return half2 * rho
}

// Do implements workers.Task.
func (f *middleFinder) Do(worker, i int) {
	s := (*Data)(f)
	p := &s.pairs[s.middlePairs[i]]
	contacts := s.middleContacts[p.first : p.first+p.count]
	a, b := int(p.a), int(p.b)
	A, B := s.halfMotion(int(p.bodyA)), s.halfMotion(int(p.bodyB))
	X_WA, X_WB := A[1].Mul(s.Model.Geoms[a].X_BG), B[1].Mul(s.Model.Geoms[b].X_BG)
	m := &s.middles[worker]
	m.found = s.pointsAt(worker, a, b, &X_WA, &X_WB, s.searches[s.middlePairs[i]].margin, m.found[:0])
	m.follow(contacts, &A, &B)
}

// halfMotion returns the poses of a body at the start and in the middle.
func (s *Data) halfMotion(body int) [2]r3.Pose {
	if body == World {
		return [2]r3.Pose{r3.PoseIdentity(), r3.PoseIdentity()}
	}
	return [2]r3.Pose{s.X_WB[body], s.middlePoses[body]}
}

// pointsAt appends the contact points of two geoms at given poses.
func (s *Data) pointsAt(worker, a, b int, X_WA, X_WB *r3.Pose, margin float64, dst []Contact) []Contact {
	from := len(dst)
	ga, gb := s.geoms[a], s.geoms[b]
	if ga.X_WG, gb.X_WG = *X_WA, *X_WB; isGeneral(ga.shape) || isGeneral(gb.shape) {
		dst = s.mesh[worker].contacts(&ga, &gb, margin, dst)
	} else {
		dst = pairContacts(&s.Model.Geoms[a], &s.Model.Geoms[b], *X_WA, *X_WB, margin, nil, dst)
	}
	s.complete(a, b, dst[from:])
	return dst
}

// follow moves contacts to their continuations among those found.
func (m *middleScratch) follow(contacts []Contact, A, B *[2]r3.Pose) {
	m.nearest, m.gap = m.nearest[:0], m.gap[:0]
	for j := range m.found {
		k, d := nearestBefore(contacts, &m.found[j], A, B)
		m.nearest, m.gap = append(m.nearest, k), append(m.gap, d)
	}
	for i := range contacts {
		best := -1
		for j := range m.found {
			if int(m.nearest[j]) == i && (best < 0 || m.gap[j] < m.gap[best]) {
				best = j
			}
		}
		if best < 0 {
			continue
		}
		c, f := &contacts[i], &m.found[best]
		c.Normal_W, c.Pos_W, c.A.Pos_W, c.B.Pos_W, c.Middle = f.Normal_W, f.Pos_W, f.A.Pos_W, f.B.Pos_W, true
	}
}

// nearestBefore returns the contact of the start of which one of the middle is the continuation, −1 for none, and how
// far it is from there, m.
func nearestBefore(contacts []Contact, f *Contact, A, B *[2]r3.Pose) (best int32, least float64) {
	best, least = -1, math.Inf(1)
	for i := range contacts {
		c := &contacts[i]
		nA, nB := turned(A, c.Normal_W), turned(B, c.Normal_W)
		if max(nA.Dot(f.Normal_W), nB.Dot(f.Normal_W), c.Normal_W.Dot(f.Normal_W)) < middleNormal {
			continue
		}
		d := math.Inf(1)
		for _, X := range [2]*[2]r3.Pose{A, B} {
			along := c.Pos_W.Add(X[1].P).Sub(X[0].P)
			d = min(d, X[1].Point(X[0].InvPoint(c.Pos_W)).Sub(f.Pos_W).Norm2(), along.Sub(f.Pos_W).Norm2())
		}
		if d < least {
			best, least = int32(i), d
		}
	}
	return best, least
}

// turned returns a vector of the start as the body carries it to the middle.
func turned(X *[2]r3.Pose, n r3.Vec) r3.Vec { return X[1].R.MulVec(X[0].R.TMulVec(n)) }
