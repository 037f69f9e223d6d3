package meshes_test

import (
	"math"
	"testing"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
)

func TestBoxTetsFillTheBox(t *testing.T) {
	m, err := meshes.BoxTets(r3.Vec{2, 1, 0.5}, [3]int{4, 3, 2})
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Verts) != 5*4*3 || len(m.Tets) != 6*4*3*2 {
		t.Fatalf("%d vertices, %d tets", len(m.Verts), len(m.Tets))
	}
	sum := 0.0
	for i := range m.Tets {
		v := m.Volume(i)
		if v <= 0 {
			t.Fatalf("tet %d has volume %g", i, v)
		}
		sum += v
	}
	if math.Abs(sum-1) > 1e-12 {
		t.Errorf("volume %v, want 1", sum)
	}
	tris, _ := m.Boundary()
	if want := 4 * (4*3 + 4*2 + 3*2); len(tris) != want {
		t.Errorf("%d boundary triangles, want %d: cells do not conform", len(tris), want)
	}
}

func TestBoxTetsRefuseNonsense(t *testing.T) {
	for _, c := range []struct {
		size  r3.Vec
		cells [3]int
	}{{r3.Vec{0, 1, 1}, [3]int{1, 1, 1}}, {r3.Vec{1, 1, 1}, [3]int{0, 1, 1}}, {r3.Vec{1, 1, 1}, [3]int{1000, 1000, 1000}}, {r3.Vec{1, 1, math.NaN()}, [3]int{1, 1, 1}}} {
		if _, err := meshes.BoxTets(c.size, c.cells); err == nil {
			t.Errorf("%v accepted", c)
		}
	}
}
