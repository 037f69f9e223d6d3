package constraints

// Where friction acts on a face. The points x_i of a face have the loads λ_i at rest, with their
// centre x̄, the centre of pressure. With α and τ_i of geometry/face_friction.go friction acts at
//
//	y_i = x̄ + s_i (x_i − x̄) − d,   d = Σ λ_i s_i (x_i − x̄)/Σ λ_i              (1)
//	s_i = α (1 + e τ_i),   e = max(0, 2 r − 1)²,   r = (Σ λ_i)²/(n Σ λ_i²)      (2)
//
// so that the face turns about x̄ with the moment of an even pressure, and slides with its friction at x̄. A corner or
// an edge that is loaded alone keeps its friction. Loads are those of the normal law at the gaps of the start of the
// step. Where sliding lifts bodies gaps do not determine them, and friction stays at the points.

import (
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
)

const (
	// mostFacePoints bounds the points of a face.
	mostFacePoints = 32
	// aheadShare is the share of a face's size by which points ahead of contact may differ to touch together.
	aheadShare = 1e-6
)

// FaceEnd returns the number of leading contacts that are points of one face; 0: the first one is of no face.
func FaceEnd(contacts []geometry.Contact) (n int) {
	first := &contacts[0]
	if first.Face == 0 {
		return 0
	}
	for n = 1; n < len(contacts); n++ {
		if c := &contacts[n]; c.Face != first.Face || c.Elem != first.Elem || c.A.Body != first.A.Body || c.B.Body != first.B.Body {
			break
		}
	}
	return n
}

// SpreadFriction sets FrictionOffset_W of the points of faces among contacts (1).
func SpreadFriction(m ContactModel, materials *ContactMaterials, contacts []geometry.Contact) error {
	facts := m.Facts()
	if facts.SlidingLift != nil {
		return nil
	}
	for len(contacts) > 0 {
		n := FaceEnd(contacts)
		// The core of a field only stops bodies.
		if n > 1 && n <= mostFacePoints && !contacts[0].Core {
			if err := spreadFace(facts.Normal, materials, contacts[:n]); err != nil {
				return err
			}
		}
		contacts = contacts[max(1, n):]
	}
	return nil
}

// spreadFace does so for one face.
func spreadFace(normal NormalFacts, materials *ContactMaterials, face []geometry.Contact) error {
	var loads [mostFacePoints]float64
	total := 0.0
	for i := range face {
		c := &face[i]
		k := c.Weight // forces on overlap are as the stiffness
		if k == 0 {
			k = 1
		}
		if normal.Range() > 0 {
			pair, err := materials.Pair(c)
			if err != nil {
				return err
			}
			k = pair.Stiffness
		}
		loads[i], _ = normal.StaticForce(k, -c.Phi)
		total += loads[i]
	}
	if !(total > 0) {
		total = loadAhead(face, loads[:])
	}
	squares := 0.0
	for _, l := range loads[:len(face)] {
		squares += l * l
	}
	even := max(0, 2*total*total/(float64(len(face))*squares)-1)
	even *= even
	share := func(c *geometry.Contact) float64 { return c.FrictionShare * (1 + even*c.FrictionTurn) }
	var center, d r3.Vec
	for i := range face {
		center.IncScale(loads[i]/total, &face[i].Pos_W)
	}
	for i := range face {
		arm := inPlane(face[i].Pos_W.Sub(center), &face[i].Normal_W)
		d.IncScale(loads[i]/total*share(&face[i]), &arm)
	}
	for i := range face {
		if c := &face[i]; loads[i] > 0 {
			c.FrictionOffset_W = inPlane(c.Pos_W.Sub(center), &c.Normal_W).Scale(share(c) - 1).Sub(d)
		}
	}
	return nil
}

// loadAhead gives points ahead of contact that touch first together equal loads, and returns their sum.
func loadAhead(face []geometry.Contact, loads []float64) (total float64) {
	least, size := face[0].Phi, 0.0
	for i := range face {
		least, size = min(least, face[i].Phi), max(size, face[i].Pos_W.Sub(face[0].Pos_W).Norm())
	}
	for i := range face {
		if face[i].Phi <= least+aheadShare*size {
			loads[i] = 1
			total++
		}
	}
	return total
}

// inPlane returns the part of a vector at right angles to a normal.
func inPlane(x r3.Vec, n *r3.Vec) r3.Vec { return x.AddScaled(-x.Dot(*n), *n) }
