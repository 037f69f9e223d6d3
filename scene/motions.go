package scene

import (
	"github.com/curlfree/curlfree/motion"
)

// motion returns the function of time that m describes; nil for nil.
func (b *builder) motion(m *Motion) motion.Motion {
	if m == nil {
		return nil
	}
	kinds := 0
	for _, given := range []bool{m.Value != 0, m.Times != nil || m.Values != nil, m.Sine != nil} {
		if given {
			kinds++
		}
	}
	if kinds > 1 {
		b.fail(m.Pos, "a motion is one of value, times with values, and sine")
		return nil
	}
	switch {
	case m.Times != nil || m.Values != nil:
		p, err := motion.NewPiecewise(m.Times, m.Values, m.Smooth == nil || *m.Smooth)
		if err != nil {
			b.fail(m.Pos, "%v", err)
			return nil
		}
		return p
	case m.Sine != nil:
		s := m.Sine
		f := motion.Sine{Amplitude: s.Amplitude, Frequency: s.Frequency, Phase: s.Phase, Offset: s.Offset, Start: s.Start, Ramp: s.Ramp}
		if err := f.Check(); err != nil {
			b.fail(m.Pos, "%v", err)
			return nil
		}
		return f
	}
	return motion.Constant(m.Value)
}
