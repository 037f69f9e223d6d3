package scene

import (
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/meshes/repair"
)

// Two cones of 10,000 slivers each over one circle take the search for cuts to its end: deformables,
// pressure fields, rigid surfaces and robots that are made of them say so. Each search takes some 10 s.
func TestUsesOfSurfacesThatCannotBeSearchedSaySo(t *testing.T) {
	if os.Getenv("CURLFREE_LONG") == "" {
		t.Skip("takes a minute: CURLFREE_LONG=1")
	}
	const n = 10_000
	var cones strings.Builder
	cones.WriteString("v 0 0 0.02\nv 0 0 -0.02\n")
	for i := range n {
		phi := 2 * math.Pi * float64(i) / n
		fmt.Fprintf(&cones, "v %v %v 0\n", 0.05*math.Cos(phi), 0.05*math.Sin(phi))
	}
	for i := range n {
		a, b := 3+i, 3+(i+1)%n
		fmt.Fprintf(&cones, "f %d %d 1\nf %d %d 2\n", a, b, b, a)
	}
	dir := folder(t, map[string]string{"cones.obj": cones.String(), "r.urdf": shapedRobot(collision("0 0 0", "0 0 0", `<mesh filename="cones.obj"/>`))})
	const mesh = "meshes: {m: {file: cones.obj, size: 0.01, wall_cells: -1}}\n"
	for name, text := range map[string]string{
		"deformable": mesh + "deformables: {d: {mesh: m}}\n",
		"field":      mesh + "materials: {default: {hydroelastic_modulus: 1e6}}\nbodies: {b: {shapes: [{mesh: {mesh: m}, resolution_hint: 0.02}]}}\n",
		"rigid":      mesh + "materials: {soft: {hydroelastic_modulus: 1e6}}\nbodies: {a: {shapes: [{sphere: {radius: 0.1}, material: soft}]}, b: {shapes: [{mesh: {mesh: m}}]}}\n",
		"robot":      "robots: {r: {file: r.urdf}}\n",
	} {
		t.Run(name, func(t *testing.T) {
			if sc := mustLoad(t, dir, timeOf+text); !strings.Contains(strings.Join(sc.Warnings, "\n"), repair.UncheckedCuts) {
				t.Errorf("warnings %q", sc.Warnings)
			}
		})
	}
}
