package gradient_test

import (
	"slices"
	"testing"

	"github.com/curlfree/curlfree/sim"
	"github.com/curlfree/curlfree/timestep"
)

// sceneOf makes a model of random parts, by a seed, as a function of a number.
type sceneOf func(seed uint64, theta float64) (m *sim.Model, name string, signals int)

// underMidpoint are the same scenes under the midpoint rule.
func underMidpoint(build sceneOf) sceneOf {
	return func(seed uint64, theta float64) (m *sim.Model, name string, signals int) {
		m, name, signals = build(seed, theta)
		m.Rule = timestep.Rule{Midpoint: true, Damping: timestep.DefaultDamping}
		return m, name, signals
	}
}

// The same scenes under the midpoint rule.
func TestMidpointGradientsOfRandomScenes(t *testing.T) {
	compareScenes(t, underMidpoint(scene), slices.Collect(seq(40)), 1000)
}

func TestMidpointGradientsOfVariedScenes(t *testing.T) {
	compareScenes(t, underMidpoint(variedScene), slices.Collect(seq(36)), 600)
}
