package optimize

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/scene"
)

// armTask loads a task of kinova-push with lines of it replaced.
func armTask(t *testing.T, file string, replace ...string) *Task {
	t.Helper()
	dir, err := filepath.Abs("../examples/kinova-push")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, file+".yaml"))
	if err != nil {
		t.Fatal(err)
	}
	// the scene stays where it is
	s := strings.Replace(string(text), "scene: scene.yaml", fmt.Sprintf("scene: %q", filepath.Join(dir, "scene.yaml")), 1)
	s = strings.NewReplacer(replace...).Replace(s)
	path := filepath.Join(t.TempDir(), "task.yaml")
	if err := os.WriteFile(path, []byte(s), 0o600); err != nil {
		t.Fatal(err)
	}
	task, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	return task
}

// With the limits of the arm's motors no effort exceeds them, and the cost is at most 5 % above that without.
func TestLimitsOfTheMotorsAreKept(t *testing.T) {
	limits := []float64{39, 39, 39, 39, 9, 9, 9}
	for _, file := range []string{"side", "forward"} {
		free, err := armTask(t, file).Solve(1, nil)
		if err != nil {
			t.Fatal(err)
		}
		s, err := armTask(t, file, "start: hold\n", "start: hold\nlimits: [39, 39, 39, 39, 9, 9, 9]\n").Solve(1, nil)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: cost %g with limits, %g without", file, s.Cost, free.Cost)
		for k, u := range s.U {
			for i := range u {
				if math.Abs(u[i]) > limits[i] {
					t.Errorf("%s: effort %d of step %d is %g N m, the limit %g", file, i, k, u[i], limits[i])
				}
			}
		}
		if s.Cost > 1.05*free.Cost {
			t.Errorf("%s: cost %g with limits, %g without", file, s.Cost, free.Cost)
		}
	}
}

// With friction and mass of the ball 5 % off, the feedback law keeps the ball near where the plan has it.
func TestPolicyKeepsTheBallOnItsPlan(t *testing.T) {
	for _, file := range []string{"side", "forward"} {
		task := armTask(t, file)
		s, err := task.Solve(1, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, off := range []float64{0.95, 1.05} {
			set := []string{fmt.Sprint("bodies.ball.mass=", 0.258*off), fmt.Sprint("pairs.0.friction=", 0.21*off), fmt.Sprint("pairs.1.friction=", 0.347*off)}
			other, err := scene.Load("../examples/kinova-push/scene.yaml", set)
			if err != nil {
				t.Fatal(err)
			}
			y, err := newSystem(other.Model, task.h, task.File.Drives)
			if err != nil {
				t.Fatal(err)
			}
			x := make([]float64, len(task.cost.Target))
			task.Scene.Model.PutState(&other.Model.Start, x)
			guess, err := task.guess(y, 0, x, s.Result)
			if err != nil {
				t.Fatal(err)
			}
			// the run with these efforts is the one that the policy made
			next := make([]float64, len(x))
			worst, ball := 0.0, other.Model.Rigid.QStart(other.Model.Body("ball"))+4
			for k, u := range guess {
				if err := y.Step(k, x, u, next); err != nil {
					t.Fatal(err)
				}
				copy(x, next)
				d := 0.0
				for i := range 3 {
					d = math.Hypot(d, x[ball+i]-s.X[k+1][ball+i])
				}
				worst = max(worst, d)
			}
			y.s.Close()
			t.Logf("%s, %g times friction and mass: ball at most %.1f mm from the plan", file, off, 1e3*worst)
			if worst > 0.015 {
				t.Errorf("%s, %g times friction and mass: ball %.1f mm from the plan", file, off, 1e3*worst)
			}
		}
	}
}
