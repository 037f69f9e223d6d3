package sim

// The volume of the cavities of a deformable, from the vector areas S_a of their faces (fem/faces.go), whose normals
// point out of the material and so into the cavity,
//
//	V = −⅓ Σ x_a·S_a(x),   ∂V/∂x_a = −S_a                                     (1)
//
// V is homogeneous of degree 3 in x, so that (1) is exact for curved faces too; −p S_a are the forces of a pressure p
// in it (load_pressure.go), whose work is p dV.

import (
	"errors"
	"slices"

	"github.com/curlfree/curlfree/fem"
	"github.com/curlfree/curlfree/kinds"
)

// ChamberVolume is the volume (1) of cavities of a deformable.
type ChamberVolume struct {
	// Body is a deformable scene body.
	Body int
	// Faces are those of closed surfaces.
	Faces []fem.Face
}

// Value implements Signal, m³.
func (g ChamberVolume) Value(s *Stepper, _ *State) float64 {
	x := s.Geometry.X_W[g.Body-s.Model.Geometry.NumRigid]
	// about a point nearby: far from the origin digits would be lost
	about, sum := x[g.Faces[0].Verts[0]], 0.0
	for i := range g.Faces {
		f := &g.Faces[i]
		S := f.VectorAreas(x)
		for a, v := range f.Verts[:f.N] {
			sum -= x[v].Sub(about).Dot(S[a])
		}
	}
	return sum / 3
}

var _ = Signals.Register(kinds.Kind[SignalSpec]{
	Name: "chamber_volume", Doc: "Volume of the cavities of a deformable, such as the chambers of a soft actuator.",
	About:   "A cavity is a closed surface inside of the body. With several of them where selects one or more, as a pressure load with inside does.",
	New:     func() SignalSpec { return &ChamberVolumeSpec{} },
	Samples: func() []SignalSpec { return []SignalSpec{&ChamberVolumeSpec{Body: "pot"}} },
})

// ChamberVolumeSpec are the parameters of a ChamberVolume.
type ChamberVolumeSpec struct {
	// Body is the name of a deformable with cavities.
	Body string `key:"chamber_volume,required" doc:"deformable body with cavities" ref:"body"`
	// Where is the region of the cavities.
	Where Region `key:"where" doc:"region that contains all vertices of the cavities" default:"all cavities of the body"`
	ofState
}

// Unit implements SignalSpec.
func (*ChamberVolumeSpec) Unit() string { return "m³" }

// Make implements SignalSpec.
func (p *ChamberVolumeSpec) Make(r *Resolver) (Signal, error) {
	body, err := r.Body(p.Body)
	if err != nil {
		return nil, err
	}
	i, err := r.Deformable(p.Body)
	if err != nil {
		return nil, err
	}
	m := r.model.Deformables[i]
	part, err := p.Where.find(m)
	if err == nil {
		err = part.needFaces()
	}
	if err != nil {
		return nil, err
	}
	cavity := cavities(m)
	faces := slices.DeleteFunc(part.faces, func(f fem.Face) bool { return !cavity[f.Verts[0]] })
	if len(faces) == 0 {
		return nil, errors.New("the region has no face of a cavity: a chamber that is open encloses no volume; close it in the mesh")
	}
	if !isClosed(faces) {
		return nil, errors.New("where has a part of a cavity: give a region that contains all of it, or none")
	}
	return ChamberVolume{Body: body, Faces: faces}, nil
}

// isClosed reports whether each edge of faces belongs to an even number of them.
func isClosed(faces []fem.Face) bool {
	edges := map[[2]int32]int{}
	for i := range faces {
		f := &faces[i]
		n := 3
		if f.N == 4 {
			n = 4
		}
		for k, a := range f.Verts[:n] {
			b := f.Verts[(k+1)%n]
			edges[[2]int32{min(a, b), max(a, b)}]++
		}
	}
	for _, n := range edges {
		if n%2 != 0 {
			return false
		}
	}
	return true
}
