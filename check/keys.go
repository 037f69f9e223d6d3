package check

// Scene keys that messages name.
const (
	keyStiffness = "stiffness"
	keyModulus   = "hydroelastic_modulus"
	keyGradient  = "pressure_gradient"
	keyMargin    = "hydroelastic_margin"
	keyHint      = "resolution_hint"
	keyBeta      = "beta"
	keyRange     = "barrier_range"
)
