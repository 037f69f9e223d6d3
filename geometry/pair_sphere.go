package geometry

import "github.com/curlfree/curlfree/r3"

// sphereContacts appends the contact of a sphere A with any shape B from B's signed
// distance φ_B at the sphere's centre: φ = φ_B − R, n = −∇φ_B.
func sphereContacts(A *Sphere, a, b *Geom, X_WA, X_WB *r3.Pose, margin float64, dst []Contact) []Contact {
	// The centre in B's frame.
	var p_BA r3.Vec
	p_BA.SetSub(&X_WA.P, &X_WB.P)
	p_BA.SetTMul(&X_WB.R, &p_BA)
	phi, n := b.Shape.SignedDistance(p_BA)
	if phi -= A.Radius; phi >= margin {
		return dst
	}
	// The normal points from the sphere to B.
	n.SetMul(&X_WB.R, &n)
	n.SetScale(-1, &n)
	var x_W r3.Vec
	for i := range n {
		x_W[i] = X_WA.P[i] + A.Radius*n[i]
	}
	return appendContact(dst, a, b, &x_W, &n, phi)
}
