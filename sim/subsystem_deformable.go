package sim

import (
	"math"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/fem"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/workers"
)

// deformableBody is one deformable.
type deformableBody struct {
	*fem.Data
	model   *fem.Model
	gravity r3.Vec // m/s²
	number  int    // index into Model.Deformables
	pool    *workers.Pool
	loads   []VertexLoad
	force   []r3.Vec // of the loads in the step, on each vertex, N; nil without loads

	vonMises []float64 // of each tetrahedron, by VonMises, Pa

	rest *equilibrium // of the stepper

	selfContact bool
	deformation deformationPredictor // of bodies with self contact
	unpredicted float64              // largest displacement of a vertex beyond the prediction before, m
}

// Size implements Subsystem: three positions and velocities for each vertex, fixed ones
// included.
func (b *deformableBody) Size() (nq, nv int) { n := 3 * b.model.NumVerts(); return n, n }

// Place implements Subsystem.
func (b *deformableBody) Place(t, h float64, q, v []float64, g *geometry.Data) {
	b.Data.Place(q)
	g.X_W[b.number] = b.Positions()
	b.boundMotion(h, v, len(v)/3, g)
	// parts of the surface may approach each other without moving the body
	if b.selfContact {
		b.predictDeformation(h, v, g)
	}
}

// PredictMotion implements Subsystem.
func (b *deformableBody) PredictMotion(h float64, vNext []float64, g *geometry.Data) {
	b.boundMotion(h, vNext, b.model.NumVerts(), g)
	if b.selfContact {
		b.repredictDeformation(h, vNext, g)
	}
}

// boundMotion writes the mean displacement of n vertices in a step of h, and the largest
// deviation from it. v has the velocities of some; the others are fixed.
func (b *deformableBody) boundMotion(h float64, v []float64, n int, g *geometry.Data) {
	// mean velocity; fixed vertices count with zero
	// the mean is taken out because bodies that fly together stay at their distances
	var mean r3.Vec
	for u := v; len(u) >= 3; u = u[3:] {
		mean[0], mean[1], mean[2] = mean[0]+u[0], mean[1]+u[1], mean[2]+u[2]
	}
	mean = mean.Scale(1 / float64(n))
	// largest distance from the mean, squared
	farthest := 0.0
	if 3*n > len(v) {
		farthest = mean.Norm2()
	}
	for u := v; len(u) >= 3; u = u[3:] {
		x, y, z := u[0]-mean[0], u[1]-mean[1], u[2]-mean[2]
		farthest = max(farthest, x*x+y*y+z*z)
	}
	// the bound of the displacement
	body := g.Model.NumRigid + b.number
	g.PredictedTranslation[body] = mean.Scale(h)
	g.MotionBound[body] = h * math.Sqrt(farthest)
}

// vertexOf returns the vertex of a node of the problem. It searches, which serves error
// messages only.
func (b *deformableBody) vertexOf(node int32) int {
	v := 0
	for b.model.Node(int32(v)) != node {
		v++
	}
	return v
}

// FreeMotion implements Subsystem: mass, damping and stiffness, element by element, and loads.
func (b *deformableBody) FreeMotion(h float64, q, v []float64, p *cliques.Problem) {
	clear(b.force)
	for _, l := range b.loads {
		l.AddForces(p.Time+h, b.Positions(), b.force)
	}
	if b.rest.holds {
		b.Data.LinearizeAtRest(h, b.gravity, q, v, b.rest.project, b.pool, p)
		if !b.rest.project {
			for _, l := range b.loads {
				if f, ok := l.(followerLoad); ok {
					f.addStiffness(p.Time+h, b.Data)
				}
			}
		}
		return
	}
	b.Data.Linearize(h, b.gravity, q, v, b.pool, p)
}

// loadWork returns the work of the loads in a step of h with the solved velocities vNext, J.
func (b *deformableBody) loadWork(h float64, vNext []float64) float64 {
	work := 0.0
	for v, f := range b.force {
		if n := b.model.Node(int32(v)); n >= 0 {
			work += h * f.Dot(r3.Vec(vNext[3*n:3*n+3]))
		}
	}
	return work
}

// PointRow implements Subsystem: the row of a weighted mean of vertices.
func (b *deformableBody) PointRow(p *cliques.Problem, row int, f *geometry.MaterialPoint, dir_W r3.Vec, s float64) {
	b.Data.PointRow(p, row, f.Vert[:f.N], f.W[:f.N], dir_W, s)
}
