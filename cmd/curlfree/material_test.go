package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// pullTest is a table of a test of Ogden's law of one term, for the kinds uniaxial and equibiaxial.
func pullTest(mu, alpha, most float64, equibiaxial bool) string {
	var b strings.Builder
	b.WriteString("strain (%),stress (kPa)\n")
	for i := 1; i <= 60; i++ {
		s := 1 + (most-1)*float64(i)/60
		free := -alpha / 2
		if equibiaxial {
			free = -2 * alpha
		}
		fmt.Fprintf(&b, "%.9g,%.9g\n", 100*(s-1), 1e-3*mu*(math.Pow(s, alpha)-math.Pow(s, free))/s)
	}
	return b.String()
}

// A law is found from its own curves; what is written is the section of a scene that runs with it.
func TestMaterialFit(t *testing.T) {
	dir := t.TempDir()
	pull, blow := filepath.Join(dir, "pull.csv"), filepath.Join(dir, "blow.csv")
	for path, text := range map[string]string{pull: pullTest(3e4, 2.7, 3, false), blow: pullTest(3e4, 2.7, 1.7, true)} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	out, plot := filepath.Join(dir, "rubber.yaml"), filepath.Join(dir, "fit.svg")
	code, stdout, stderr := command(t, "material", "fit", pull, blow+":equibiaxial", "-o", out, "--plot", plot, "--json")
	if code != 0 {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	var r fitResult
	if err := json.Unmarshal([]byte(stdout), &r); err != nil {
		t.Fatal(err)
	}
	if r.Chosen != "ogden 1" || len(r.Tests) != 2 || len(r.Warnings) != 0 {
		t.Errorf("%+v", r)
	}
	section, err := os.ReadFile(out)
	if err != nil || !strings.Contains(string(section), "rubber: {constitutive_law: ogden, moduli: [30000], exponents: [2.7], stretch_limit: 3}") {
		t.Errorf("%s, %v", section, err)
	}
	if b, err := os.ReadFile(plot); err != nil || !strings.Contains(string(b), "<svg") {
		t.Errorf("chart: %.80q, %v", b, err)
	}
	scene := filepath.Join(dir, "scene.yaml")
	text := strings.Replace(modesScene, "materials: {rubber: {youngs_modulus: 2e6, poissons_ratio: 0, density: 1000}}", string(section), 1)
	if err := os.WriteFile(scene, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	if code, _, stderr := command(t, "modes", scene, "-n", "1"); code != 0 {
		t.Errorf("exit code %d: %s\n%s", code, stderr, text)
	}
	for _, c := range []struct{ args, want string }{
		{pull + " --law yeo", `unknown law: did you mean "yeoh"?`},
		{pull + " --plot fit.jpg", "a name that ends in one of .png"},
		{pull + ":shear", `unknown kind of test "shear"`},
		{pull + " --stress-unit MPa", "the header gives stresses in kpa, the option in MPa"},
		{pull + " --stretch 1.05", "at least 4 are needed"},
		{filepath.Join(dir, "none.csv"), "none.csv"},
	} {
		if code, _, stderr := command(t, append([]string{"material", "fit"}, strings.Fields(c.args)...)...); code == 0 || !strings.Contains(stderr, c.want) {
			t.Errorf("%s: exit code %d: %s", c.args, code, stderr)
		}
	}
	if err := os.WriteFile(pull, []byte(strings.Replace(pullTest(3e4, 2.7, 3, false), "kPa", "Pa", 1)), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, _, stderr := command(t, "material", "fit", pull); !strings.Contains(stderr, "is the unit of stress right") || !strings.Contains(stderr, "does not determine other strains") {
		t.Errorf("no warning: %s", stderr)
	}
}
