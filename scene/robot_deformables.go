package scene

// Deformables of robot files become deformables of the model, called ROBOT.LINK. The file places the mesh D in
// its frame F at rest, the scene the frame F in the world:
//
//	x_W = X_WF X_FD s X,   s the scale and X a vertex of the mesh's file                      (1)
//
// Vertices behind a wall of the file never move. Walls are planes of F, so that a robot that the scene places
// elsewhere takes them along.

import (
	"github.com/curlfree/curlfree/fem"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/formats"
	"github.com/curlfree/curlfree/scene/robot"
	"github.com/curlfree/curlfree/sim"
)

// deformables adds the deformable bodies of the file.
func (r *robotLoader) deformables() {
	X_WF := r.poseOf(&r.spec.Pose)
	for i := range r.model.Deformables {
		d := &r.model.Deformables[i]
		// each is tried, so that all faults are reported
		mesh, err := r.volumeMesh(d.Mesh)
		if err != nil {
			r.failAt(d.Line, "%v", err)
			continue
		}
		law, err := elasticOf(d)
		if err != nil {
			r.failAt(d.Line, "%v", err)
			continue
		}
		material, ok := r.material(&robot.Geometry{Line: d.Line, Material: d.Material})
		if !ok {
			continue // a fault is reported
		}
		name := r.full(d.Name)
		r.at("deformable", name, d.Line)
		r.nonlinear = r.nonlinear || law.Class() == fem.Nonlinear
		r.builder.AddDeformable(name, sim.DeformableSpec{
			Elements: fem.Tet4, // as Drake and MuJoCo have them: files are written for these
			Mesh:     mesh, Law: law, Density: d.Density, MassDamping: d.MassDamping, StiffnessDamping: d.StiffnessDamping,
			Pose: X_WF.Mul(d.X_FD), Material: material, Attach: walled(d, mesh),
		})
		r.pictures.colors[name] = d.Color
	}
}

// volumeMesh reads a file of tetrahedra, scaled. A surface is not filled: the file means the elements that it has.
func (r *robotLoader) volumeMesh(m *robot.Mesh) (*meshes.Tet, error) {
	file, err := r.meshInput(m, meshFiles{})
	if err != nil {
		return nil, err
	}
	parsed, err := formats.Parse(file.path, file.text)
	if err != nil {
		return nil, err
	}
	// lengths of robot files are in m
	tet, rep, err := parsed.Tet(formats.ReadOptions{Unit: "m"})
	if err != nil {
		return nil, err
	}
	r.reportMesh(file.path, rep, m.Scale != [3]float64{1, 1, 1})
	stretch(tet.Verts, m.Scale)
	return tet, nil
}

// elasticOf returns the constitutive law of a deformable, as a material of the scene would have it.
func elasticOf(d *robot.Deformable) (fem.ConstitutiveLaw, error) {
	m := Material{YoungsModulus: &d.YoungsModulus, PoissonsRatio: &d.PoissonsRatio}
	m.Law.set(d.Law, Pos{})
	return m.elastic()
}

// walled returns the vertices behind walls, each once, as an attachment to the world; none without.
func walled(d *robot.Deformable, mesh *meshes.Tet) []sim.AttachSpec {
	var held []int32
	for i, X := range mesh.Verts {
		x_F := d.X_FD.Point(X)
		for k := range d.Walls {
			if d.Walls[k].Holds(x_F) {
				held = append(held, int32(i))
				break
			}
		}
	}
	if len(held) == 0 {
		return nil
	}
	return []sim.AttachSpec{{Verts: held}}
}
