package sim

import (
	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/kinds"
)

// contactModel is a contact law by its name, without static friction, on a normal law, with slip tolerances (m/s), if
// any: of what sticks and what slides.
func contactModel(law, normal string, tolerances ...float64) constraints.ContactModel {
	spec := must(constraints.ContactModels.New(law))
	for _, f := range kinds.Fields(spec) {
		switch {
		case f.Key == "static_friction":
			f.Value.SetBool(false)
		case f.Key == "stiction_tolerance" && len(tolerances) > 0:
			f.Value.SetFloat(tolerances[0])
		case f.Key == "sliding_tolerance" && len(tolerances) > 1:
			f.Value.SetFloat(tolerances[1])
		}
	}
	return must(spec.Make(must(must(constraints.NormalModels.New(normal)).Make())))
}
