package gears

// Material is what a gear is made of.
type Material struct {
	Name string
	// E is Young's modulus, Pa; Nu Poisson's ratio.
	E, Nu float64
	// Density in kg/m³.
	Density float64
	// Friction is a coefficient of friction of flanks of this material on steel: of metals lubricated, of
	// plastics dry.
	Friction float64
	// Source of E, Nu and Density; coefficients of friction are typical ones, which lubrication and roughness change
	// by a factor of two.
	Source string
}

// Materials by name.
var (
	Steel = Material{"steel", 206e9, 0.3, 7830, 0.06, "ISO 6336-1:2019, steel"}
	Brass = Material{"brass", 97e9, 0.34, 8470, 0.1, "CuZn39Pb3 (CW614N): E and density of Kupferverband's data sheet"}
	POM   = Material{"POM", 2.7e9, 0.35, 1400, 0.2, "BASF Ultraform N2320 003, 23 °C: E and density; ν typical of the polymer"}
	PA66  = Material{"PA66", 3.1e9, 0.35, 1130, 0.35, "BASF Ultramid A3K, dry, 23 °C: E and density (at rest in air E falls to 1.1e9 Pa); ν typical of the polymer"}
	PLA   = Material{"PLA", 3.6e9, 0.36, 1240, 0.3, "NatureWorks Ingeo 2003D, moulded: E and density (printed parts: 2e9 to 3e9 Pa by direction and infill); ν typical of the polymer"}
)

// Materials returns all of them.
func Materials() []Material { return []Material{Steel, Brass, POM, PA66, PLA} }

// MaterialOf returns the material of that name, and whether there is one.
func MaterialOf(name string) (Material, bool) {
	for _, m := range Materials() {
		if m.Name == name {
			return m, true
		}
	}
	return Material{}, false
}
