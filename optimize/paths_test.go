package optimize

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/curlfree/curlfree/gradient"
)

// A flywheel under a constant effort u turns by u t²/(2 I) and, by the steps, h t/(2 I) more: of 1 s and 0.02 kg m²,
// 25 rad for each N m and 1/n of that more.
const flywheel = `
time: {step: 1e-3, duration: 1}
gravity: [0, 0, 0]
bodies: {s: {mass: 1, inertia: {ixx: 0.02, iyy: 0.02, izz: 0.02}, joint: {type: revolute, axis: [0, 0, 1], damping: 0}}}
drives: {t: {joint: s, feed_forward: 0.1}}
signals: {q: {joint: s, joint_state: position}}
`

// A bare number of a motion has a derivative, and so has a value at its bound: damping d takes u t³/(6 I²) d away.
func TestGradientsByConstantMotionsAndValuesAtTheirBound(t *testing.T) {
	path := filepath.Join(t.TempDir(), "flywheel.yaml")
	if err := os.WriteFile(path, []byte(flywheel), 0o600); err != nil {
		t.Fatal(err)
	}
	for by, want := range map[string]float64{"drives.t.feed_forward": 25 * 1.001, "bodies.s.joint.damping": -0.1 / (6 * 0.02 * 0.02)} {
		d, err := Gradient(path, nil, "q@last", []string{by}, gradient.Automatic, 1)
		if err != nil {
			t.Errorf("%s: %v", by, err)
			continue
		}
		// a step errs by its length, a side by its width
		if g := d.By[0]; math.Abs(g.Gradient/want-1) > 5e-3 || math.Abs(g.Narrow/g.Gradient-1) > 1e-3 {
			t.Errorf("%s: %.9g, by runs %.9g, want %.9g", by, g.Gradient, g.Narrow, want)
		}
	}
}
