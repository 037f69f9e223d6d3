package check

// What a step of a model takes, before it is taken. Deformables cost most: with the plan of the factorization of each
// body alone, of b blocks, n nodes and F flops,
//
//	t = c F/30e9 + 0.15e-6 b + 1e-6 (c − 1) n,   c = 1, or 3 if the body can touch anything         (1)
//	m = 1.3 (bytes of L and fronts + 400 b + 2000 n)                                                    (2)
//
// c counts the factorizations that Newton's method takes of a step with contact, in part. A law that is not linear in
// the frames of elements has a second factor for free motion. 1.3 is for what the garbage collector leaves. A rigid
// body that can touch takes 20e-6 s and 20 kB, a degree of freedom 0.5e-6 s, the program with a picture 100 MB, and the
// estimate of bending, which factors finer meshes, 0.08 MB a vertex, 130 MB at most. (2) is the largest resident memory
// of curlfree run, within a factor of 1.5. Times are those of one core of 2025; contact surfaces of pressure fields
// come on top with about 1e-6 s for each of their faces, which no formula predicts.
// Source: fits to the table of docs/performance.md, of which they are within a factor of two, but for heaps of curved
// bodies, which take four times as long.

import (
	"fmt"

	"github.com/curlfree/curlfree/fem"
	"github.com/curlfree/curlfree/internal/memory"
	"github.com/curlfree/curlfree/sim"
	"github.com/curlfree/curlfree/supernodal"
)

// LargeModel is the number of unknowns from which a run says what it will take before it starts.
const LargeModel = 60_000

// Cost is an estimate of what a model takes.
type Cost struct {
	Unknowns int     `json:"unknowns"` // velocities of a step
	Flops    float64 `json:"flops"`    // of one factorization of all deformables
	Step     float64 `json:"step_s"`   // processor time of a step, s
	Memory   float64 `json:"memory_bytes"`
}

// CostOf estimates (1) and (2). It plans factorizations, which takes about as long as one of them.
func CostOf(m *sim.Model) Cost {
	rigid, deformable := m.Dofs()
	c := Cost{Unknowns: rigid + deformable, Step: 0.5e-6 * float64(rigid), Memory: 100e6}
	// bodies that move and have shapes
	links, touching := m.Rigid.NumLinks(), map[int]bool{}
	for i := range m.Geometry.Geoms {
		if b := m.Geometry.Geoms[i].Body; b >= 0 && (b >= links || !m.Rigid.IsKinematic(b)) {
			touching[b] = true
		}
	}
	for b := range touching {
		if b < links {
			c.Step += 20e-6
			c.Memory += 20e3
		}
	}
	vertices := 0
	for _, d := range m.Deformables {
		if vertices += d.NumVerts(); vertices <= mostEstimated {
			c.Memory = max(c.Memory, min(c.Memory+0.08e6*float64(d.NumVerts()), 230e6+20e3*float64(len(touching))))
		}
	}
	for i, d := range m.Deformables {
		c.add(d, touching[links+i] || len(m.Geometry.Geoms) > 0)
	}
	return c
}

// add adds a deformable.
func (c *Cost) add(d *fem.Model, touches bool) {
	p := d.Pattern()
	var g supernodal.Graph
	for range p.N {
		g.AddNode(3, 0)
	}
	for j := range p.N {
		for _, i := range p.Row[p.Ptr[j]:p.Ptr[j+1]] {
			g.AddEdge(int(i), j)
		}
	}
	g.Pack()
	plan, blocks, nodes, solves := supernodal.EstimateOf(&g), float64(len(p.Row)), float64(p.N), 1.0
	if touches {
		solves = 3
	}
	c.Flops += plan.Flops
	c.Step += solves*plan.Flops/30e9 + 0.15e-6*blocks + 1e-6*(solves-1)*nodes
	factors := 1.0
	if d.Class() == fem.Nonlinear {
		factors = 2
	}
	c.Memory += 1.3 * (factors*plan.Bytes + 400*blocks + 2000*nodes)
}

// String returns the estimate in words.
func (c Cost) String() string {
	step := fmt.Sprintf("%.2g ms", 1e3*c.Step)
	if c.Step >= 0.1 {
		step = fmt.Sprintf("%.1f s", c.Step)
	}
	return fmt.Sprintf("%d unknowns: about %s of processor time a step, more in heaps and with contact surfaces of many faces, and %s of memory", c.Unknowns, step, memory.Text(c.Memory))
}

// Warning returns what a large model will take; empty for others.
func (c Cost) Warning() string {
	if c.Unknowns <= LargeModel {
		return ""
	}
	return c.String() + ": give fewer vertices or a larger size to make it faster"
}
