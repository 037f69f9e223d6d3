package scene

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/stuffing"
	"github.com/curlfree/curlfree/r3"
)

const finger = timeOf + `
materials: {default: {youngs_modulus: 1e6, density: 1000}}
meshes:
  finger: {part: {finray: {ribs: 4, layers: 1}}, scale: [1, 1, 2]}
  ball: {file: ball.obj, unit: m, size: 0.05}
deformables:
  finger: {mesh: finger, attach: [{body: world, where: {x_max: 0.005}}]}
  ball: {mesh: ball, pose: {xyz: [0, 1, 0]}}
`

// Scenes of a snapshot, also those that are loaded at a time, have one mesh for each part and surface,
// and are those that are loaded without a snapshot: scaling one leaves the others as they are.
func TestScenesOfASnapshotShareTheirTetrahedra(t *testing.T) {
	dir := t.TempDir()
	const octahedron = "v 0.1 0 0\nv -0.1 0 0\nv 0 0.1 0\nv 0 -0.1 0\nv 0 0 0.1\nv 0 0 -0.1\nf 1 3 5\nf 3 2 5\nf 2 4 5\nf 4 1 5\nf 3 1 6\nf 2 3 6\nf 4 2 6\nf 1 4 6\n"
	path := filepath.Join(dir, "scene.yaml")
	for name, text := range map[string]string{"ball.obj": octahedron, "scene.yaml": finger} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var s Snapshot
	sets := [][]string{nil, {"materials.default.friction=0.3"}, {"meshes.finger.scale.2=3"}, {"meshes.finger.part.finray.ribs=5"}, {"meshes.ball.size=0.06"}}
	var wg sync.WaitGroup
	for _, set := range append(sets, sets...) {
		wg.Go(func() {
			alone, err := Load(path, set)
			if err != nil {
				t.Error(err)
				return
			}
			shared, err := s.Load(path, set)
			if err != nil {
				t.Error(err)
				return
			}
			if alone.Fingerprint != shared.Fingerprint || !slices.Equal(alone.Model.Start.Q, shared.Model.Start.Q) || len(alone.Model.Start.Q) < 100 {
				t.Errorf("%v: another scene with a snapshot than without", set)
			}
		})
	}
	wg.Wait()
	// two fingers, and the ball at two sizes
	if s.meshes.made != 4 {
		t.Errorf("%d meshes were made, want 4", s.meshes.made)
	}
}

// A cache that is full drops its oldest meshes and makes them again; errors are kept, too.
func TestFullCachesDropTheOldestMesh(t *testing.T) {
	var c meshCache
	ask := func(k int) {
		tet, _, err := c.tets(tetsKey{byte(k)}, func() (*meshes.Tet, stuffing.TetResult, error) {
			if k == 9 {
				return nil, stuffing.TetResult{}, fmt.Errorf("none")
			}
			return &meshes.Tet{Verts: make([]r3.Vec, maxCachedVerts/2)}, stuffing.TetResult{}, nil
		})
		if k == 9 && err == nil || k != 9 && len(tet.Verts) != maxCachedVerts/2 {
			t.Errorf("mesh %d: %v", k, err)
		}
	}
	for _, k := range []int{1, 2, 1, 9, 9, 3, 2, 3, 1} { // 3 drops 1; 1 drops 2
		ask(k)
	}
	if c.made != 5 || c.verts > maxCachedVerts {
		t.Errorf("%d meshes made, %d vertices stored", c.made, c.verts)
	}
}
