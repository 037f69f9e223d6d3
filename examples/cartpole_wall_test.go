package examples

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/optimize"
)

// The motor is too weak to catch the pole: with walls a plan brings cart and pole to rest, upright in the middle;
// without them none of the same starts does.
func TestAWallHelpsToBalanceAPole(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	with := balance(t, "cartpole-wall/balance.yaml")
	x := with.X[len(with.X)-1] // positions of cart and pole, then their velocities
	if with.Cost > 1 || math.Abs(x[0]) > 0.01 || math.Abs(x[1]) > 0.01 || math.Abs(x[2]) > 0.1 || math.Abs(x[3]) > 0.1 {
		t.Errorf("with walls the cost is %g, the end state %v", with.Cost, x)
	}
	for k, u := range with.U {
		if math.Abs(u[0]) > 3 {
			t.Errorf("the motor pushes with %g N in step %d", u[0], k)
		}
	}
	// the same scene with the walls far away
	dir := t.TempDir()
	for _, name := range []string{"scene.yaml", "balance.yaml"} {
		text, err := os.ReadFile(filepath.Join("cartpole-wall", name))
		if err != nil {
			t.Fatal(err)
		}
		far := strings.NewReplacer("[-0.35,", "[-9,", "[0.35,", "[9,", "number: 8", "number: 2").Replace(string(text))
		if err := os.WriteFile(filepath.Join(dir, name), []byte(far), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	without := balance(t, filepath.Join(dir, "balance.yaml"))
	t.Logf("cost %.4g with walls, %.4g without", with.Cost, without.Cost)
	if without.Cost < 20*with.Cost {
		t.Errorf("the cost is %g with walls, %g without", with.Cost, without.Cost)
	}
}

// balance solves a task.
func balance(t *testing.T, file string) *optimize.Solution {
	t.Helper()
	task, err := optimize.Load(file)
	if err != nil {
		t.Fatal(err)
	}
	s, err := task.Solve(2, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}
