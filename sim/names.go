package sim

import (
	"fmt"
	"maps"
	"slices"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
)

// worldName is the name of the world among bodies. No body may have it.
const worldName = "world"

// Names are the numbers of a model's items by their names. A step reads numbers only; names
// are for scenes, signals, messages and programs.
type Names struct {
	// Bodies are the numbers of scene bodies, rigid and deformable.
	Bodies map[string]int
	// Deformables are indices into Model.Deformables.
	Deformables map[string]int
	// Joints are the degrees of freedom (velocity numbers) of joints with one degree of
	// freedom: indices into the rigid part of State.V, the field Dof of constraints.
	Joints map[string]int
	// Constraints are indices of the named constraints into Model.Constraints.
	Constraints map[string]int
	// Drives are indices into Model.Constraints of the controllers of joints.
	Drives map[string]int
	// Signals are indices into Model.Signals.
	Signals map[string]int
}

// newNames returns names of no items.
func newNames() *Names {
	return &Names{
		Bodies: map[string]int{}, Deformables: map[string]int{}, Joints: map[string]int{},
		Constraints: map[string]int{}, Drives: map[string]int{}, Signals: map[string]int{},
	}
}

// Body returns the number of a scene body, rigid or deformable; geometry.World for
// "world". It panics when there is no such body.
func (m *Model) Body(name string) int { return must((&Resolver{model: m}).Body(name)) }

// Joint returns the velocity number of a joint with one degree of freedom. It panics
// when there is no such joint.
func (m *Model) Joint(name string) int { return must((&Resolver{model: m}).Joint(name)) }

// must returns x; it panics with an error. A program that looks up an item by a constant name
// has a fault of its own where there is none, not one of its input.
func must[T any](x T, err error) T {
	if err != nil {
		panic("sim: " + err.Error())
	}
	return x
}

var _ constraints.Resolver = (*Resolver)(nil)

// Resolver maps names to the items of a model, while it is built and later.
type Resolver struct {
	model *Model
	poses []r3.Pose // X_WB of rigid bodies, then X_WM of the meshes of deformables, at the start, while a model is built

	// while a model is built
	limits    map[string]jointLimits // of joints with one degree of freedom, by name
	followers map[string]bool        // joints that mimic others
}

// jointLimits are bounds of a joint: ±Inf, or an effort of 0, for none.
type jointLimits struct {
	lower, upper, velocity, effort float64
}

// Model returns the model, some parts of which may not be built yet.
func (r *Resolver) Model() *Model { return r.model }

// Body returns a scene body by name, rigid or deformable; geometry.World for "world"
// and for no name.
func (r *Resolver) Body(name string) (int, error) {
	if name == "" || name == worldName {
		return geometry.World, nil
	}
	return find("body", name, r.model.Names.Bodies)
}

// RigidBody returns a rigid body by name, as Body does; a deformable, which has no frame, is an
// error.
func (r *Resolver) RigidBody(name string) (int, error) {
	if _, ok := r.model.Names.Deformables[name]; ok {
		return 0, fmt.Errorf("%s is deformable: a rigid body is required here", name)
	}
	return r.Body(name)
}

// Bodies returns scene bodies by name.
func (r *Resolver) Bodies(names []string) ([]int, error) {
	var list []int
	for _, name := range names {
		i, err := r.Body(name)
		if err != nil {
			return nil, err
		}
		list = append(list, i)
	}
	return list, nil
}

// Deformable returns the index of a deformable into Model.Deformables.
func (r *Resolver) Deformable(name string) (int, error) {
	return find("deformable", name, r.model.Names.Deformables)
}

// Joint returns the velocity number of a joint with one degree of freedom.
func (r *Resolver) Joint(name string) (int, error) { return find("joint", name, r.model.Names.Joints) }

// Drive returns the index of a joint's controller into Model.Constraints.
func (r *Resolver) Drive(name string) (int, error) { return find("drive", name, r.model.Names.Drives) }

// Constraint returns the index of a constraint into Model.Constraints.
func (r *Resolver) Constraint(name string) (int, error) {
	return find("constraint", name, r.model.Names.Constraints)
}

// Pose returns the pose X_WB of a rigid body at the start, or X_WM of the mesh of a
// deformable.
func (r *Resolver) Pose(body int) r3.Pose {
	if body == geometry.World {
		return r3.PoseIdentity()
	}
	return r.poses[body]
}

