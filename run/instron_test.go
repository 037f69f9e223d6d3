package run

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/curlfree/curlfree/record"
	"github.com/curlfree/curlfree/scene"
)

// The finger in a testing machine ends at every state, with the reaction of its base equal to the force of the bar, for
// all elements, with a bar at points and one with a pressure field.
func TestTheInstronFingerBalancesAtEveryState(t *testing.T) {
	all := os.Getenv("CURLFREE_LONG") != ""
	duration := "0.1"
	if all {
		duration = "1"
	}
	for _, elements := range []string{"hex12", "tet4", "tet10"} {
		for name, set := range map[string]string{"points": "title=points", "fields": "materials.steel.hydroelastic_modulus=1e7"} {
			if !all && (elements == "tet10" || name == "fields" && elements != "hex12") {
				continue
			}
			sc, err := scene.Load(filepath.Join("..", "examples", "instron", "scene.yaml"), []string{"deformables.finger.elements=" + elements, "time.duration=" + duration, set})
			if err != nil {
				t.Fatal(err)
			}
			out := filepath.Join(t.TempDir(), "out")
			if _, err := Run(context.Background(), sc, Options{Dir: out, Threads: 1}); err != nil {
				t.Errorf("%s, %s: %v", elements, name, err)
				continue
			}
			table, err := record.ReadColumns(out, record.SignalsFile, nil)
			if err != nil {
				t.Fatal(err)
			}
			force, held := table.Column("force_N"), table.Column("held_N")
			for k := range force[1:] {
				if f, r := force[k+1], held[k+1]; !(f > 0 && math.Abs(f+r) < 1e-6*f) {
					t.Errorf("%s, %s, state %d: the bar presses with %g N, the base carries %g N", elements, name, k+1, f, r)
				}
			}
			t.Logf("%s, %s: %g N after %s s", elements, name, force[len(force)-1], duration)
		}
	}
}
