package scene

// wideSkirt is the margin of pressure fields over a shape's least extent from where it
// is doubted.
const wideSkirt = 0.2

// doubtMargin warns of a margin that is large beside a body.
func (b *builder) doubtMargin() {
	m := b.f.Solver.HydroelasticMargin
	if m == nil {
		return
	}
	for i := range b.geoms {
		g := &b.model.Geometry.Geoms[i]
		if size := leastExtent(g); g.Field != nil && *m > wideSkirt*size {
			b.warn("solver.hydroelastic_margin of %.3g m is %.0f %% of the least extent of %s: fields that reach so far beyond their shapes cost time, and meet what is far from contact; %.2g m would do",
				*m, 100**m/size, g.Name, skirtShare*size)
			return
		}
	}
}
