package hydroelastic

import (
	"encoding/json"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/r3"
)

// testdata/hydro_contact.json: contact surfaces of primitives computed by Drake
// v1.38.0 (QueryObject::ComputeContactSurfaces).
type vectorSide struct {
	Kind  string
	Dims  []float64
	Rigid bool
	E     float64
	Hint  float64
	Slab  float64
}

type vectorPose struct {
	Quat [4]float64 `json:"quat_wxyz"`
	P    r3.Vec
}

func (v vectorPose) pose() r3.Pose {
	q := v.Quat
	w, x, y, z := q[0], q[1], q[2], q[3]
	return r3.Pose{R: r3.Mat{
		1 - 2*(y*y+z*z), 2 * (x*y - w*z), 2 * (x*z + w*y),
		2 * (x*y + w*z), 1 - 2*(x*x+z*z), 2 * (y*z - w*x),
		2 * (x*z - w*y), 2 * (y*z + w*x), 1 - 2*(x*x+y*y)}, P: v.P}
}

type vectorCase struct {
	Name     string
	A, B     vectorSide
	X_WA     vectorPose
	X_WB     vectorPose
	NumFaces int `json:"num_faces"`
	Area     float64
	Force    r3.Vec  `json:"force_on_A_W"`
	Torque   r3.Vec  `json:"torque_on_A_about_Wo"`
	MaxP     float64 `json:"max_face_pressure"`
}

func vectors(t testing.TB) []vectorCase {
	data, err := os.ReadFile("testdata/hydro_contact.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Cases []vectorCase }
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	return file.Cases
}

// body builds a side, with a hint of its own if not zero.
func (v vectorSide) body(t testing.TB, hint float64) Geometry {
	if hint == 0 {
		hint = v.Hint
	}
	opt := Options{HydroelasticModulus: v.E, ResolutionHint: hint}
	if v.Rigid {
		opt.HydroelasticModulus = 1
	}
	var c *Compliant
	var err error
	switch v.Kind {
	case "sphere":
		c, err = NewSphere(v.Dims[0], opt)
	case "box":
		c, err = NewBox(r3.Vec(v.Dims), opt)
	case "cylinder":
		c, err = NewCylinder(v.Dims[0], v.Dims[1], opt)
	case "halfspace":
		if v.Rigid {
			return NewRigidHalfSpace()
		}
		h, err := NewHalfSpace(v.Slab, opt)
		if err != nil {
			t.Fatal(err)
		}
		return h
	default:
		t.Fatalf("unknown kind %q", v.Kind)
	}
	if err != nil {
		t.Fatal(err)
	}
	if v.Rigid {
		return rigidOf(t, c, hint)
	}
	return c
}

// rigidOf returns the surface of a field as a rigid body.
func rigidOf(t testing.TB, c *Compliant, hint float64) *Rigid {
	m, _ := c.Field()
	s, _ := m.Surface()
	r, err := NewRigid(s, hint)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Forces and areas of the reference: of blocks and of cylinders, whose pressure
// is exact at any resolution, to its digits; of spheres, whose facets differ, as
// near to the limit of fine meshes as the reference is.
func TestForcesAgreeWithTheReferenceVectors(t *testing.T) {
	var q Query
	var s ContactSurface
	for _, c := range vectors(t) {
		X_WA, X_WB := c.X_WA.pose(), c.X_WB.pose()
		q.Contact(c.A.body(t, 0), c.B.body(t, 0), X_WA, X_WB, &s)
		force, area := s.Force_W.Neg(), s.Area
		torque := s.Centroid_W.Cross(force).Sub(s.Moment_W)
		if c.NumFaces == 0 {
			if len(s.Faces) > 0 {
				t.Errorf("%s: %d faces, the reference has none", c.Name, len(s.Faces))
			}
			continue
		}
		round := strings.HasPrefix(c.Name, "sphere") || strings.HasPrefix(c.Name, "rigid_sphere")
		// At the hint of 0.05 m a cylinder of the reference has six or so sides.
		coarse := strings.HasPrefix(c.Name, "cylinder") && c.A.Hint > 0.02
		if !round && !coarse {
			if e := force.Sub(c.Force).Norm(); e > 1e-9*c.Force.Norm() {
				t.Errorf("%s: force %.12g, the reference has %.12g", c.Name, force, c.Force)
			}
			if e := math.Abs(area - c.Area); e > 1e-9*c.Area {
				t.Errorf("%s: area %.12g, the reference has %.12g", c.Name, area, c.Area)
			}
			// One point per face: the moment depends on the faces.
			if e := torque.Sub(c.Torque).Norm(); e > 0.1*c.A.Dims[0]*c.Force.Norm() {
				t.Errorf("%s: torque %.4g, the reference has %.4g", c.Name, torque, c.Torque)
			}
			continue
		}
		q.Contact(c.A.body(t, 0.003), c.B.body(t, 0.003), X_WA, X_WB, &s)
		limit, limitArea := s.Force_W.Neg(), s.Area
		mine, theirs := force.Sub(limit).Norm(), c.Force.Sub(limit).Norm()
		if mine > 1.1*theirs+0.01*limit.Norm() {
			t.Errorf("%s: force %.4g, the reference has %.4g, the limit is %.4g", c.Name, force, c.Force, limit)
		}
		if math.Abs(area-limitArea) > 1.1*math.Abs(c.Area-limitArea)+0.05*limitArea {
			t.Errorf("%s: area %.4g, the reference has %.4g, the limit is %.4g", c.Name, area, c.Area, limitArea)
		}
	}
}
