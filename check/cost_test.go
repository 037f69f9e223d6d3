package check_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/check"
	"github.com/curlfree/curlfree/fem"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/sim"
)

// bar is a cantilever of n × n × 10 n cells.
func bar(t *testing.T, n int) *sim.Model {
	t.Helper()
	tets, err := meshes.BoxTets([3]float64{1, 0.1, 0.1}, [3]int{10 * n, n, n})
	if err != nil {
		t.Fatal(err)
	}
	law, err := fem.NewCorotational(1e7, 0.3)
	if err != nil {
		t.Fatal(err)
	}
	b := sim.NewBuilder()
	b.AddDeformable("bar", sim.DeformableSpec{Mesh: tets, Law: law, Density: 1000})
	return b.MustBuild()
}

// Memory is that which a stepper takes, within a factor of two, and flops are those of nested dissection: they grow
// with the square of the vertices.
func TestCostsAreThoseOfTheFactorization(t *testing.T) {
	var before check.Cost
	for _, n := range []int{4, 6, 8} {
		m := bar(t, n)
		got := check.CostOf(m)
		var start, end runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&start)
		s, err := sim.NewStepper(m, sim.Options{Threads: 1})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Step(m.Start.Clone(), 0.01); err != nil {
			t.Fatal(err)
		}
		runtime.GC()
		runtime.ReadMemStats(&end)
		took := 1.5*(float64(end.HeapAlloc)-float64(start.HeapAlloc)) + 100e6 // what the collector leaves, and the program itself
		if got.Memory < took/2 || got.Memory > 2*took {
			t.Errorf("%d cells: %.3g MB, took %.3g", n, got.Memory/1e6, took/1e6)
		}
		if before.Unknowns > 0 {
			r := float64(got.Unknowns) / float64(before.Unknowns)
			if grew := got.Flops / before.Flops; grew < r || grew > r*r*r {
				t.Errorf("%d cells: %g times the flops for %g times the unknowns", n, grew, r)
			}
		}
		before = got
		runtime.KeepAlive(s)
	}
}

// Models of more than 60,000 unknowns say what they take.
func TestLargeModelsSayWhatTheyTake(t *testing.T) {
	if w := check.CostOf(bar(t, 4)).Warning(); w != "" {
		t.Error(w)
	}
	large := check.Cost{Unknowns: 60_001, Step: 1.5, Memory: 2e9}
	if w, want := large.Warning(), fmt.Sprintf("%d unknowns: about 1.5 s", large.Unknowns); !strings.HasPrefix(w, want) || !strings.Contains(w, "2 GB of memory") {
		t.Error(w)
	}
}
