package constraints

// The mean force of a barrier over a step (normal_mean.go). Gaps between φ0 and φ⁺ are divided where the barrier
// continues as a spring and where it ends, and the mean of each part is one of terms of one sign. With f̄ over Δ = φ⁺ −
// φ0
//
//	f̄' = (f(φ⁺) − f̄)/Δ = ∫_0^1 s f'(φ0 + s Δ) ds                        (1)
//	P  = −∫_φ⁺^d̂ f̄ dφ,   U(φ0) ln((φ⁺ − φ0)/(d̂ − φ0))  for φ⁺ > d̂ > φ0   (2)
//
// Where Δ is so small that the difference in (1) has few digits, the integral is taken by Gauss' rule. The integral (2)
// of the barrier is one of a dilogarithm: it is taken by Gauss' rule over ln φ, in which f̄ is smooth, to round-off.
// That of the spring is, with g = φ0 − φ_m > 0, its length Y, the mean f̄_g from φ_m to φ0, and s(q) = ½ − 1/q + ln(1 +
// q)/q² of normal_huntcrossley.go,
//
//	∫ f̄ dφ = g f̄_g ln(1 + q) + f_m Y (1 − ln(1 + q)/q) + ½ U''_m Y² s(q),   q = Y/g            (3)

import "math"

// smallWay is |Δ| over the gap below which (1) is an integral.
const smallWay = 0.01

// mean returns the mean of f from φ = lo to hi, N.
func (b *barrier) mean(lo, hi float64) float64 {
	if lo == hi {
		_, f, _ := b.at(lo)
		return f
	}
	sum, a, way := 0.0, lo, hi-lo
	if a < b.least {
		e := math.Min(hi, b.least)
		_, fa, _ := b.at(a)
		_, fe, _ := b.at(e)
		sum += (e - a) / way * (0.5*fa + 0.5*fe)
		a = e
	}
	if e := math.Min(hi, b.dHat); a < e {
		sum += (e - a) / way * b.U.mean(b.kappa, b.dHat, a, e)
	}
	return sum
}

// secant returns f̄ and its slope by φ⁺ = end.
func (b *barrier) secant(end float64) (f, df float64) {
	lo, hi := math.Min(b.phi, end), math.Max(b.phi, end)
	if lo >= b.dHat {
		return 0, 0
	}
	f = b.mean(lo, hi)
	if hi-lo > smallWay*math.Max(lo, b.least) || hi > b.dHat {
		_, fe, _ := b.at(end)
		return f, math.Min(0, (fe-f)/(end-b.phi)) // (1)
	}
	for i, s := range gauss3.x {
		s = 0.5 * (1 + s)
		_, _, ddU := b.at(b.phi + s*(end-b.phi))
		df -= 0.5 * gauss3.w[i] * s * ddU
	}
	return f, df
}

// Secant implements SecantLaw.
func (b *barrier) Secant(vn float64) (P, p, dp float64) {
	end := b.phi + b.h*vn
	f, df := b.secant(end)
	return -b.secantEnergy(end), b.h * f, b.h * b.h * df
}

// secantEnergy returns −P (2) of φ⁺ = end, J.
func (b *barrier) secantEnergy(end float64) (energy float64) {
	if end >= b.dHat {
		U, _, _ := b.at(b.phi)
		if U == 0 {
			return 0
		}
		return -U * math.Log1p((end-b.dHat)/(b.dHat-b.phi))
	}
	if Y, g := b.least-end, b.phi-b.least; Y > 0 && g > 0 { // (3)
		q := math.Min(Y/g, math.MaxFloat64)
		energy = g*b.mean(b.least, b.phi)*math.Log1p(q) + Y*(b.fm*(lessLog(q)/q)+0.5*b.ddUm*Y*closingShare(q))
	} else if Y > 0 { // f̄ is linear
		ends := b.mean(math.Min(b.phi, end), math.Max(b.phi, end)) + b.mean(b.phi, b.least)
		energy = 0.5 * Y * ends
	}
	for from, to := math.Max(end, b.least), b.dHat; from < to; {
		lo, hi := from, to
		switch { // f̄ is smooth but near a φ0 beyond either end
		case b.phi > b.dHat:
			lo = math.Max(from, to*math.Pow(to/math.Max(b.phi, to*(1+nearest)), partOfDistance))
		case b.phi < b.least && b.phi > 0:
			hi = math.Min(to, from*math.Pow(math.Max(from/b.phi, 1+nearest), partOfDistance))
		}
		energy += b.smoothEnergy(lo, hi)
		if lo > from {
			to = lo
		} else {
			from = hi
		}
	}
	return energy
}

// Parts of the integral (2) are partOfDistance times as long over ln φ as φ0 is away, or nearest, which leaves 10⁻¹² of
// f̄.
const (
	partOfDistance = 4
	nearest        = 1e-4
)

// smoothEnergy returns the integral of f̄ over gaps φ⁺ of the barrier, J.
func (b *barrier) smoothEnergy(from, to float64) (energy float64) {
	half := 0.5 * math.Log1p((to-from)/from)
	for i, s := range gauss20.x {
		phi := from * math.Exp(half*(1+s))
		energy += half * gauss20.w[i] * phi * b.mean(math.Min(b.phi, phi), math.Max(b.phi, phi))
	}
	return energy
}

// SteepestAtStart implements SecantLaw: that of the start, and not less than κ.
func (b *barrier) SteepestAtStart() float64 {
	_, _, ddU := b.at(b.phi)
	return math.Max(b.fullStiffness, ddU)
}
