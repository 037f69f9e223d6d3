package check

import (
	"fmt"
	"math"

	"github.com/curlfree/curlfree/internal/memory"
	"github.com/curlfree/curlfree/sim"
)

// The factor of nested dissection of a bulky body of n nodes has some 19 n^(4/3) blocks of 9 numbers, that of thin ones
// fewer; twice as many are a bound that needs no plan:
//
//	m ≤ 250 MB + 20 kB a rigid body + Σ 1.5 · 2 (9 · 8 · 40 n^(4/3) + 10,000 n)                        (3)

// mostMemory returns (3), bytes.
func mostMemory(m *sim.Model) float64 {
	most := 250e6 + 20e3*float64(m.Rigid.NumLinks())
	for _, d := range m.Deformables {
		n := float64(d.NumVerts())
		most += 1.5 * 2 * (9*8*40*math.Pow(n, 4.0/3) + 10e3*n)
	}
	return most
}

// EnoughMemory returns an error where the process may not take as much memory as a run of the model needs, with both
// numbers and what to change: before the work, since the system ends a process that runs out of memory without a word.
// It plans factorizations only where memory may be short.
func EnoughMemory(m *sim.Model) error {
	used := memory.Used()
	if memory.Need(mostMemory(m)-used) == nil {
		return nil
	}
	c := CostOf(m)
	if err := memory.Need(c.Memory - used); err != nil {
		return fmt.Errorf("%d unknowns: %w: give fewer vertices or a larger size, or raise the limit", c.Unknowns, err)
	}
	return nil
}
