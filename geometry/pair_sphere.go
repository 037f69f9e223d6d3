package geometry

import "curlfree/r3"

// sphereContacts is a sphere A against any shape B, by B's signed distance φ_B at
// the sphere's centre: φ = φ_B − R, n = −∇φ_B.
func sphereContacts(A *Sphere, B Shape, X_WA, X_WB r3.Pose, margin float64, out *patch) {
	out.n = 0
	X_BA := relative(X_WB, X_WA)
	phi, grad := B.SignedDistance(X_BA.P)
	if phi -= A.Radius; phi >= margin {
		return
	}
	n := X_BA.R.TMulVec(grad).Neg()
	out.add(point{n.Scale(A.Radius), n.Scale(A.Radius + phi), n, phi})
}
