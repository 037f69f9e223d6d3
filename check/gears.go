package check

// Gears whose teeth reach into each other's should be a pair: of one module, on axes
// at the distance of the pair, and turned so that teeth stand in gaps. Pressure fields
// whose margins exceed the play of a pair meet on both flanks of each tooth. Contact
// ahead of touch takes flanks for planes, so that fast teeth then bind.
//
// Two parts reach into each other if the distance a of their axes is between the larger
// of their tip radii and the sum of both. They run together if, with the module m and the
// center distance a₀ of the pair,
//
//	|a − a₀| ≤ m/10                                                       (1)
//
// and if the second gear, of z teeth, deviates from the angle that mates with the first
// one by no more than a quarter of the angle 2π/z of a tooth.                (2)
//
// Helical gears do not follow (2): their teeth turn along the axis.

import (
	"fmt"
	"math"
	"strings"

	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/hydroelastic"
	"github.com/curlfree/curlfree/meshes/parts"
	"github.com/curlfree/curlfree/r3"
)

// Deviations from which gears do not run together.
const (
	parallelAxes  = 1e-3 // rad, about
	wrongDistance = 0.1  // of the module
	wrongTurn     = 0.25 // of the angle of a tooth
)

// gears warns of spur gears, and worms and their wheels, that mesh but do not fit, fit too
// closely for their pressure fields, or lose much of their power to the step.
func (c *checker) gears() {
	geoms := c.Model.Geometry.Geoms
	var meshes []gearMesh // of spur gears on moving bodies
	for i := range geoms {
		for j := range geoms {
			p, q := &geoms[i], &geoms[j]
			if c.Parts[i] == nil || c.Parts[j] == nil || p.Body == q.Body || c.filtered(p.Body, q.Body) {
				continue
			}
			// the pose of the second part in the first one's frame
			X_PQ := c.pose(p.Body).Mul(p.X_BG).Inv().Mul(c.pose(q.Body).Mul(q.X_BG))
			// two spurs are one pair, a worm and a wheel have an order
			var fit gearFit
			switch first := c.Parts[i].(type) {
			case parts.Spur:
				if second, ok := c.Parts[j].(parts.Spur); ok && i < j {
					fit = fitSpurs(first, second, p, q, &X_PQ)
				}
			case parts.Worm:
				if second, ok := c.Parts[j].(parts.WormWheel); ok {
					fit = fitWorm(first, second, p, q, &X_PQ)
				}
			}
			if fit.fault != "" {
				c.warn(Gears, c.paths(p.Body, q.Body), fit.remedy, "their teeth overlap, but they do not mesh: %s", fit.fault)
			} else if fit.pair != nil {
				c.play(fit.pair, p, q)
				first, ok := c.Parts[i].(parts.Spur)
				second, too := c.Parts[j].(parts.Spur)
				if ok && too && p.Body != geometry.World && q.Body != geometry.World {
					meshes = append(meshes, gearMesh{[2]int{p.Body, q.Body}, [2]int{first.Teeth, second.Teeth}, p.IsHydroelastic() && q.IsHydroelastic()})
				}
			}
		}
	}
	c.gearLosses(meshes)
}

// gearFit is how two parts fit: as a pair, with a fault, or neither where they are
// apart.
type gearFit struct {
	pair          *parts.Pair
	fault, remedy string
}

// play warns of pressure fields that reach across the play of two gears.
func (c *checker) play(pair *parts.Pair, p, q *geometry.Geom) {
	// Rigid surfaces have no margin.
	reach, fields := 0.0, 0.0
	for _, g := range []*geometry.Geom{p, q} {
		if f, ok := g.Field.(*hydroelastic.Compliant); ok {
			reach += f.Margin()
			fields++
		}
	}
	if play := 2 * pair.FlankClearance; play > 0 && exceeds(reach, play) {
		c.warn(Gears, c.paths(p.Body, q.Body), fmt.Sprintf("with solver.%s: %.1g only the loaded flank is in contact", keyMargin, play/(2*fields)),
			"their pressure fields reach %s beyond their teeth, which have %s of play: both flanks of a tooth are then in contact, which takes time and makes fast teeth bind",
			metres(reach), metres(play))
	}
}

// radius returns how far a part reaches from its axis, z, and half its length.
func radius(g *geometry.Geom) (r, half float64) {
	box := g.Shape.Bounds()
	return math.Max(box.Max[0], box.Max[1]), (box.Max[2] - box.Min[2]) / 2
}

// fitSpurs fits two gears on parallel axes; X_PQ is the pose of the second in the
// first.
func fitSpurs(first, second parts.Spur, p, q *geometry.Geom, X_PQ *r3.Pose) (fit gearFit) {
	rp, hp := radius(p)
	rq, hq := radius(q)
	// Axes must be parallel, faces overlap along them, and teeth reach each other.
	z := X_PQ.R.Col(2)
	apart := math.Hypot(X_PQ.P[0], X_PQ.P[1])
	if math.Hypot(z[0], z[1]) > parallelAxes || math.Abs(X_PQ.P[2]) > hp+hq || apart > rp+rq || apart < math.Max(rp, rq) {
		return fit
	}
	fit = fitAt(apart, first, second, first.Module)
	if fit.pair == nil || z[2] < 0 { // turned over, its teeth are at the mirrored angles
		return fit
	}
	// all teeth of a gear are alike, so that the difference counts modulo a tooth
	// Compare the turn of the second gear with that of a mate, up to a tooth.
	x := X_PQ.R.Col(0)
	turn := math.Atan2(x[1], x[0])
	tooth := 2 * math.Pi / float64(second.Teeth)
	want := fit.pair.MateAt(math.Atan2(X_PQ.P[1], X_PQ.P[0]), 0)
	if off := math.Remainder(want-turn, tooth); first.Helix == 0 && exceeds(math.Abs(off), wrongTurn*tooth) { // (2)
		return gearFit{fault: "teeth of one meet teeth of the other, not gaps", remedy: fmt.Sprintf("turn %s by %.4g° about its axis", q.Name, off*180/math.Pi)}
	}
	return fit
}

// fitWorm fits a worm and its wheel, on crossed axes.
func fitWorm(first parts.Worm, second parts.WormWheel, p, q *geometry.Geom, X_PQ *r3.Pose) (fit gearFit) {
	rp, hp := radius(p)
	rq, hq := radius(q)
	// Axes must cross at a right angle, each within the length of the other part.
	z := X_PQ.R.Col(2)
	across := r3.Vec{0, 0, 1}.Cross(z) // of both axes
	if math.Abs(z[2]) > parallelAxes || math.Abs(X_PQ.P[2]) > hp || math.Abs(X_PQ.P.Dot(z)) > hq {
		return fit
	}
	apart := math.Abs(X_PQ.P.Dot(across))
	if apart > rp+rq || apart < math.Max(rp, rq) {
		return fit
	}
	return fitAt(apart, first, second, first.Module)
}

// fitAt fits parts whose axes are a distance apart, m.
func fitAt(apart float64, first, second parts.Part, module float64) gearFit {
	pair, err := parts.NewPair(first, second)
	if err != nil {
		return gearFit{fault: strings.TrimPrefix(err.Error(), "parts: mesh: "), remedy: "make them for each other, see curlfree mesh make --with"}
	}
	if exceeds(math.Abs(apart-pair.CenterDistance), wrongDistance*module) { // (1)
		return gearFit{
			fault:  fmt.Sprintf("their axes are %.6g mm apart, and should be %.6g mm", 1e3*apart, 1e3*pair.CenterDistance),
			remedy: "move one of them",
		}
	}
	return gearFit{pair: pair}
}
