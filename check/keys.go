package check

// Scene keys that messages name.
const (
	keyStiffness = "stiffness"
	keyModulus   = "hydroelastic_modulus"
	keyGradient  = "contact_layer"
	keyMargin    = "hydroelastic_margin"
)
