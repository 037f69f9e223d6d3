package scene

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// writeText writes a file.
func writeText(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// manyLinks is a URDF of n balls, each hinged to the one before, or all to the first.
func manyLinks(n int, chain bool) string {
	var b strings.Builder
	b.WriteString(`<robot name="r"><link name="l0"/>`)
	for i := 1; i < n; i++ {
		parent := 0
		if chain {
			parent = i - 1
		}
		fmt.Fprintf(&b, `<link name="l%d"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial><collision><geometry><sphere radius="0.1"/></geometry></collision></link>`, i)
		fmt.Fprintf(&b, `<joint name="j%d" type="continuous"><parent link="l%d"/><child link="l%d"/><origin xyz="0.01 0 0"/><axis xyz="0 0 1"/></joint>`, i, parent, i)
	}
	return b.String() + "</robot>"
}

// Links of a robot do not touch each other, however many: what that takes grows with
// their number, not with that of their pairs, of which there are 12.5 million here.
func TestRobotsOfManyLinksTakeLittleMemory(t *testing.T) {
	dir := t.TempDir()
	writeText(t, dir, "star.urdf", manyLinks(5000, false))
	writeText(t, dir, "scene.yaml", "time: {step: 0.001, duration: 0.01}\nrobots: {r: {file: star.urdf}}\n")
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	s, err := Load(dir+"/scene.yaml", nil)
	runtime.ReadMemStats(&after)
	if err != nil {
		t.Fatal(err)
	}
	if got := after.TotalAlloc - before.TotalAlloc; got > 250<<20 {
		t.Errorf("%d MiB for 5,000 links, want 250 at most", got>>20)
	}
	g := s.Model.Geometry
	if n := len(g.ExcludedPairs); n > 5000 {
		t.Errorf("%d pairs are listed", n)
	}
	if !g.InExcludedGroup(1, g.NumRigid-1) {
		t.Error("the first and last link may touch")
	}
}

// A chain above the limit is refused; the message names the key that raises it.
func TestLongChainsNameTheLimit(t *testing.T) {
	dir := t.TempDir()
	writeText(t, dir, "chain.urdf", manyLinks(41, true))
	for most, ok := range map[int]bool{39: false, 40: true} {
		writeText(t, dir, "scene.yaml", fmt.Sprintf("time: {step: 0.001, duration: 0.01}\nsolver: {max_tree_dofs: %d}\nrobots: {r: {file: chain.urdf}}\n", most))
		_, err := Load(dir+"/scene.yaml", nil)
		if ok != (err == nil) || err != nil && !strings.Contains(err.Error(), "has 40, more than the limit of 39") || err != nil && !strings.Contains(err.Error(), "max_tree_dofs") {
			t.Errorf("limit %d: %v", most, err)
		}
	}
}

// A box of a million vertices is refused before it is made; the message names the key
// that raises the limit, which does.
func TestBoxesAboveTheLimitAreRefused(t *testing.T) {
	dir := t.TempDir()
	load := func(cells, more string) error {
		writeText(t, dir, "scene.yaml", "time: {step: 0.01, duration: 0.01}\nmaterials: {default: {youngs_modulus: 1e6, poissons_ratio: 0.3, density: 1000}}\nmeshes: {b: {box: {size: [1, 1, 1], cells: "+cells+"}"+more+"}}\ndeformables: {d: {mesh: b}}\n")
		_, err := Load(dir+"/scene.yaml", nil)
		return err
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	err := load("[100, 100, 100]", "")
	runtime.ReadMemStats(&after)
	if err == nil || !strings.Contains(err.Error(), "1030301 vertices, the limit is 200000") || !strings.Contains(err.Error(), "raise meshes.b.max_vertices") {
		t.Errorf("a box of 100³ cells: %v", err)
	}
	if got := after.TotalAlloc - before.TotalAlloc; got > 50<<20 {
		t.Errorf("%d MiB taken", got>>20)
	}
	// 3³ vertices
	for most, ok := range map[string]bool{"26": false, "27": true} {
		if err := load("[2, 2, 2]", ", max_vertices: "+most); (err == nil) != ok {
			t.Errorf("a limit of %s for 27 vertices: %v", most, err)
		}
	}
}
