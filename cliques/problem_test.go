package cliques

import (
	"slices"
	"testing"

	"github.com/curlfree/curlfree/internal/alloctest"
)

type law struct {
	dim int
	k   float64 // read by Eval
}

func (l *law) Dim() int                           { return l.dim }
func (*law) Prepare(float64, []float64)           {}
func (l *law) Eval(c, gamma, G []float64) float64 { return l.k * c[0] }

var _ Law = (*law)(nil)

func pair() *Pattern {
	return &Pattern{N: 2, Ptr: []int32{0, 2, 3}, Row: []int32{0, 1, 1}}
}

func TestNodesAndVelocitiesAreNumberedInOrderOfAppending(t *testing.T) {
	var p Problem
	p.Reset(1.5, 0.01)
	a, A, v0, mom := p.AddDense(6)
	if len(A) != 36 || len(v0) != 6 || len(mom) != 6 {
		t.Errorf("dense: %d, %d, %d", len(A), len(v0), len(mom))
	}
	v0[5], mom[0] = 7, 8
	b, B, v0, _ := p.AddSparse(pair())
	if len(B) != 27 || len(v0) != 6 {
		t.Errorf("sparse: %d, %d", len(B), len(v0))
	}
	c, _, _, _ := p.AddDense(0)
	if a != 0 || b != 1 || c != 3 || p.Size() != 12 || p.V0[5] != 7 || p.P[0] != 8 {
		t.Errorf("nodes %d %d %d, size %d", a, b, c, p.Size())
	}
	if !slices.Equal(p.NodeSize, []int{6, 3, 3, 0}) || !slices.Equal(p.NodeOffset, []int{0, 6, 9, 12}) {
		t.Errorf("sizes %v, offsets %v", p.NodeSize, p.NodeOffset)
	}
	if k := p.Cliques[1]; k.First != 1 || k.Nodes != 2 || k.Offset != 6 || k.Size != 6 || p.Time != 1.5 || p.H != 0.01 {
		t.Errorf("clique %+v", k)
	}
}

func TestBlocksOfOneNodeAddUp(t *testing.T) {
	var p Problem
	p.Reset(0, 0.01)
	a, _, v0, _ := p.AddDense(2)
	copy(v0, []float64{1, 10})
	b, _, v0, _ := p.AddDense(1)
	v0[0] = 100
	first := p.AddConstraint(&law{dim: 1})
	h := p.AddConstraint(&law{dim: 2})
	p.Block(a)[1] += 2      // row 0, second velocity
	p.Block(b)[1] = -1      // row 1
	p.Block(a)[1] += 3      // the same slice again
	p.Block(a)[2*1+0] = 0.5 // row 1, first velocity
	p.AddBias(1, 4)
	p.AddBias(1, 1)
	if first != 0 || h != 1 || p.Rows() != 3 || len(p.Blocks(first)) != 0 || len(p.Blocks(h)) != 2 {
		t.Fatalf("handles %d %d, %d rows", first, h, p.Rows())
	}
	if x := p.StartVelocity(h, 0); x != 50 {
		t.Errorf("row 0 starts with %g, want 50", x)
	}
	if x := p.StartVelocity(h, 1); x != 0.5-100+5 {
		t.Errorf("row 1 starts with %g, want −94.5", x)
	}
	var all [2]float64
	if p.StartVelocities(h, all[:]); all != [2]float64{50, 0.5 - 100 + 5} {
		t.Errorf("rows start with %g", all)
	}
	p.Gamma[2], p.Vc[1] = 3, 2
	if !slices.Equal(p.Impulse(h), []float64{0, 3}) || !slices.Equal(p.Velocity(h), []float64{2, 0}) {
		t.Errorf("impulse %v, velocity %v", p.Impulse(h), p.Velocity(h))
	}
}

// Slices of the arena stay valid and do not overlap while it grows, and are zero
// again after Reset.
func TestArenaNeverMoves(t *testing.T) {
	var p Problem
	for round := range 3 {
		p.Reset(0, 0.01)
		var As [][]float64
		for i := range 300 {
			_, A, v0, mom := p.AddDense(1 + i%40)
			for _, x := range [][]float64{A, v0, mom} {
				for k := range x {
					if x[k] != 0 {
						t.Fatalf("round %d: not zero", round)
					}
					x[k] = float64(i)
				}
			}
			As = append(As, A)
		}
		for i, A := range As {
			for _, x := range A {
				if x != float64(i) {
					t.Fatalf("round %d: clique %d was overwritten by %g", round, i, x)
				}
			}
			if len(A) > 0 && &A[0] != &p.Cliques[i].A[0] {
				t.Fatal("A moved")
			}
		}
	}
}

