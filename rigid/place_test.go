package rigid

import (
	"math"
	"slices"
	"testing"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/r3"
)

// placedGenerally returns the same model, with every link placed by its joint's methods.
func placedGenerally(m *Model) *Model {
	other := *m
	other.placing = slices.Clone(m.placing)
	for i := range other.placing {
		other.placing[i].kind = general
	}
	return &other
}

// The tabulated formulas of Place agree with the joints' methods to round-off: poses,
// velocities, A, p and rows of Jacobians.
func TestTabulatedPlacingAgreesWithTheJoints(t *testing.T) {
	byHeart := 0
	for i := range 200 {
		r := newRand(i)
		m, q, v := randForest(t, r, 1+r.IntN(8), everything)
		switch i % 4 { // bodies in flight: anywhere, with M at B, and not turned either
		case 1, 2, 3:
			links := slices.Clone(m.links)
			for k := range links {
				l := &links[k]
				if l.Parent == World {
					l.Joint, l.X_PF.R = Floating{}, r3.Identity()
				}
				if i%4 > 1 {
					l.X_BM.P = r3.Vec{}
				}
				if i%4 > 2 {
					l.X_BM.R, l.Com_B = r3.Identity(), r3.Vec{}
				}
			}
			m = build(t, links...)
			q, v = m.Start()
			for k := range q {
				q[k] += 0.5 * r.NormFloat64()
			}
			for k := range v {
				v[k] = r.NormFloat64()
			}
		}
		for _, l := range m.placing {
			if l.kind != general {
				byHeart++
			}
		}
		compare(t, i, m.NewData(), placedGenerally(m).NewData(), q, v)
	}
	if byHeart < 200 {
		t.Errorf("%d links were placed by heart", byHeart)
	}
}

func compare(t *testing.T, i int, a, b *Data, q, v []float64) {
	t.Helper()
	near := func(what string, x, y []float64) {
		t.Helper()
		scale := 1 + largest(y...)
		for k := range y {
			if !(math.Abs(x[k]-y[k]) <= 1e-12*scale) {
				t.Fatalf("forest %d: %s %d is %.16g, asked %.16g", i, what, k, x[k], y[k])
			}
		}
	}
	g, link := r3.Vec{1, 2, -9}, i%len(a.x_WB)
	point := r3.Vec{0.3, -1, 2}
	frame := r3.RotExp(r3.Vec{1, float64(i), 3})
	var p [2]cliques.Problem
	var c [2]cliques.Handle
	for k, d := range [2]*Data{a, b} {
		for range 2 { // also over what the last step left
			d.Place(0.3, 1e-2, q, v)
		}
		p[k].Reset(0.3, 1e-2)
		d.FreeMotion(g, nil, &p[k])
		c[k] = p[k].AddConstraint(open{})
		d.PointRows(&p[k], link, &point, &frame, &r3.Vec{}, 1)
		d.PredictMotion(v)
	}
	for l := range a.x_WB {
		near("rotation", a.x_WB[l].R[:], b.x_WB[l].R[:])
		near("position", a.x_WB[l].P[:], b.x_WB[l].P[:])
		for _, of := range []func(d *Data) spatial{
			func(d *Data) spatial { return d.vel[l] }, func(d *Data) spatial { return d.rel[l] },
			func(d *Data) spatial { return d.prescribedVel[l] }, func(d *Data) spatial { return d.predicted[l] },
		} {
			x, y := of(a), of(b)
			near("velocity", append(x.w[:], x.v[:]...), append(y.w[:], y.v[:]...))
		}
	}
	near("p", p[0].P, p[1].P)
	for k := range p[1].Cliques {
		near("A", p[0].Cliques[k].A, p[1].Cliques[k].A)
	}
	near("bias", p[0].Bias, p[1].Bias)
	for k, block := range p[1].Blocks(c[1]) {
		near("J", p[0].Blocks(c[0])[k].J, block.J)
	}
}
