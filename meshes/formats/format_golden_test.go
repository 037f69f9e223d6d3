package formats

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/internal/samples"
	"github.com/curlfree/curlfree/meshes/repair"
	"github.com/curlfree/curlfree/r3"
)

var rewrite = flag.Bool("golden", false, "rewrite the golden files")

// The writers' output, byte by byte: what other programs were seen to read.
func TestWritersKeepToTheirGoldenFiles(t *testing.T) {
	tet := &meshes.Tet{Verts: samples.OneTet, Tets: [][4]int32{{0, 1, 2, 3}}}
	for _, name := range []string{"tet.vtk", "tet.msh", "cube.vtk", "cube.obj", "cube.msh", "cube.stl"} {
		var b bytes.Buffer
		var err error
		if strings.HasPrefix(name, "tet") {
			err = writeTetTo(&b, filepath.Ext(name), tet)
		} else {
			err = writeTriTo(&b, filepath.Ext(name), samples.CubeTri(r3.Vec{-0.01, 0, 1.0 / 3}, 0.02))
		}
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join("testdata", name)
		if *rewrite {
			if err := os.MkdirAll("testdata", 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(b.Bytes(), want) {
			t.Errorf("%s differs from the golden file; rewrite with -golden if this is meant", name)
		}
	}
}

// A cube in millimetres without its lid, in ASCII STL as CAD programs write it.
func ExampleRepair() {
	f, err := os.Open(filepath.Join("testdata", "open_box_mm.stl"))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer f.Close()
	box, _, err := ReadTriFrom(f, ".stl", ReadOptions{Unit: "mm"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(repair.Watertight(box))
	box, report := repair.Repair(box, repair.Options{FillHoles: 3})
	fmt.Print(report.String())
	fmt.Printf("%.3g m³, %v\n", box.Volume(), repair.Watertight(box))
	// Output:
	// meshes: the surface is not closed: 1 hole, the longest 4 edges of 80 mm at (0.01, 0.01, 0.02) m: repair it with
	// `curlfree mesh convert --repair`, or close it in the program it comes from note: 1 hole filled, the longest 4
	// edges of 80 mm at (0.01, 0.01, 0.02) m 8e-06 m³, <nil>
}
