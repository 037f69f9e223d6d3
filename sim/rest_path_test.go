package sim

import (
	"math"
	"os"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/fem"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/motion"
	"github.com/curlfree/curlfree/r3"
)

// dome adds a shallow dome of 60 mm and 1 mm thick on a square plan, 7 mm high, of rubber, on hinges at its edges, and returns the vertex in
// the middle of its upper face.
func dome(w *scaffold, elements fem.Elements, cells int) (top int) {
	const side, rise = 0.06, 0.007
	mesh := must(meshes.BoxTets(r3.Vec{side, side, 0.001}, [3]int{cells, cells, 1}))
	for i := range mesh.Verts {
		p := &mesh.Verts[i]
		p[2] += rise * math.Cos(math.Pi*p[0]/side) * math.Cos(math.Pi*p[1]/side)
	}
	mesh = meshOf(mesh, elements)
	var held []int32
	high := 0.0
	for v, p := range mesh.Verts {
		if math.Max(math.Abs(p[0]), math.Abs(p[1])) > 0.4999*side && p[2] < -0.000499 {
			held = append(held, int32(v))
		}
		if math.Hypot(p[0], p[1]) < 1e-9 && p[2] > high {
			high, top = p[2], v
		}
	}
	w.AddDeformable("dome", DeformableSpec{Mesh: mesh, Law: must(fem.NewCorotational(1e6, 0.3)), Elements: elements, StiffnessDamping: 0.002, MassDamping: 20, Attach: []AttachSpec{{Verts: held}}})
	return top
}

// A dome snaps through under a force at its middle, stays inverted without it, and snaps back under one the other way: at the loads at which
// a slow damped run leaves the branch.
func TestADomeSnapsThroughBothWays(t *testing.T) {
	for _, elements := range []fem.Elements{fem.Hex12, fem.Tet10} {
		if elements == fem.Tet10 && os.Getenv("CURLFREE_LONG") == "" {
			continue
		}
		w := newScaffold(t)
		w.Gravity = r3.Vec{}
		top := dome(w, elements, 8)
		factor := &motion.Piecewise{Times: []float64{0, 1, 2, 3, 4}, Values: []float64{0, -1, 0, 1, 0}}
		w.AddLoad("push", &ForceSpec{Force: r3.Vec{0, 0, 0.16}, Body: "dome", Axes: "world", Factor: factor, Where: Region{XMin: ptr(-0.006), XMax: ptr(0.006), YMin: ptr(-0.006), YMax: ptr(0.006)}})
		s, x := w.build()
		var snaps []RestSnap
		var half []float64 // heights in the middle of snaps
		height := func() float64 { return x.Q[3*top+2] }
		start := height()
		for k := range 40 {
			before := height()
			if err := s.Equilibrium(x, 0.1); err != nil {
				t.Fatalf("%s: %v", elements, err)
			}
			if snap := s.Report.Snap; snap.Moved > 0 {
				snaps, half = append(snaps, snap), append(half, (before+height())/2)
				t.Logf("%s: %+v", elements, snap)
				if !strings.Contains(snap.Where, "dome") {
					t.Errorf("%s: %q snapped", elements, snap.Where)
				}
			}
			switch {
			case k == 19 && height() > -0.2*start:
				t.Errorf("%s: without a load the middle is at %g m, not inverted", elements, height())
			case k == 39 && math.Abs(height()-start) > 1e-8:
				t.Errorf("%s: without a load the middle is at %g m again, not at %g", elements, height(), start)
			}
		}
		if len(snaps) < 2 {
			t.Fatalf("%s: %d losses of stability", elements, len(snaps))
		}
		first, last := 0, len(snaps)-1
		if !(snaps[first].Time < 1 && snaps[last].Time > 2) {
			t.Errorf("%s: it snaps at %g and %g s, not under load both ways", elements, snaps[first].Time, snaps[last].Time)
		}
		other, y := begin(t, s.Model)
		const h = 1e-3
		seek := func(passed func(z float64) bool, until float64) float64 {
			for y.Time < until {
				if err := other.Step(y, h); err != nil {
					t.Fatal(err)
				}
				if passed(y.Q[3*top+2]) {
					return y.Time
				}
			}
			return math.Inf(1)
		}
		// a run in time is late by what the damped snap takes
		at := seek(func(z float64) bool { return z < half[first] }, 1)
		t.Logf("%s: the damped run passes at %g s", elements, at)
		if !(at > snaps[first].Time-snaps[first].Within && at < snaps[first].Time+0.02) {
			t.Errorf("%s: the state is lost at %g s, the damped run leaves it at %g s", elements, snaps[first].Time, at)
		}
		if os.Getenv("CURLFREE_LONG") != "" {
			at = seek(func(z float64) bool { return y.Time > 2 && z > half[last] }, 4)
			t.Logf("%s: the damped run passes back at %g s", elements, at)
			if !(at > snaps[last].Time-snaps[last].Within && at < snaps[last].Time+0.02) {
				t.Errorf("%s: the state is lost at %g s, the damped run leaves it at %g s", elements, snaps[last].Time, at)
			}
		}
	}
}

// begin returns a stepper of the model at its start.
func begin(t testing.TB, m *Model) (*Stepper, *State) { return start(t, m, 1) }
