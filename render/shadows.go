package render

import (
	"github.com/curlfree/curlfree/r3"
)

// castShadows draws the depth maps of everything shown in a frame, and returns the ball that they cover.
func (p *Painter) castShadows(l *lighting, at *placement, lamp r3.Vec) (center r3.Vec, radius float64) {
	// surfaces as light needs them: split where they are curved, but not for the light on large faces
	var casters []caster
	box := r3.EmptyBox()
	add := func(cut *cutter, verts []r3.Vec, tris [][3]int32, closed bool) {
		for _, v := range verts {
			box = box.Extend(v)
		}
		// cut bodies throw the shadow of what is left of them
		if cut != nil {
			verts, tris, closed = cut.caster(verts, tris), nil, false
			for i := 0; i+2 < len(verts); i += 3 {
				tris = append(tris, [3]int32{int32(i), int32(i + 1), int32(i + 2)})
			}
		}
		casters = append(casters, caster{verts, tris, closed})
	}
	// open surfaces throw shadows with either side
	for i := range p.geoms {
		g := &p.geoms[i]
		add(p.cut.of(g.name), at.shadow[i], g.shadowTris, !g.surface.open)
	}
	for i := range p.soft {
		s := &p.soft[i]
		add(p.cut.of(p.rec.Static.Deformables[s.index].Name), at.softShadow[i], s.shadow.tris, !s.shadow.open)
	}
	// nothing but ground: a point, which gets a ball of the least radius
	if len(casters) == 0 {
		box = r3.Box{Min: p.view.target, Max: p.view.target}
	}
	center, radius = p.ball(box)
	l.cast(casters, lamp, p.view.up, center, radius, p.quality, p.quality.lamp(p.opt.Size), p.quality.dome(p.opt.Size))
	return center, radius
}

// steadyBall is how much larger than the bodies of a frame the ball of the whole recording may be for the maps to
// cover it. Maps that cover the same in all frames have their cells at the same places, so that shadows
// of bodies at rest are the same too.
const steadyBall = 1.5

// ball returns the ball that the depth maps of a frame cover: a little larger than that about the box of its bodies, or
// that of the recording.
func (p *Painter) ball(box r3.Box) (center r3.Vec, radius float64) {
	// a film of a robot that drives away would have few cells for its body in maps of the whole way
	own := max(box.Size().Norm()/2*1.01, 1e-9)
	all := p.bodiesBox.Union(box)
	if whole := all.Size().Norm() / 2 * 1.01; whole <= steadyBall*own {
		return all.Center(), max(whole, 1e-9)
	}
	return box.Center(), own
}
