package profiles

import "math"

// Short edges of an outline: chamfers, jogs and ends of arcs much shorter than the edges of the mesh, which would
// make small and flat elements around them. Such an edge becomes one corner: where its neighbours meet if that
// is near, else its middle. The outline moves by less than the tolerance, and corners become no sharper than 60° by it,
// so that thin walls and tips keep their ends.

const (
	// shortLoss bounds the area that all edges that are dropped may add or take, over that of the profile.
	shortLoss = 1e-3
	// shortRounds is the number of times that a loop is searched, for edges up to twice as long each time.
	shortRounds = 4
	// leastCorner is the cosine of the sharpest corner that a dropped edge may leave.
	leastCorner = 0.5
)

// withoutShortEdges returns the profile without edges shorter than tol, m, where that neither makes sharp corners nor
// changes the area by more than shortLoss.
func (p *Profile) withoutShortEdges(tol float64) Profile {
	budget := shortLoss * p.Area()
	out := Profile{Outer: dropShortEdges(p.Outer, tol, &budget)}
	for _, h := range p.Holes {
		out.Holes = append(out.Holes, dropShortEdges(h, tol, &budget))
	}
	return out
}

// dropShortEdges is withoutShortEdges of a loop; budget is the change of area that is left, m².
func dropShortEdges(loop []vec2, tol float64, budget *float64) []vec2 {
	loop = append([]vec2(nil), loop...)
	// the shortest first
	for k := shortRounds - 1; k >= 0; k-- {
		limit := math.Ldexp(tol, -k)
		for i := 0; i < len(loop) && len(loop) > 3; {
			n := len(loop)
			j, a, d := (i+1)%n, loop[(i+n-1)%n], loop[(i+2)%n]
			b, c := loop[i], loop[j]
			if dist2(b, c) >= limit {
				i++
				continue
			}
			x := meetingPoint(a, b, c, d, tol)
			change := math.Abs(loopArea([]vec2{a, b, c, d}) - loopArea([]vec2{a, x, d}))
			u, w := unit2(sub2(a, x)), unit2(sub2(d, x))
			if change > *budget || !(u[0]*w[0]+u[1]*w[1] <= leastCorner) {
				i++
				continue
			}
			*budget -= change
			loop[i] = x
			loop = append(loop[:j], loop[j+1:]...)
			// once a round, so that no corner wanders along an arc
			i++
		}
	}
	return loop
}

// meetingPoint returns where the lines a–b and d–c meet beyond b and c, if that is within tol, m, of both, else the
// middle of b and c.
func meetingPoint(a, b, c, d vec2, tol float64) vec2 {
	u, w, e := sub2(b, a), sub2(c, d), sub2(c, b)
	if det := u[0]*w[1] - u[1]*w[0]; det != 0 {
		// b + s u = c + t w
		s := (e[0]*w[1] - e[1]*w[0]) / det
		t := (e[0]*u[1] - e[1]*u[0]) / det
		x := vec2{b[0] + s*u[0], b[1] + s*u[1]}
		if s >= 0 && t >= 0 && dist2(x, b) <= tol && dist2(x, c) <= tol {
			return x
		}
	}
	return vec2{(b[0] + c[0]) / 2, (b[1] + c[1]) / 2}
}
