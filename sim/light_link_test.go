package sim

import (
	"fmt"
	"testing"

	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/rigid"
)

// A light link of a heavy tree slides on the floor, pushed by nothing, and stops after v²/(2 μ g), whatever the ratio
// of the masses: its momenta are judged by its own mass, not by those of the tree.
func TestLightLinkOfAHeavyTreeIsAsRightAsAlone(t *testing.T) {
	const h, heavy, friction, speed = 2e-3, 10, 0.5, 1.0
	slide := func(mass float64) float64 {
		w := newScaffold(t)
		w.RelTol = 0
		mat := w.material(1e6, 1, friction)
		light := w.contactMaterial(*w.mat(mat))
		w.mat(light).Stiffness = 1e3
		w.ground(mat)
		base := w.link(rigid.LinkSpec{
			Name: "heavy", Parent: rigid.World, Joint: rigid.Floating{}, Mass: heavy, Inertia_B: r3.Diag(r3.Vec{heavy / 12., heavy / 12., heavy / 6.}),
		})
		w.setQ(base, 1, 0, 0, 0, 0, 0, 0.05)
		link := w.link(rigid.LinkSpec{
			Name: "light", Parent: base, Joint: rigid.Planar{Axes: [2]r3.Vec{{1, 0, 0}, {0, 0, 1}}}, X_PF: at(2, 0, -0.045),
			Mass: mass, Inertia_B: r3.Diag(r3.Vec{mass * 1.7e-5, mass * 1.7e-5, mass * 1.7e-5}),
		})
		w.setV(link, speed, 0, 0)
		w.geom(base, at(0, 0, 0), w.box(1, 1, 0.1), mat)
		w.geom(link, at(0, 0, 0), w.box(0.01, 0.01, 0.01), light)
		s, x := w.build()
		run(t, s, x, h, 250)
		return x.Q[s.Model.Rigid.QStart(link)]
	}
	want := slide(1e-2)
	near(t, "way", want, speed*speed/(2*friction*grav), 0.02*want)
	for _, mass := range []float64{1e-4, 1e-6, 1e-8, 1e-10, 1e-12} {
		near(t, fmt.Sprintf("way of %g kg", mass), slide(mass), want, 0.035*want)
	}
}
