package sim

import "github.com/curlfree/curlfree/kinds"

// ContactCount is the number of contacts of the step: points and faces, with or without
// force.
type ContactCount struct{}

// Value implements Signal.
func (ContactCount) Value(s *Stepper, x *State) float64 { return float64(len(s.contactsOf(x))) }

// Penetration is the deepest overlap at the start of the step.
type Penetration struct{}

// Value implements Signal, m.
func (Penetration) Value(s *Stepper, x *State) float64 {
	if !s.took(x) {
		return 0
	}
	return s.Report.Penetration
}

var _ = Signals.Register(kinds.Kind[SignalSpec]{
	Name: "count", Doc: "Number of contacts of the step.",
	New:     func() SignalSpec { return &CountSpec{Of: "contacts"} },
	Samples: func() []SignalSpec { return []SignalSpec{&CountSpec{Of: "contacts"}} },
})

// CountSpec are the parameters of a ContactCount.
type CountSpec struct {
	// Of is "contacts".
	Of string `key:"count,required" doc:"counted items" choice:"contacts"`
	ofStep
}

// Unit implements SignalSpec.
func (*CountSpec) Unit() string { return "1" }

// Make implements SignalSpec.
func (*CountSpec) Make(*Resolver) (Signal, error) { return ContactCount{}, nil }

var _ = Signals.Register(kinds.Kind[SignalSpec]{
	Name: "penetration", Doc: "Deepest overlap of two bodies at the start of the step.",
	New:     func() SignalSpec { return &PenetrationSpec{Of: "max"} },
	Samples: func() []SignalSpec { return []SignalSpec{&PenetrationSpec{Of: "max"}} },
})

// PenetrationSpec are the parameters of a Penetration.
type PenetrationSpec struct {
	// Of is "max", the largest of all.
	Of string `key:"penetration,required" doc:"largest of all" choice:"max"`
	ofStep
}

// Unit implements SignalSpec.
func (*PenetrationSpec) Unit() string { return "m" }

// Make implements SignalSpec.
func (*PenetrationSpec) Make(*Resolver) (Signal, error) { return Penetration{}, nil }

// whyUnsmooth implements unsmooth.
func (ContactCount) whyUnsmooth(*Model) string { return "a count: take a contact_force" }

// whyUnsmooth implements unsmooth.
func (Penetration) whyUnsmooth(*Model) string {
	return "the largest of several overlaps, which jumps from one contact to the next: take a contact_force"
}
