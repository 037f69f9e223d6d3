package scene

// A body of density ρ and height L bears a pressure of ρ g L at its foot from its own
// weight, which strains it by
//
//	ε = ρ g L/E                                                           (1)
//
// Where that is beyond 1, it lies there as a puddle: mostly since the modulus was given
// in MPa. L is the body's largest extent, whichever way it stands. Likewise the density
// of air is mostly that of rubber in g/cm³.

import (
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
)

// leastDensity is what the lightest foams have, kg/m³.
const leastDensity = 5

// doubtWeights warns of deformables that their own weight flattens (1), and of those
// that are as light as air.
func (b *builder) doubtWeights() {
	g := r3.Vec(b.f.Gravity).Norm()
	for i, s := range b.softSpecs {
		spec, name := b.materialSpec(s.Material), b.softGeoms[i].Name
		density, young := value(spec.Density, defaultDensity), value(spec.YoungsModulus, defaultYoungs)
		if weight := density * g * longest(b.model.Deformables[i].Mesh()); weight > young {
			b.warn("deformable %s: youngs_modulus of %.3g Pa does not carry its own weight, which presses with %.2g Pa: it is given in Pa, such as 1e6 for soft rubber", name, young, weight)
		}
		if density < leastDensity {
			b.warn("deformable %s: density of %.3g kg/m³ is less than the lightest foam's: it is given in kg/m³, such as 1100 for rubber", name, density)
		}
	}
}

// longest returns the largest extent of a mesh, m.
func longest(m *meshes.Tet) float64 {
	d := m.Bounds().Size()
	return max(d[0], d[1], d[2])
}
