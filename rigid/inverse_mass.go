package rigid

import (
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/timestep"
)

// PlaceComposites computes the inertias that InverseMass reads at the placed state; FreeMotion does so, too.
func (d *Data) PlaceComposites() { d.computeComposites(d.m.allLinks) }

// InverseMass returns the velocity (1/kg) of the point p_W (m) of a link along a unit vector that an impulse of 1 N s
// along it gives at once, after PlaceComposites or FreeMotion: 0 of links that nothing but a prescribed joint moves. Of
// a link of a tree with joints it is that of the link with all that it carries, as if it were free.
func (d *Data) InverseMass(link int, p_W, dir_W *r3.Vec) float64 {
	for d.m.placing[link].nv == 0 { // what is welded to another link moves with it
		p := d.m.placing[link].parent
		if p == World {
			return 0
		}
		link = p
	}
	all := &d.compositeInertia[link]
	if !(all.mass > 0) {
		return 0
	}
	c := all.mc.Scale(1 / all.mass)
	I := all.I.Sub(r3.Diag(r3.Vec{1, 1, 1}).Scale(c.Dot(all.mc))).Add(r3.Outer(c, all.mc))
	inverse, det := I.Inv()
	w := 1 / all.mass
	if det > 0 {
		m := p_W.Sub(d.x_WB[link].P).Sub(c).Cross(*dir_W)
		w += m.Dot(inverse.MulVec(m))
	}
	return w
}

// SlipVelocities writes the velocities (nv) of the middle of the step under the midpoint rule as far as they are known
// before the solve, v0 + ½ r′ Δv₋, after FreeMotion.
func (d *Data) SlipVelocities(dst []float64) {
	copy(dst, d.v)
	rule := &d.rule
	if !rule.Midpoint || len(rule.DV) == 0 {
		return
	}
	half := 0.5 * rule.ChangeRatio
	for t, link := range d.m.singleBody {
		first, end := d.m.treeStart[t], d.m.treeStart[t+1]
		if link == World {
			for k := first; k < end; k++ {
				dst[k] += half * d.damped.dv[k]
			}
			continue
		}
		f, last := &d.damped.flights[t], rule.DV[first:end]
		w := f.w.AddScaled(half, d.x_WB[link].R.MulVec(r3.Vec(last[:3])))
		v := f.v.AddScaled(half, r3.Vec(last[3:6]))
		f.fromWorld(spatial{w, v.Sub(w.Cross(f.r))}, dst[first:end])
	}
}

// Integrated returns the step of Integrate.
func (d *Data) Integrated() *timestep.Step { return &d.rule }