func TestLawsAreZeroAndApart(t *testing.T) {
	var p Problem
	type other struct{ x float64 }
	for range 2 {
		p.Reset(0, 0.01)
		var all []*law
		for i := range 1000 {
			l, o := New[law](&p), New[other](&p)
			if *l != (law{}) || *o != (other{}) {
				t.Fatal("not zero")
			}
			l.dim, o.x = i, 1
			all = append(all, l)
		}
		for i, l := range all {
			if l.dim != i {
				t.Fatalf("law %d has %d", i, l.dim)
			}
		}
	}
}

func TestStepsAllocateNothing(t *testing.T) {
	var p Problem
	pat := pair()
	step := func() {
		p.Reset(0, 0.01)
		p.AddDense(7)
		p.AddSparse(pat)
		for range 50 {
			l := New[law](&p)
			l.dim = 3
			p.AddConstraint(l)
			p.Block(0)
			p.Block(2)
			p.AddBias(0, 1)
		}
	}
	step()
	if n := alloctest.PerRun(10, step); n != 0 {
		t.Errorf("%g allocations", n)
	}
}

// Misuse panics with a message that says what to do.
func TestMisuseOfBlocksPanicsWithTheCure(t *testing.T) {
	for want, do := range map[string]func(p *Problem){
		"cliques: Block: no constraint is open: call AddConstraint before": func(p *Problem) { p.Block(0) },
		"cliques: Block: node 1 of a problem of 1 nodes: append its clique before its constraints": func(p *Problem) {
			p.AddConstraint(&law{dim: 1})
			p.Block(1)
		},
		"cliques: Block: node -1 of a problem of 1 nodes: append its clique before its constraints": func(p *Problem) {
			p.AddConstraint(&law{dim: 1})
			p.Block(-1)
		},
	} {
		func() {
			defer func() {
				if got := recover(); got != want {
					t.Errorf("panics with %v, want %q", got, want)
				}
			}()
			var p Problem
			p.Reset(0, 1e-3)
			p.AddDense(6)
			do(&p)
		}()
	}
}

func TestMidpointProblemHasVelocitiesOfLaggedQuantities(t *testing.T) {
	var p Problem
	fill := func() Handle {
		p.Reset(0, 0.01)
		a, _, v0, _ := p.AddDense(2)
		copy(v0, []float64{1, 10})
		b, _, v0, _ := p.AddDense(1)
		v0[0] = 100
		p.BeginMidpoint()
		h := p.AddConstraint(&law{dim: 1})
		copy(p.Block(a), []float64{2, 3})
		p.Block(b)[0] = -1
		p.AddBias(0, 0.5)
		return h
	}
	h := fill()
	var start, lagged, slip [1]float64
	read := func() {
		p.StartVelocities(h, start[:])
		p.LaggedVelocities(h, lagged[:])
		p.SlipVelocities(h, slip[:])
	}
	if read(); start[0] != 32-100+0.5 || lagged != start || slip != start || !p.Midpoint || !slices.Equal(p.Theta, []float64{0.5, 0.5}) {
		t.Errorf("without memory: %v, %v, %v, θ %v", start, lagged, slip, p.Theta)
	}
	p.Lagged[0], p.Slip[2] = 2, 50
	if read(); start[0] != 32-100+0.5 || lagged[0] != 34-100+0.5 || slip[0] != 32-50+0.5 {
		t.Errorf("with memory: %v, %v, %v", start, lagged, slip)
	}
	if p.LaggedVelocity(h, 0) != lagged[0] || p.SlipVelocity(h, 0) != slip[0] || p.StartVelocity(h, 0) != start[0] {
		t.Error("velocities of one row differ")
	}
	if n := testing.AllocsPerRun(10, func() { fill() }); n > 1 { // the law of the test
		t.Errorf("%g allocations", n)
	}
	p.Reset(0, 0.01)
	p.AddDense(1)
	p.AddConstraint(&law{dim: 1})
	if p.Midpoint || len(p.Lagged) != 0 || len(p.Slip) != 0 || len(p.Theta) != 0 {
		t.Error("Reset keeps the rule")
	}
	if p.LaggedVelocities(0, lagged[:]); lagged[0] != 0 {
		t.Errorf("Euler: %v", lagged)
	}
}
