package geometry

// Cuts and measures of polygon differentiated backward (reverse mode): bars are derivatives of a number by what stands
// below them. A crossing between the ends a and b of a side, of the distances φ_a and φ_b to the level L, has
//
//	t = (φ_a − L)/(φ_a − φ_b),   w = w_a + t (w_b − w_a)                                        (1)
//	∂t/∂φ_a = (L − φ_b)/(φ_a − φ_b)²,   ∂t/∂φ_b = (φ_a − L)/(φ_a − φ_b)²,   ∂t/∂L = 1/(φ_b − φ_a)
//
// and the area S = Σ s_i, and means Q = Σ s_i q_i/S, are sums over the fan of the polygon:
//
//	s̄_i = S̄ + Σ_Q Q̄·(q_i − Q)/S,   q̄_i = s_i Q̄/S                                              (2)
//
// Where a level passes a corner, crossings come and go with triangles without area, so that (2) is continuous there.
// Source: Griewank and Walther, "Evaluating Derivatives", 2008, section 3.2.

// polygonBar are the bars of the vertices of a polygon.
type polygonBar [7]polygonVertex

// keepAdjoint adds to p̄ what the bars q̄ of q = p.keep(level, side) give, and returns that of the level.
func (p *polygon) keepAdjoint(level, side float64, qBar, pBar *polygonBar) (levelBar float64) {
	n := 0
	for i := range p.n {
		j := (i + 1) % p.n
		a, b := &p.v[i], &p.v[j]
		da, db := side*(a.phi-level), side*(b.phi-level)
		tBar, crosses := pBar.crossAdjoint(p, i, j, da, db, qBar, &n)
		if crosses {
			apart := 1 / (a.phi - b.phi)
			pBar[i].phi += tBar * (level - b.phi) * apart * apart
			pBar[j].phi += tBar * (a.phi - level) * apart * apart
			levelBar += qBar[n-1].phi - tBar*apart
		}
	}
	return levelBar
}

// keepWhereAdjoint is keepAdjoint of q = p.keepWhere(f), and adds to f̄.
func (p *polygon) keepWhereAdjoint(f [3]float64, qBar, pBar *polygonBar, fBar *[3]float64) {
	value := func(v *polygonVertex) float64 { return f[0]*v.w[0] + f[1]*v.w[1] + f[2]*v.w[2] }
	n := 0
	for i := range p.n {
		j := (i + 1) % p.n
		a, b := &p.v[i], &p.v[j]
		da, db := value(a), value(b)
		tBar, crosses := pBar.crossAdjoint(p, i, j, da, db, qBar, &n)
		if !crosses {
			continue
		}
		// (1) with the level 0
		apart := 1 / (da - db)
		daBar, dbBar := -tBar*db*apart*apart, tBar*da*apart*apart
		for k := range f {
			fBar[k] += daBar*a.w[k] + dbBar*b.w[k]
			pBar[i].w[k] += daBar * f[k]
			pBar[j].w[k] += dbBar * f[k]
		}
	}
}

// crossAdjoint takes back what polygon.cross did for the side from i to j: it passes on the bars of the vertices from n
// on, moves n behind them, and returns t̄ where the side has a crossing.
func (pBar *polygonBar) crossAdjoint(p *polygon, i, j int, da, db float64, qBar *polygonBar, n *int) (tBar float64, crosses bool) {
	if da <= 0 && *n < len(qBar) {
		for k := range qBar[*n].w {
			pBar[i].w[k] += qBar[*n].w[k]
		}
		pBar[i].phi += qBar[*n].phi
		*n++
	}
	if !(da < 0 && db > 0 || da > 0 && db < 0) || *n == len(qBar) {
		return 0, false
	}
	t := da / (da - db)
	for k, w := range qBar[*n].w {
		tBar += w * (p.v[j].w[k] - p.v[i].w[k])
		pBar[i].w[k] += (1 - t) * w
		pBar[j].w[k] += t * w
	}
	*n++
	return tBar, true
}

// polygonMeasures are what polygon measures, or the bars of them.
type polygonMeasures struct {
	area     float64
	centroid [3]float64
	mean     float64 // distance, m
	products products
}

// measuresAdjoint adds to p̄ what the bars of its measures give: (2).
func (p *polygon) measuresAdjoint(bar *polygonMeasures, pBar *polygonBar) {
	centroid, mean, prod := p.centroid(), p.mean(), p.products()
	sum := 0.0
	for i := 1; i+1 < p.n; i++ {
		sum += p.fan(i)
	}
	sign := 1.0
	if sum < 0 {
		sign = -1
	}
	for i := 1; i+1 < p.n; i++ {
		of := [3]int{0, i, i + 1}
		u, v, w := &p.v[0], &p.v[i], &p.v[i+1]
		share := p.fan(i) / sum
		// s̄ and q̄ of the triangle
		sBar := bar.mean * ((u.phi+v.phi+w.phi)/3 - mean)
		for k := range centroid {
			sBar += bar.centroid[k] * ((u.w[k]+v.w[k]+w.w[k])/3 - centroid[k])
		}
		for _, at := range of {
			pBar[at].phi += share * bar.mean / 3
			for k, c := range bar.centroid {
				pBar[at].w[k] += share * c / 3
			}
		}
		for b, x := range bar.products {
			if x == 0 {
				continue
			}
			j, k := (b+1)%3, (b+2)%3
			sBar += x * (meanProduct(&u.w, &v.w, &w.w, j, k) - prod[b])
			// the mean of w_j w_k over a triangle is that over the middles of its sides
			sj, sk := u.w[j]+v.w[j]+w.w[j], u.w[k]+v.w[k]+w.w[k]
			for _, at := range of {
				pBar[at].w[j] += share * x * (p.v[at].w[k] + sk) / 12
				pBar[at].w[k] += share * x * (p.v[at].w[j] + sj) / 12
			}
		}
		p.fanAdjoint(i, sign*bar.area+sBar/sum, pBar)
	}
}

// fanAdjoint adds what the bar of fan(i) gives.
func (p *polygon) fanAdjoint(i int, bar float64, pBar *polygonBar) {
	a, b, c := &p.v[0].w, &p.v[i].w, &p.v[i+1].w
	b1, b2 := bar*(c[2]-a[2]), -bar*(c[1]-a[1])
	c1, c2 := -bar*(b[2]-a[2]), bar*(b[1]-a[1])
	pBar[i].w[1] += b1
	pBar[i].w[2] += b2
	pBar[i+1].w[1] += c1
	pBar[i+1].w[2] += c2
	pBar[0].w[1] -= b1 + c1
	pBar[0].w[2] -= b2 + c2
}
