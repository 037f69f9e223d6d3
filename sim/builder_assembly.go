package sim

import (
	"errors"
	"fmt"
	"maps"

	"github.com/curlfree/curlfree/fem"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/rigid"
)

// assembly is a model while Build makes it from the builder's items, in this order: bodies
// and deformables, their numbers, poses, constraints, drives, signals. Items in which a
// fault was found are left out, and items that depend on them too.
type assembly struct {
	*Builder
	// the model so far, the faults found, and names of what has a number
	m     *Model
	errs  []error
	names Resolver

	// links in their order
	trees  rigid.Builder
	X_W0   map[string]r3.Pose // X_WB of bodies with all joints at zero
	starts []jointStart
	// geoms and deformables in their order
	geoms    []geometry.Geom
	pressure []*ShapeSpec // of geoms: what their pressure fields need
	made     []*deformableItem
	surfaces []geometry.Deformable
}

// jointStart is where the joint of a link starts.
type jointStart struct {
	item *bodyItem
	q, v []float64
}

// newAssembly returns the assembly of a model without items, with the builder's settings
// and the faults found when items were added.
func newAssembly(b *Builder) *assembly {
	a := &assembly{Builder: b, X_W0: map[string]r3.Pose{}}
	a.m = &Model{
		Contact: b.Contact, FrictionLag: b.FrictionLag, Gravity: b.Gravity, RelTol: b.RelTol, MaxIterations: b.MaxIterations,
		ConditionNumber: b.ConditionNumber, SpeculativeMargin: b.SpeculativeMargin, Rule: b.Rule, Control: b.Control,
		Names: newNames(), uncommanded: maps.Clone(b.uncommanded),
	}
	a.names = Resolver{model: a.m, limits: map[string]jointLimits{}, followers: map[string]bool{}}
	for _, m := range b.mimics {
		a.names.followers[m.joint] = true
	}
	a.errs = append(a.errs, b.added...)
	return a
}

// fail notes a fault of an item: its kind and name, and what is wrong and how to repair it.
// Building continues, so that one run reports all faults.
func (a *assembly) fail(kind, name, format string, args ...any) {
	a.errs = append(a.errs, &Diagnostic{kind, name, fmt.Errorf(format, args...)})
}

// warn notes what is doubtful about an item. The model is built all the same.
func (a *assembly) warn(kind, name, format string, args ...any) {
	a.warnings = append(a.warnings, &Diagnostic{kind, name, fmt.Errorf(format, args...)})
}

// failed returns all faults found, or nil.
func (a *assembly) failed() error { return errors.Join(a.errs...) }

// plant numbers the velocities of links, tree by tree, and writes where they start. Then
// geoms and deformables have their bodies' numbers.
func (a *assembly) plant() {
	if len(a.errs) > 0 {
		return
	}
	// numbers of positions and velocities
	a.trees.MaxTreeDofs = a.MaxTreeDofs
	a.follow()
	if len(a.errs) > 0 {
		return
	}
	trees, err := a.trees.Build()
	if err != nil {
		a.fail("model", "", "%w", err)
		return
	}
	m := a.m
	m.Rigid = trees
	m.Start.Q, m.Start.V = trees.Start()
	// starts of joints, and names of those with one degree of freedom
	for link, s := range a.starts {
		copy(m.Start.Q[trees.QStart(link):], s.q)
		copy(m.Start.V[trees.VStart(link):], s.v)
		if _, nv := trees.Link(link).Joint.Size(); nv == 1 {
			m.Names.Joints[s.item.jointName()] = trees.VStart(link)
			if j := s.item.spec.Joint; j != nil {
				a.names.limits[j.nameOr(s.item.name)] = j.limits()
			}
		}
	}
	// contact, with deformables numbered after the links
	a.pressureFields()
	for i := range a.surfaces {
		a.surfaces[i].Body = trees.NumLinks() + i
		m.Names.Bodies[a.surfaces[i].Name] = trees.NumLinks() + i
	}
	m.Geometry = &geometry.Model{NumRigid: trees.NumLinks(), Geoms: a.geoms, Deformables: a.surfaces}
}

// place computes X_WB of all rigid bodies at the start.
func (a *assembly) place() {
	// prescribed motions need a step, over which their velocity is taken
	m := a.m
	kin := m.Rigid.NewData()
	nq, nv := m.RigidSize()
	h := a.TimeStep
	if !(h > 0) {
		h = DefaultTimeStep
	}
	kin.Place(0, h, m.Start.Q[:nq], m.Start.V[:nv])
	a.names.poses = append([]r3.Pose(nil), kin.Poses()...)
}

// isLinear reports whether a deformable takes rotation for strain. Such a body must not
// turn far: its stress would be false.
func isLinear(m *fem.Model) bool { return m.Spec().Law.Class() == fem.Linear }
