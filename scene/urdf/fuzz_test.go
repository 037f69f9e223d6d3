package urdf

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// FuzzParse holds whatever is read to what Robot promises.
func FuzzParse(f *testing.F) {
	arm, err := os.ReadFile("testdata/arm.urdf")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(arm))
	f.Add("<robot name='r'><link name='a'/></robot>")
	f.Add("<robot>" + links + turns("ab", "a", "b", "<mimic joint='bc'/>") + turns("bc", "b", "c", "") + "</robot>")
	f.Add("<robot>" + links + turns("bc", "b", "c", "") + turns("cb", "c", "b", "") + "</robot>")
	f.Add("<robot><link name='a'><visual><origin rpy='1e300 0 1'/><geometry><sphere radius='1e-300'/></geometry></visual></link></robot>")
	f.Add("<robot><link name='a'/><drake:collision_filter_group name='g'><drake:member link='a'/><drake:ignored_collision_filter_group name='g'/></drake:collision_filter_group></robot>")
	f.Fuzz(func(t *testing.T, text string) {
		r, warnings, err := Parse(strings.NewReader(text), "r.urdf")
		if err != nil {
			var e *Error
			if !errors.As(err, &e) || e.Line < 1 || e.Msg == "" {
				t.Fatalf("error without a place: %v", err)
			}
			return
		}
		checkRobot(t, r)
		for _, w := range warnings {
			if w.Line < 1 || w.Line > 1+strings.Count(text, "\n") || w.Text == "" {
				t.Fatalf("warning %+v", w)
			}
		}
	})
}

// checkRobot reports what no user of a Robot expects.
func checkRobot(t *testing.T, r *Robot) {
	t.Helper()
	checkOrder(t, r)
	finite := func(what string, x ...float64) {
		for _, x := range x {
			if math.IsNaN(x) || math.IsInf(x, 0) {
				t.Fatalf("%s is %g", what, x)
			}
		}
	}
	for i := range r.Links {
		l := &r.Links[i]
		if l.Name == "" || l.Line < 1 {
			t.Fatalf("link %+v", l)
		}
		if in := l.Inertial; in != nil {
			finite("mass", in.Mass)
			finite("centre of mass", in.Com[:]...)
			if in.Mass < 0 {
				t.Fatalf("mass %g", in.Mass)
			}
		}
		for _, g := range append(append([]Geometry{}, l.Visuals...), l.Collisions...) {
			finite("origin", append(g.Origin.P[:], g.Origin.R[:]...)...)
			kinds := 0
			for _, is := range []bool{g.Box != nil, g.Sphere > 0, g.Cylinder != nil, g.Capsule != nil, g.Mesh != nil} {
				if is {
					kinds++
				}
			}
			if kinds != 1 {
				t.Fatalf("%d shapes in one geometry", kinds)
			}
		}
	}
	for i, p := range r.NoContact {
		if !(0 <= p[0] && p[0] < p[1] && p[1] < len(r.Links)) || i > 0 && slices.Compare(r.NoContact[i-1][:], p[:]) >= 0 {
			t.Fatalf("pairs apart: %v", r.NoContact)
		}
	}
	for i := range r.Joints {
		j := &r.Joints[i]
		finite("joint", j.Damping, j.Friction, j.RotorInertia, j.Pitch)
		finite("origin", append(j.Origin.P[:], j.Origin.R[:]...)...)
		if j.Name == "" || math.Abs(j.Axis.Norm()-1) > 1e-12 || !(j.Lower <= j.Upper) || !(j.Effort > 0) || !(j.Velocity > 0) || j.RotorInertia < 0 {
			t.Fatalf("joint %+v", j)
		}
		if m := j.Mimic; m != nil {
			finite("mimic", m.Multiplier, m.Offset)
			if m.Joint == i || !r.Joints[m.Joint].Type.single() {
				t.Fatalf("joint %q mimics %+v", j.Name, m)
			}
		}
	}
}

// TestPublicRobotsLoad reads every URDF below the folder that CURLFREE_MODELS
// names.
func TestPublicRobotsLoad(t *testing.T) {
	dir := os.Getenv("CURLFREE_MODELS")
	if dir == "" {
		t.Skip("CURLFREE_MODELS names no folder of robots")
	}
	count := 0
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".urdf") {
			return err
		}
		file, err := os.Open(path)
		if err != nil {
			return err
		}
		defer file.Close()
		r, warnings, err := Parse(file, filepath.Base(path))
		if err != nil {
			t.Errorf("%v", err)
			return nil
		}
		count++
		checkRobot(t, r)
		for _, w := range warnings {
			t.Logf("%s:%d: %s", filepath.Base(path), w.Line, w.Text)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if count == 0 {
		t.Errorf("no URDF below CURLFREE_MODELS")
	}
}
