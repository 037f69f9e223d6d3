package check

// A body of density ρ and height L has a pressure of ρ g L at its foot from its own
// weight, which strains it by
//
//	ε = ρ g L/E                                                           (1)
//
// Beyond 1 the body is flattened. The usual cause is a Young's modulus E given in MPa.
// L is the body's largest extent, in whatever orientation it stands. Likewise the usual
// cause of a density below that of foam is one given in g/cm³.

// leastDensity is the density of the lightest foams, kg/m³.
const leastDensity = 5

// weights warns of deformables that their own weight flattens (1), and of those
// that are as light as air.
func (c *checker) weights() {
	g, n := c.Model.Gravity.Norm(), c.Model.Rigid.NumLinks()
	for i, m := range c.Model.Deformables {
		where := []string{c.path(n + i)}
		// (1): compare the pressure of the weight with the modulus.
		density, young := m.Spec().Density, c.young(i)
		if weight := density * g * largestOf(m.Mesh()); exceeds(weight, young) {
			c.warn(Weight, where, "give it in Pa, such as 1e6 for soft rubber",
				"youngs_modulus of %.3g Pa does not carry its own weight, which presses with %.2g Pa", young, weight)
		}
		if density < leastDensity {
			c.warn(Weight, where, "give it in kg/m³, such as 1100 for rubber",
				"density of %.3g kg/m³ is less than that of the lightest foam", density)
		}
	}
}

// young returns Young's modulus of deformable i at rest, Pa.
func (c *checker) young(i int) float64 {
	mu, lambda := c.Model.Deformables[i].Spec().Law.Lame()
	return mu * (3*lambda + 2*mu) / (lambda + mu)
}
