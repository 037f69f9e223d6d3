package rigid

import "curlfree/r3"

// Spatial algebra in world axes at a body's origin, not at the world's: numbers
// stay small far from there. Moving from an origin P to B at r from it:
//
//	V_B = X(r) V_P = (ω_P; v_P + ω_P×r)                                  (1)
//	F_P = X(r)ᵀ F_B = (t_B + r×f_B; f_B)                                 (2)
//	𝓜 = [I, m[c]×; −m[c]×, m 1],  𝓜_P = X(r)ᵀ 𝓜_B X(r)                   (3)

// spatial is a spatial velocity, acceleration or force: angular part or moment w,
// linear part or force v.
type spatial struct{ w, v r3.Vec }

func (a spatial) add(b spatial) spatial { return spatial{a.w.Add(b.w), a.v.Add(b.v)} }

func (a spatial) addScaled(s float64, b spatial) spatial {
	return spatial{a.w.AddScaled(s, b.w), a.v.AddScaled(s, b.v)}
}

func (a spatial) sub(b spatial) spatial { return spatial{a.w.Sub(b.w), a.v.Sub(b.v)} }

func (a spatial) scale(s float64) spatial { return spatial{a.w.Scale(s), a.v.Scale(s)} }

// dot pairs a motion with a force.
func (a spatial) dot(b spatial) float64 { return a.w.Dot(b.w) + a.v.Dot(b.v) }

// turned rotates both parts.
func (a spatial) turned(R r3.Mat) spatial { return spatial{R.MulVec(a.w), R.MulVec(a.v)} }

// shifted returns the motion at r from the origin of the motion a.
func (a spatial) shifted(r r3.Vec) spatial { return spatial{a.w, a.v.Add(a.w.Cross(r))} } // (1)

// carried returns the force at an origin of the force a that acts at r from it.
func (a spatial) carried(r r3.Vec) spatial { return spatial{a.w.Add(r.Cross(a.v)), a.v} } // (2)

// inertia is a spatial inertia 𝓜.
type inertia struct {
	mass float64
	mc   r3.Vec // mass times the centre of mass, from the origin
	I    r3.Mat // rotational, about the origin
}

// times returns the momentum of a motion.
func (a *inertia) times(V spatial) spatial {
	return spatial{
		a.I.MulVec(V.w).Add(a.mc.Cross(V.v)),
		V.v.Scale(a.mass).Sub(a.mc.Cross(V.w)),
	}
}

// add adds the inertia b of a body whose origin is at r from a's.
func (a *inertia) add(b *inertia, r r3.Vec) {
	// (3): I + m (|r|² 1 − r rᵀ) + 2 (r·mc) 1 − r mcᵀ − mc rᵀ
	half := b.mc.AddScaled(0.5*b.mass, r)
	a.I = a.I.Add(b.I).Sub(r3.Outer(r, half)).Sub(r3.Outer(half, r))
	d := 2 * r.Dot(half)
	a.I[0] += d
	a.I[4] += d
	a.I[8] += d
	a.mc = a.mc.Add(b.mc).AddScaled(b.mass, r)
	a.mass += b.mass
}

// energy returns the kinetic energy of a motion, J.
func (a *inertia) energy(V spatial) float64 { return 0.5 * a.times(V).dot(V) }
