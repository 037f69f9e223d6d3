package geometry

import (
	"slices"
	"testing"

	"github.com/curlfree/curlfree/hydroelastic"
	"github.com/curlfree/curlfree/internal/alloctest"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/workers"
)

// However many workers share the faces of a deformable, its contacts are the same
// bits, and no memory is taken: against a ball, a mesh, a pressure field, another
// deformable and itself.
func TestWorkersDoNotChangeContactsOfDeformables(t *testing.T) {
	x, y := gridBox(r3.Vec{0.1, 0.1, 0.02}, 12), gridBox(r3.Vec{0.06, 0.06, 0.02}, 9)
	ball := deformableData(&Sphere{Radius: 0.05}, sheet(0.1, 24))
	ball.X_WB[0] = shift(0.001, 0.002, -0.049)
	mesh := deformableData(mustMesh(t, torusMesh(0.03, 0.01, 24, 12)), sheet(0.1, 24))
	mesh.X_WB[0] = shift(0.001, 0.002, -0.0092)
	field := deformableData(nil, sheet(0.1, 24))
	field.Model.Geoms = []Geom{withField(t, &Sphere{Radius: 0.05}, hydroelastic.Options{HydroelasticModulus: 1e6, Margin: 1e-4})}
	field = sameData(field)
	field.X_WB[0], field.MotionBound[1] = shift(0.001, 0.002, -0.049), 1e-3
	pair := deformableData(nil, x, y)
	pair.X_W[1] = moved(y, r3.Pose{R: r3.RotExp(r3.Vec{0, 0, 0.4}), P: r3.Vec{0, 0, 0.0399}})
	m := fork(t, 2)
	self := selfData(m)
	self.X_W[0] = bent(m, closeFork(0.0101))
	for name, s := range map[string]*Data{"ball": ball, "mesh": mesh, "field": field, "soft": pair, "self": self} {
		want := slices.Clone(s.Collide())
		if len(want) < chunkSize {
			t.Errorf("%s: only %d contacts", name, len(want))
		}
		for _, n := range []int{2, 5} {
			s.Pool = workers.NewPool(n)
			for range 3 {
				if !slices.Equal(want, s.Collide()) {
					t.Errorf("%s: %d workers find other contacts", name, n)
				}
			}
			// Workers take chunks as they come: buffers of each grow in their time.
			if allocs := alloctest.PerRun(1, func() { s.Collide() }); allocs != 0 {
				t.Errorf("%s: %d workers allocate", name, n)
			}
			s.Pool.Close()
			s.Pool = nil
		}
	}
}
