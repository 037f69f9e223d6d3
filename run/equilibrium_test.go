package run

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/record"
	"github.com/curlfree/curlfree/scene"
)

// runText runs a scene and returns the error of the run and its signals.csv.
func runText(t *testing.T, text string) (signals string, err error) {
	t.Helper()
	dir := t.TempDir()
	_, err = runIn(t, dir, text)
	b, _ := os.ReadFile(filepath.Join(dir, "out", "signals.csv"))
	return string(b), err
}

// runIn runs a scene into the folder out of dir.
func runIn(t *testing.T, dir, text string) (*record.Summary, error) {
	t.Helper()
	path := filepath.Join(dir, "scene.yaml")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	sc, err := scene.Load(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	return Run(context.Background(), sc, Options{Dir: filepath.Join(dir, "out"), Threads: 1})
}

// A bar that a force stretches in steps gives the straight line of Hooke's law: F = E A u/L in the
// mean, and the reaction of each force.
func TestEquilibriaMakeACurveOfForceOverDisplacement(t *testing.T) {
	const text = `time: {equilibrium: true, step: 0.25}
gravity: [0, 0, 0]
meshes: {bar: {box: {size: [0.1, 0.01, 0.01], cells: [10, 2, 2]}}}
materials: {rubber: {youngs_modulus: 1e6, poissons_ratio: 0, constitutive_law: linear}}
deformables: {bar: {mesh: bar, material: rubber, elements: hex12, attach: [{body: world, where: {x_max: -0.049}}]}}
loads: {pull: {force: [2, 0, 0], body: bar, where: {x_min: 0.0499}, factor: {times: [0, 1], values: [0, 1], smooth: false}}}
signals:
  x_m: {position: x, body: bar, point: [0.05, 0, 0], since: 0}
  force_N: {reaction: x, body: bar}
`
	signals, err := runText(t, text)
	if err != nil {
		t.Fatal(err)
	}
	rows := strings.Split(strings.TrimSpace(signals), "\n")
	if len(rows) != 6 {
		t.Fatalf("%d rows, want a head, the start and four states", len(rows))
	}
	for k, row := range rows[2:] {
		var v [3]float64
		for i, s := range strings.Split(row, ",") {
			var err error
			if v[i], err = strconv.ParseFloat(s, 64); err != nil {
				t.Fatal(err)
			}
		}
		F := 0.5 * float64(k+1)
		if want := F * 0.1 / (1e6 * 1e-4); math.Abs(v[1]-want) > 1e-9*want || math.Abs(v[2]+F) > 1e-9 {
			t.Errorf("state %d: %v, want %g m, %g N", k, v, want, -F)
		}
	}
}

// A run of bodies that nothing supports fails with their name.
func TestRunsOfUnsupportedBodiesFail(t *testing.T) {
	_, err := runText(t, `time: {equilibrium: true}
bodies: {stone: {shapes: [{sphere: {radius: 0.05}}]}}
`)
	if !errors.Is(err, ErrSolver) || !strings.Contains(err.Error(), "stone is not supported") {
		t.Errorf("got %v", err)
	}
}
