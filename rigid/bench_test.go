package rigid

import "testing"

// BenchmarkFreeMotion is the part of a step that trees take before the solve: poses,
// then A and p.
func BenchmarkFreeMotion(b *testing.B) {
	for _, c := range []struct {
		name string
		make func(testing.TB) *world
	}{
		{"jumper", jumper},
		{"pendulum", func(t testing.TB) *world { return pendulum(t, 1, 1, 0.1, 0) }},
		{"chain", floatingChain},
	} {
		b.Run(c.name, func(b *testing.B) {
			w := c.make(b)
			w.gain(b, 1e-3, nil)
			b.ReportAllocs()
			for b.Loop() {
				w.Place(0, 1e-3, w.q, w.v)
				w.p.Reset(0, 1e-3)
				w.FreeMotion(gravity, nil, &w.p)
			}
		})
	}
}
