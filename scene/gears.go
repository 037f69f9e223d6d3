package scene

// Gears whose teeth reach into each other's should be a pair: of one module, on axes
// as far apart as their teeth want, and turned so that teeth stand in gaps. Pressure
// fields that reach across the play of a pair meet on both flanks of each tooth: ahead
// of contact as well, which takes flanks for planes, so that fast teeth bind.

import (
	"fmt"
	"math"
	"strings"

	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/hydroelastic"
	"github.com/curlfree/curlfree/meshes/parts"
	"github.com/curlfree/curlfree/r3"
)

// Bounds beyond which gears are doubted.
const (
	parallelAxes  = 1e-3 // rad, about
	wrongDistance = 0.1  // of the module
	wrongTurn     = 0.25 // of the angle of a tooth
)

// doubtGears warns of spur gears, and worms and their wheels, that mesh but do not fit,
// or fit too closely for their pressure fields.
func (b *builder) doubtGears() {
	geoms := b.model.Geometry.Geoms
	poseOf := b.placed()
	for i := range geoms {
		for j := range geoms {
			p, q := &geoms[i], &geoms[j]
			if b.parts[i] == nil || b.parts[j] == nil || p.Body == q.Body || b.filtered(p, q) {
				continue
			}
			X_PQ := poseOf(p.Body).Mul(p.X_BG).Inv().Mul(poseOf(q.Body).Mul(q.X_BG))
			var pair *parts.Pair
			fault := ""
			switch first := b.parts[i].(type) {
			case parts.Spur:
				if second, ok := b.parts[j].(parts.Spur); ok && i < j {
					pair, fault = spurFault(first, second, p, q, &X_PQ)
				}
			case parts.Worm:
				if second, ok := b.parts[j].(parts.WormWheel); ok {
					pair, fault = wormFault(first, second, p, q, &X_PQ)
				}
			}
			if fault != "" {
				b.warn("%s and %s reach into each other but do not run together: %s", p.Name, q.Name, fault)
			} else if pair != nil {
				b.doubtPlay(pair, p, q)
			}
		}
	}
}

// doubtPlay warns of pressure fields that reach across the play of two gears.
func (b *builder) doubtPlay(pair *parts.Pair, p, q *geometry.Geom) {
	reach, fields := 0.0, 0.0
	for _, g := range []*geometry.Geom{p, q} {
		if f, ok := g.Field.(*hydroelastic.Compliant); ok {
			reach += f.Margin()
			fields++
		}
	}
	if play := 2 * pair.FlankClearance; play > 0 && reach > play {
		b.warn("pressure fields of %s and %s reach %s beyond their teeth, which have %s of play: both flanks are then looked at, which takes time and makes fast teeth bind; with solver.hydroelastic_margin: %.1g only the loaded one is",
			p.Name, q.Name, metres(reach), metres(play), play/(2*fields))
	}
}

// radius returns how far a part reaches from its axis, z, and half its length.
func radius(g *geometry.Geom) (r, half float64) {
	box := g.Shape.Bounds()
	return math.Max(box.Max[0], box.Max[1]), (box.Max[2] - box.Min[2]) / 2
}

// spurFault pairs two gears on parallel axes that reach into each other, or says why
// they do not run together; X_PQ is the pose of the second in the first. There is
// neither where they are apart.
func spurFault(first, second parts.Spur, p, q *geometry.Geom, X_PQ *r3.Pose) (pair *parts.Pair, fault string) {
	rp, hp := radius(p)
	rq, hq := radius(q)
	z := X_PQ.R.Col(2)
	apart := math.Hypot(X_PQ.P[0], X_PQ.P[1])
	if math.Hypot(z[0], z[1]) > parallelAxes || math.Abs(X_PQ.P[2]) > hp+hq || apart > rp+rq || apart < math.Max(rp, rq) {
		return nil, ""
	}
	pair, fault = pairAt(apart, first, second, first.Module)
	if pair == nil || z[2] < 0 { // turned over: its teeth are where a mirror shows them
		return pair, fault
	}
	x := X_PQ.R.Col(0)
	turn := math.Atan2(x[1], x[0])
	tooth := 2 * math.Pi / float64(second.Teeth)
	want := pair.MateAt(math.Atan2(X_PQ.P[1], X_PQ.P[0]), 0)
	if off := math.Remainder(want-turn, tooth); first.Helix == 0 && math.Abs(off) > wrongTurn*tooth {
		return nil, fmt.Sprintf("teeth stand on teeth: turn %s by %.4g° about its axis", q.Name, off*180/math.Pi)
	}
	return pair, ""
}

// wormFault is spurFault of a worm and its wheel, on crossed axes.
func wormFault(first parts.Worm, second parts.WormWheel, p, q *geometry.Geom, X_PQ *r3.Pose) (pair *parts.Pair, fault string) {
	rp, hp := radius(p)
	rq, hq := radius(q)
	z := X_PQ.R.Col(2)
	across := r3.Vec{0, 0, 1}.Cross(z) // of both axes
	if math.Abs(z[2]) > parallelAxes || math.Abs(X_PQ.P[2]) > hp || math.Abs(X_PQ.P.Dot(z)) > hq {
		return nil, ""
	}
	apart := math.Abs(X_PQ.P.Dot(across))
	if apart > rp+rq || apart < math.Max(rp, rq) {
		return nil, ""
	}
	return pairAt(apart, first, second, first.Module)
}

// pairAt pairs parts whose axes are a distance apart, or says why they do not pair there.
func pairAt(apart float64, first, second parts.Part, module float64) (*parts.Pair, string) {
	pair, err := parts.NewPair(first, second)
	if err != nil {
		return nil, strings.TrimPrefix(err.Error(), "parts: mesh: ")
	}
	if math.Abs(apart-pair.CenterDistance) > wrongDistance*module {
		return nil, fmt.Sprintf("their axes are %.6g mm apart, and should be %.6g mm", 1e3*apart, 1e3*pair.CenterDistance)
	}
	return pair, ""
}