// Anchor returns the material point of a body at a point of its frame, of a deformable of
// the frame of its mesh: a point inside of a tetrahedron, or the nearest one of the surface.
// A point farther outside than the nearest elements are long is an error.
func (r *Resolver) Anchor(body int, p_B r3.Vec) (constraints.Anchor, error) {
	a := constraints.Anchor{Body: body, Pos_B: p_B}
	i := body - r.model.Rigid.NumLinks()
	if body == geometry.World || i < 0 {
		return a, nil
	}
	mesh := r.model.Deformables[i].Mesh()
	at := mesh.Locate(p_B)
	// surfaces of meshes lie inside of the round bodies that they stand for
	if off := at.Pos.Sub(p_B).Norm(); off > longestEdge(mesh, at.Verts[:at.N]) {
		box := mesh.Bounds()
		return a, fmt.Errorf("%.4g m lies %.4g m outside of the mesh, which spans %.4g to %.4g m in its own frame", p_B, off, box.Min, box.Max)
	}
	a.Pos_B, a.N, a.Vert, a.W = at.Pos, at.N, at.Verts, at.Weights
	return a, nil
}

// IsDeformable reports whether a scene body is deformable.
func (r *Resolver) IsDeformable(body int) bool { return body >= r.model.Rigid.NumLinks() }

// Element returns the vertices of the element of a deformable that contains, or is nearest to, a
// point in the frame of its mesh (m), and the positions of these vertices in that frame; none for
// a rigid body. Errors are those of Anchor.
func (r *Resolver) Element(body int, p_B r3.Vec) (verts []int32, at []r3.Vec, err error) {
	a, err := r.Anchor(body, p_B)
	if err != nil || a.N == 0 {
		return nil, nil, err
	}
	m := r.model.Deformables[body-r.model.Rigid.NumLinks()]
	var shares []float64
	for i := range m.NumElements() {
		verts, shares = m.Volumes(i, shares)
		has := true
		for _, v := range a.Vert[:a.N] {
			has = has && slices.Contains(verts, v)
		}
		if has {
			break
		}
	}
	for _, v := range verts {
		at = append(at, m.Mesh().Verts[v])
	}
	return verts, at, nil
}

// longestEdge returns the length of the longest edge of the tetrahedra that have all of
// some vertices, m.
func longestEdge(mesh *meshes.Tet, verts []int32) float64 {
	longest := 0.0
	for _, t := range mesh.Tets {
		has := true
		for _, v := range verts {
			has = has && slices.Contains(t[:], v)
		}
		if !has {
			continue
		}
		for i, v := range t {
			for _, u := range t[:i] {
				longest = max(longest, mesh.Verts[v].Sub(mesh.Verts[u]).Norm())
			}
		}
	}
	return longest
}

// Movable reports whether a body is neither the world nor fixed to it.
func (r *Resolver) Movable(body int) bool {
	rigid := r.model.Rigid
	if i := body - rigid.NumLinks(); i >= 0 {
		return r.model.Deformables[i].Dofs() > 0
	}
	return body != geometry.World && !rigid.IsKinematic(body)
}

// find returns the number of an item, or an error that names the nearest one.
func find(kind, name string, numbers map[string]int) (int, error) {
	if i, ok := numbers[name]; ok {
		return i, nil
	}
	return 0, &UnknownError{kind, name, slices.Sorted(maps.Keys(numbers))}
}

// UnknownError reports an unknown name of an item.
type UnknownError struct {
	Kind  string   // kind of the item: "body", "joint", "deformable", "constraint", "drive" or "material"
	Name  string   // unknown name
	Known []string // existing names
}

// Error implements error; it suggests the nearest name.
func (e *UnknownError) Error() string {
	return fmt.Sprintf("unknown %s %q%s", e.Kind, e.Name, kinds.Suggest(e.Name, e.Known))
}

// joint returns the name of the joint of a dof.
func (n *Names) joint(dof int) string {
	for name, k := range n.Joints {
		if k == dof {
			return name
		}
	}
	return ""
}

// orWorld returns a body's name as messages say it.
func orWorld(name string) string {
	if name == "" {
		return worldName
	}
	return name
}
