package sim

// A pressure p(t) pushes on the faces of a region along their normals, and follows them
// (follower pressure, a follower load),
//
//	f_a = −p S_a(x),   S_a = ∫ N_a n dA                                       (1)
//
// with the vector areas S_a of fem/faces.go at the positions x of the start of the step. Its
// tangent −p ∂S_a/∂x_b is not symmetric for a surface with an edge, and not semi-definite, so
// that it has no place in a convex problem: within a step the force is constant, and a search for the state at rest
// takes the symmetric part of it (fem/face_stiffness.go). That is an error of the order of the step in motion and none
// at rest. The sum over a closed surface vanishes whatever its shape. Source: Bonet and Wood, Nonlinear Continuum
// Mechanics for Finite Element Analysis, 9.4.

import (
	"errors"
	"slices"

	"github.com/curlfree/curlfree/fem"
	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/motion"
	"github.com/curlfree/curlfree/r3"
)

var _ = Loads.Register(kinds.Kind[LoadSpec]{
	Name: "pressure", Doc: "Pressure on the surface of a deformable, which follows its faces as they move.",
	About: "The force is that of the geometry at the start of each step.",
	New:   func() LoadSpec { return &PressureSpec{} },
	Samples: func() []LoadSpec {
		top := 0.01
		return []LoadSpec{
			&PressureSpec{Pressure: motion.Constant(200), Body: "pad", Where: Region{ZMin: &top}},
			&PressureSpec{Pressure: &motion.Piecewise{Times: []float64{0, 0.01}, Values: []float64{0, 500}}, Body: "pad"},
		}
	},
})

// PressureSpec are the parameters of a pressure.
type PressureSpec struct {
	// Pressure is the pressure over time, positive where it pushes on the surface, Pa.
	Pressure motion.Motion `key:"pressure,required" unit:"Pa" doc:"pressure over time, positive where it pushes on the surface"`
	// Body is the name of a deformable.
	Body string `key:"body,required" doc:"deformable body" ref:"body"`
	// Where is the region whose faces it acts on.
	Where Region `key:"where" doc:"region of the faces" default:"the whole surface"`
	// Inside restricts the load to faces of closed surfaces inside of the body (cavities).
	Inside bool `key:"inside" doc:"only on faces of cavities: closed surfaces inside of the body"`
}

// Make implements LoadSpec.
func (p *PressureSpec) Make(r *Resolver) (Load, error) {
	if p.Pressure == nil {
		return Load{}, errors.New("pressure is required, in Pa")
	}
	i, err := r.loadedDeformable(p.Body, "pressure")
	if err != nil {
		return Load{}, err
	}
	m := r.model.Deformables[i]
	part, err := p.Where.find(m)
	if err == nil {
		err = part.needFaces()
	}
	if err != nil {
		return Load{}, err
	}
	// a face lies on one surface, so that its first vertex determines which
	if p.Inside {
		cavity := cavities(m)
		part.faces = slices.DeleteFunc(part.faces, func(f fem.Face) bool { return !cavity[f.Verts[0]] })
		if len(part.faces) == 0 {
			return Load{}, errors.New("inside: the region has no face of a cavity; a chamber that is open has none: select its walls by where")
		}
	}
	return Load{Deformable: i, OnVertices: &pressure{part.faces, p.Pressure}}, nil
}

// pressure is the load (1). Faces are in the order of the model, so that sums have the same bits in each run.
type pressure struct {
	faces    []fem.Face
	pressure motion.Motion
}

// AddForces implements VertexLoad.
func (l *pressure) AddForces(t float64, x, force []r3.Vec) {
	// Pa, at the end of the step; the vector areas are those of its start
	p, _ := l.pressure.At(t)
	for i := range l.faces {
		f := &l.faces[i]
		S := f.VectorAreas(x)
		for a, v := range f.Verts[:f.N] {
			force[v] = force[v].AddScaled(-p, S[a])
		}
	}
}

// addStiffness implements followerLoad.
func (l *pressure) addStiffness(t float64, d *fem.Data) {
	p, _ := l.pressure.At(t)
	for i := range l.faces {
		d.AddPressureStiffness(&l.faces[i], p)
	}
}
