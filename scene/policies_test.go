package scene

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Faults of a policy are those of the scene, with file and line, and not of its first step.
func TestPoliciesMustFitTheScene(t *testing.T) {
	const cart = `
time: {step: 0.1, duration: 1}
bodies:
  cart: {mass: 2, joint: {type: prismatic, axis: [1, 0, 0]}}
drives:
  motor: {joint: cart}
  plan: {policy: plan.json}
`
	const plan = `{"step_s": 0.1, "drives": ["motor"], "efforts": [[1]], "states": [[0, 0], [0, 0]], "feedback": [[0, 0]]}`
	for _, c := range []struct{ from, to, want string }{
		{"", "", ""},
		{`"step_s": 0.1`, `"step_s": 0.2`, "the policy has steps of 0.2 s"},
		{`["motor"]`, `["moter"]`, `drive "moter", which the scene does not have: did you mean "motor"`},
		{`[[1]]`, `[[1, 2]]`, "step 0 differ in length"},
		{`"step_s"`, `"step"`, "step_s"},
		{`{`, ``, "curlfree optimize"},
	} {
		dir := t.TempDir()
		text := strings.Replace(plan, c.from, c.to, 1)
		if err := os.WriteFile(filepath.Join(dir, "plan.json"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := load(t, dir, cart)
		switch {
		case c.want == "" && err != nil:
			t.Errorf("a policy that fits: %v", err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), ":7:")):
			t.Errorf("%s: error %v, want %q in line 7", text, err, c.want)
		}
	}
}
