package scene

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/curlfree/curlfree/internal/mutation"
)

// FuzzLoad builds scenes of any text beside real meshes and robots: it may
// refuse them, but neither panic nor take long.
func FuzzLoad(f *testing.F) {
	seeds := mutation.Texts(
		timeOf+ball,
		timeOf+soft,
		timeOf+"robots: {r: {file: arm.urdf, joints: {shoulder: 0.2}, floating: true}}\nsignals: {a: {joint: r.elbow, joint_state: position, since: 0.1}}\n",
		timeOf+"robots: {r: {file: door.sdf, joints: {hinge: 0.2}}}\ndrives: {d: {joint: r.hinge, kp: 1}}\n",
		timeOf+"robots: {r: {file: hand.xml, joints: {j: 0.2}, floating: false, self_contact: true}}\n",
		timeOf+"meshes: {m: {file: cube.stl, unit: mm, size: 0.02}}\ndeformables: {d: {mesh: m, attach: [{body: world, where: {x_min: 0}}]}}\n",
		timeOf+"meshes: {m: {file: cube.vtk}}\nbodies: {b: {shapes: [{mesh: {mesh: m}}, {convex: {mesh: m}}]}}\nexpect: {e: {run: steps, max: 3}}\n",
		timeOf+"bodies:\n  a: {mass: 1, joint: {type: screw, axis: [0, 0, 1], pitch: 0.1, lower: -1, upper: .inf}}\ndrives: {d: {joint: a, kp: 1, target: {sine: {amplitude: 1}}}}\n",
		twoBalls+"constraints: {w: {weld: {a: a, b: b}}, d: {distance: {a: a, b: b, rope: true}}}\npairs: [{materials: [default, default], friction: 1}]\n",
		"time: {step: .nan, duration: 1e400}\nbodies: {a: &x {mass: 1}, b: *x}\n",
		"? {a: b}\n: - !!float x\n---\n...\n",
	)
	dir := fixtures(f)
	mutation.Fuzz(f, seeds, func(t testing.TB, data []byte) string {
		text := string(data)
		if len(text) > 4096 || costly(text) {
			return "costly"
		}
		begin := time.Now()
		sc, err := loadBytes(filepath.Join(dir, "scene.yaml"), data, nil, nil)
		if d := time.Since(begin); d > 10*time.Second {
			t.Errorf("loading took %v", d)
		}
		if err != nil {
			return err.Error()
		}
		if sc.Model.Validate() != nil || sc.Signals == nil || sc.Static == nil {
			t.Error("a scene without an error is not complete")
		}
		return strings.Join(sc.Warnings, "")
	})
}

// costly reports scenes that may ask for more than a fuzz worker should make:
// meshes as fine as the machine allows are legitimate.
func costly(text string) bool {
	if !strings.Contains(text, "mesh") { // the text is parsed once only
		return false
	}
	f, err := decode(text)
	if err != nil {
		return false
	}
	for _, name := range f.Meshes.Keys {
		m := f.Meshes.Get(name)
		if m.Box != nil {
			cells := 1.0
			for _, n := range m.Box.Cells {
				cells *= max(1, float64(n))
			}
			if cells > 1e3 && cells <= 1e7 { // above, it is refused
				return true
			}
		}
		if m.Vertices > 1000 || m.Layers > 10 || m.Size != 0 && m.Size < 0.01 {
			return true
		}
	}
	return false
}

// TestScenesOfAnyLengthAreRefusedInTime loads texts that parsers choke on.
func TestScenesOfAnyLengthAreRefusedInTime(t *testing.T) {
	dir := t.TempDir()
	repeat := func(s string, n int) string {
		b := make([]byte, 0, n*len(s))
		for range n {
			b = append(b, s...)
		}
		return string(b)
	}
	for name, text := range map[string]string{
		"deep lists":    repeat("[", 2000),
		"deep mappings": repeat("{a: ", 2000),
		"long key":      repeat("a", 1<<20) + ": 1\n",
		"many keys":     repeat("bodies: {}\n", 2000),
		"zeros":         repeat("\x00", 1<<16),
	} {
		path := filepath.Join(dir, "scene.yaml")
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		begin := time.Now()
		_, err := Load(path, nil)
		if err == nil {
			t.Errorf("%s: no error", name)
		} else if len(err.Error()) > 1<<12 && name != "many keys" {
			t.Errorf("%s: the error has %d letters", name, len(err.Error()))
		}
		if d := time.Since(begin); d > 5*time.Second {
			t.Errorf("%s: took %v", name, d)
		}
	}
}
