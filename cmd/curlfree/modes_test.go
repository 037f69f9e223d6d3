package main

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const modesScene = `
time: {step: 0.01, duration: 0.1}
materials: {rubber: {youngs_modulus: 2e6, poissons_ratio: 0, density: 1000}}
meshes: {bar: {box: {size: [0.2, 0.01, 0.01], cells: [20, 1, 1]}}}
deformables: {bar: {mesh: bar, material: rubber, elements: hex12, attach: [{body: world, where: {x_max: -0.0999}}]}}
`

// The first frequency of a clamped bar is that of a slender beam, 0.5596 √(EI/ρA)/L², within 1 %;
// pictures and matrices are written where they are asked for.
func TestModesOfAScene(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "scene.yaml")
	if err := os.WriteFile(path, []byte(modesScene), 0o644); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(dir, "out")
	code, stdout, stderr := command(t, "modes", path, "-n", "2", "--pictures", "--matrices", "-o", out, "--json")
	if code != 0 {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	var r modesResult
	if err := json.Unmarshal([]byte(stdout), &r); err != nil {
		t.Fatal(err)
	}
	want := 0.5596 * math.Sqrt(2e6*0.01*0.01/12/1000) / (0.2 * 0.2)
	for _, m := range r.Modes {
		if math.Abs(m.Frequency/want-1) > 0.01 {
			t.Errorf("%g Hz, want %g", m.Frequency, want)
		}
	}
	if len(r.Modes) != 2 || len(r.Files) != 4 {
		t.Errorf("%d modes, files %v", len(r.Modes), r.Files)
	}
	for _, f := range r.Files {
		if b, err := os.ReadFile(f); err != nil || len(b) == 0 {
			t.Errorf("%s: %d bytes, %v", f, len(b), err)
		}
	}
	mtx, _ := os.ReadFile(filepath.Join(out, "mass.mtx"))
	if !strings.HasPrefix(string(mtx), "%%MatrixMarket matrix coordinate real symmetric\n") || !strings.Contains(string(mtx), "\n240 240 ") {
		t.Errorf("mass.mtx begins with %.120q", mtx)
	}
	// what is refused says why
	for _, c := range []struct{ args, want string }{
		{"--body car", "has no deformable of this name: did you mean \"bar\"?"}, {"-n 0", "at least one mode"}, {"-n 9999", "ask for 1 to 240"},
	} {
		code, _, stderr := command(t, append([]string{"modes", path}, strings.Fields(c.args)...)...)
		if code == 0 || !strings.Contains(stderr, c.want) {
			t.Errorf("%s: exit code %d: %s", c.args, code, stderr)
		}
	}
}
