package motion

import "github.com/curlfree/curlfree/kinds"

var _ = Motions.Register(kinds.Kind[Motion]{
	Name:    "value",
	Doc:     "A constant; a bare number means the same.",
	New:     func() Motion { return new(Value) },
	Samples: func() []Motion { return []Motion{&Value{Number: 0.5}} },
})

// Value is a Constant as scenes write it: {value: 0.5}, or 0.5 alone.
type Value struct {
	// Number is the value at all times.
	Number float64 `key:"value" doc:"value at all times"`
}

var _ Motion = (*Value)(nil)

// SetNumber sets the value from a bare number of a scene file.
func (v *Value) SetNumber(x float64) { v.Number = x }

// ConstantValue returns the value of a motion that never changes, and whether m is
// one.
func ConstantValue(m Motion) (x float64, ok bool) {
	switch m := m.(type) {
	case Constant:
		return float64(m), true
	case *Value:
		return m.Number, true
	}
	return 0, false
}

// At implements Motion.
func (v *Value) At(float64) (x, dx float64) { return v.Number, 0 }
