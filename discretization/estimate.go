// Package discretization estimates how far a deformable bends from what it would with infinitely
// small elements: the discretization error of its mesh. Locking, too few elements across a wall and
// elements of bad form are not distinguished, but measured by what they do together. Under a load f a body of stiffness
// K gives way by its compliance, the deflection of the load times the load, which is twice the elastic energy,
//
//	c = fᵀ u,  K u = f                                                       (1)
//
// at rest, for small displacements and a unit force. The mesh is compared with its refinement (see level.go), which
// has the share s of the error left, so that the exact compliance is about
//
//	c* = c_h + (c_r − c_h)/(1 − s)                                           (2)
//
// (Richardson's extrapolation), and the deflection lacks the share
//
//	e = 1 − c_h/c*                                                           (3)
//
// Coarse meshes are refined twice, and c_h and c_r of (2) are then those of the refinements. Loads
// press on patches all over the surface, for a body may bend right as a whole and not between its
// ribs (see press.go). The largest e counts, of places that give way at least a tenth as far as the
// softest one under the same force.
//
// Sources: Richardson, "The approximate arithmetical solution by finite differences", 1911; Roache,
// "Perspective: a method for uniform reporting of grid refinement studies", 1994; Bank and Weiser,
// "Some a posteriori error estimators for elliptic partial differential equations", 1985, for
// comparison with a richer space.
package discretization

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/curlfree/curlfree/fem"
	"github.com/curlfree/curlfree/r3"
)

// softEnough is the compliance under a unit force, over that of the softest place, from which on a place counts.
const softEnough = 0.1

// ErrTooLarge reports that the estimate would take too long.
var ErrTooLarge = errors.New("the mesh is too large for an estimate within seconds")

// Error is the discretization error of a deformable.
type Error struct {
	// Lacking is e of (3) at the place where it is largest in size: the share of the deflection that
	// is lacking, negative where the body gives way too far.
	Lacking float64
	// Vertex is the vertex of the mesh in the middle of that place.
	Vertex int32
	// Softest is e at the place that gives way farthest.
	Softest float64
}

// Estimate returns the discretization error of a deformable at rest, in the limit of small
// displacements. The vertices in held are fixed, in addition to those that the model fixes; a body
// of which no three fixed vertices span a plane floats. The error is ErrTooLarge where the estimate
// would take more than some seconds; others report a body in loose parts, or of elements that become
// flat or inside out when they are divided.
func Estimate(m *fem.Model, held []int32) (Error, error) {
	held = slices.Concat(held, m.Spec().Fixed)
	slices.Sort(held)
	if held = slices.Compact(held); !spans(m.Mesh().Verts, held) {
		held = nil
	}
	return lookup(m, held, func() (Error, error) { return estimate(m, held) })
}

// estimate computes the error of a body that is fixed, or floats where nothing is.
func estimate(m *fem.Model, held []int32) (Error, error) {
	spec := m.Spec()
	law, err := linear(spec.Law)
	if err != nil {
		return Error{}, err
	}
	// the mesh itself, under loads all over its surface
	own := &level{mesh: spec.Mesh, elements: m.Elements(), law: law, held: held}
	if own.isTooLarge(firstBudget) {
		return Error{}, ErrTooLarge
	}
	all := patches(spec.Mesh, held)
	for i := range all {
		own.loads = append(own.loads, all[i].load)
	}
	c, err := own.compliances(firstBudget)
	if err != nil {
		return Error{}, err
	}
	var places []place
	for i := range all {
		if c[i] > 0 { // some patches are fixed
			places = append(places, place{vertex: all[i].vertex, load: all[i].load, own: c[i]})
		}
	}
	places = soft(places)
	if err := own.extrapolate(places); err != nil {
		return Error{}, err
	}
	return worst(places)
}

// extrapolate computes the exact compliances of places by (2), of one or two refinements.
func (l *level) extrapolate(places []place) error {
	l.loads = nil
	for i := range places {
		l.loads = append(l.loads, places[i].load)
	}
	next, err := l.refined(false, firstBudget)
	if err != nil {
		return err
	}
	c, err := next.compliances(firstBudget)
	if err != nil {
		return err
	}
	for i := range places {
		p := &places[i]
		p.exact = p.own + (c[i]-p.own)/(1-l.left())
	}
	// the second one is worth its time for coarse meshes only; the first one does without it
	last, err := next.refined(l.elements == fem.Hex12, secondBudget)
	if err != nil {
		return nil
	}
	if d, err := last.compliances(secondBudget); err == nil {
		for i := range places {
			places[i].exact = c[i] + (d[i]-c[i])/(1-leftSecond)
		}
	}
	return nil
}

// place is where a body is pressed.
type place struct {
	vertex     int32
	load       load
	own, exact float64 // c of the mesh and c* of (2), under a unit force, m/N
}

// hardest is the compliance on the mesh itself, over that of the softest place, below which no place
// counts: those that the mesh makes five times too stiff still do.
const hardest = softEnough / 5

// soft returns the places that may count, so that others need not be solved on finer meshes.
func soft(places []place) []place {
	most := 0.0
	for i := range places {
		most = max(most, places[i].own)
	}
	return slices.DeleteFunc(places, func(p place) bool { return p.own < hardest*most })
}

// worst returns the error of the places.
func worst(places []place) (out Error, err error) {
	softest := 0.0
	for i := range places {
		p := &places[i]
		if p.exact > softest {
			softest, out = p.exact, Error{p.lacking(), p.vertex, p.lacking()}
		}
	}
	if !(softest > 0) || math.IsInf(softest, 0) {
		return Error{}, fmt.Errorf("discretization: the body gives way to no load")
	}
	for i := range places {
		p := &places[i]
		if e := p.lacking(); p.exact >= softEnough*softest && math.Abs(e) > math.Abs(out.Lacking) {
			out.Lacking, out.Vertex = e, p.vertex
		}
	}
	return out, nil
}

// lacking returns e of (3).
func (p *place) lacking() float64 { return 1 - p.own/p.exact }

// linear returns the linear law with the elasticity of another one at rest.
func linear(law fem.ConstitutiveLaw) (fem.ConstitutiveLaw, error) {
	mu, lambda := law.Lame()
	return fem.NewLinear(mu*(3*lambda+2*mu)/(lambda+mu), lambda/(2*(lambda+mu)))
}

// spans reports whether three vertices of a list span a plane, so that they fix a body.
func spans(x []r3.Vec, list []int32) bool {
	if len(list) < 3 {
		return false
	}
	_, _, height := widest(x, list)
	return height > 0
}

// widest returns the vertices of a list that are farthest from the first one and from the line
// through both, and the distance from that line over the distance of the two.
func widest(x []r3.Vec, list []int32) (b, c int32, height float64) {
	a := list[0]
	b, c = a, a
	for _, v := range list {
		if x[v].Sub(x[a]).Norm() > x[b].Sub(x[a]).Norm() {
			b = v
		}
	}
	length := x[b].Sub(x[a]).Norm()
	if length == 0 {
		return b, c, 0
	}
	along := x[b].Sub(x[a]).Unit()
	for _, v := range list {
		if h := x[v].Sub(x[a]).Cross(along).Norm() / length; h > height+1e-9 {
			c, height = v, h
		}
	}
	return b, c, height
}
