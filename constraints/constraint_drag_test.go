package constraints

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/curlfree/curlfree/constraints/lawtest"
	"github.com/curlfree/curlfree/r3"
)

// The law is convex with exact derivatives on both sides of the bound of its force, and at it.
func TestDragKeepsTheLawContract(t *testing.T) {
	lawtest.Check(t, 300, func(r *rand.Rand) lawtest.Sample {
		l := &drag{R: logUniform(r, -3, 3), most: logUniform(r, -4, 2)}
		edge := l.R * l.most // of |v̂ − c|, where the force reaches its bound
		l.v = r3.Vec{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}.Scale(edge * logUniform(r, -1, 1))
		return lawtest.Sample{
			Law: l, Scale: []float64{edge, edge, edge}, Name: fmt.Sprintf("%+v", *l),
			At: [][]float64{l.v[:], {l.v[0] - edge, l.v[1], l.v[2]}, {l.v[0] - 3*edge, l.v[1] + edge, l.v[2]}},
		}
	})
}

// What cannot be dragged is refused with the number that is at fault.
func TestFaultyDragsAreRefused(t *testing.T) {
	good := Drag{Stiffness: 1, Force: 1}
	if err := good.Check(); err != nil {
		t.Fatal(err)
	}
	for _, change := range []func(d *Drag){
		func(d *Drag) { d.Stiffness = 0 },
		func(d *Drag) { d.Force = 0 },
		func(d *Drag) { d.Damping = -1 },
		func(d *Drag) { d.Target_W[1] /= 0 * d.Force },
		func(d *Drag) { d.Anchor.N = 5 },
	} {
		d := good
		change(&d)
		if d.Check() == nil {
			t.Errorf("%+v is accepted", d)
		}
	}
}
