package stuffing

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/internal/samples"
	"github.com/curlfree/curlfree/r3"
)

// nodeShapes are closed surfaces, thick and thin: prisms, which are extruded unless they are to be stuffed, and a ring.
var nodeShapes = map[string]*meshes.Tri{
	"block": samples.GridBox(r3.Vec{0.02, 0.025, 0.015}, 1), "plate": samples.GridBox(r3.Vec{0.05, 0.03, 0.002}, 1),
	"rod": samples.GridBox(r3.Vec{0.005, 0.006, 0.06}, 1), "ring": samples.Torus(0.03, 0.012, 48, 24),
}

// The number that is asked for is that of the nodes, within 20 %, for tets of four and of ten nodes and for
// the hexahedra of extruded parts, whose nodes are the vertices.
func TestVerticesAreNodesOfTheModel(t *testing.T) {
	for name, s := range nodeShapes {
		for _, midpoints := range []bool{false, true} {
			for _, method := range []string{"auto", "stuffing"} {
				for _, n := range []int{600, 2500} {
					t.Run(fmt.Sprintf("%s/%v/%s/%d", name, midpoints, method, n), func(t *testing.T) {
						t.Parallel()
						m, _, err := Tetrahedralize(s, TetOptions{Method: method, Vertices: n, Midpoints: midpoints})
						if err != nil {
							// two cells across walls may need more, and those of a ring more than a hundred vertices
							var few *tooFewError
							if !errors.As(err, &few) && !strings.Contains(err.Error(), fmt.Sprintf("%d vertices asked for, but the nearest mesh of this part has", n)) {
								t.Fatal(err)
							}
							if name == "block" || method == "auto" && name != "ring" || name == "ring" && n > 600 {
								t.Errorf("refused: %v", err)
							}
							return
						}
						got := len(m.Verts)
						if midpoints {
							got = len(m.Quadratic().Verts)
						}
						if off := math.Abs(float64(got)/float64(n) - 1); off > 0.2 {
							t.Errorf("%d nodes", got)
						}
					})
				}
			}
		}
	}
}
