package sim

// Random bodies are shot at a fixed plate. None may pass through it, stick in it or leave
// with more energy than it had. A few hundred shots of a fixed seed run in every test;
// CURLFREE_LONG=1 shoots thousands with a fresh seed, which is logged.

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
)

// shot is one body that flies at the plate, whose front is the plane z = 0.
type shot struct {
	shape     string
	law       string
	size      r3.Vec // half extents of the body, m
	h         float64
	plate     float64 // thickness of the plate, m
	speed     float64 // m/s
	spin      r3.Vec  // rad/s
	start     r3.Pose
	direction r3.Vec
	mass      float64
	friction  float64
}

// shotShapes are the shapes that are shot, and shotLaws the contact laws.
var (
	shotShapes = []string{"sphere", "box", "capsule", "cylinder", "ellipsoid", "flat ellipsoid", "lens", "mesh"}
	// shotHulls are convex hulls with sharp tips and edges, which replace one in four of them.
	shotHulls = []string{"cone", "wedge"}
	shotLaws  = []string{"lagged", "lagged_regularized", "similar", "similar_regularized", "sap"}
)

// logUniform returns a number between lo and hi whose logarithm is uniform.
func logUniform(r *rand.Rand, lo, hi float64) float64 {
	return lo * math.Exp(r.Float64()*math.Log(hi/lo))
}

// randomDirection returns a unit vector.
func randomDirection(r *rand.Rand) r3.Vec {
	return r3.Vec{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}.Unit()
}

// newShot draws shot number i of a seed.
func newShot(seed, i uint64, spun bool) shot {
	r := rand.New(rand.NewPCG(seed, i))
	s := shot{
		shape: shotShapes[r.IntN(len(shotShapes))], law: shotLaws[r.IntN(len(shotLaws))],
		h: logUniform(r, 2e-4, 1e-2), plate: logUniform(r, 5e-4, 5e-3), speed: logUniform(r, 1, 100),
		mass: logUniform(r, 0.01, 1), friction: r.Float64(),
	}
	for k := range s.size {
		s.size[k] = 0.01 + 0.05*r.Float64()
	}
	if s.shape == "flat ellipsoid" || s.shape == "lens" {
		s.size[2] = s.size[0] / (4 + 8*r.Float64())
	}
	// at most 60° from the normal of the plate
	s.direction = randomDirection(r)
	s.direction[2] = -0.5 - 0.5*math.Abs(s.direction[2])
	s.direction = s.direction.Unit()
	if spun {
		s.spin = randomDirection(r).Scale(r.Float64() / s.h)
	}
	// the impact comes at a random phase of the second or third step
	back := s.speed * s.h * (1 + r.Float64())
	s.start = r3.Pose{R: r3.RotExp(randomDirection(r).Scale(math.Pi * r.Float64())), P: s.direction.Scale(-back)}
	s.start.P[2] += math.Max(s.size.Norm(), s.size[0]/2+s.size[2]) + 0.001 // no shape reaches farther
	if k := r.IntN(4 * len(shotHulls)); k < len(shotHulls) {
		s.shape = shotHulls[k] // drawn last, so that the other shots are those of the same seed without hulls
	}
	return s
}

// String describes the shot.
func (s shot) String() string {
	return fmt.Sprintf("%s of %.1f × %.1f × %.1f mm, %s, %.2g m/s (%.2f mm a step), %.2f rad a step, h %.2g ms, plate %.2g mm",
		s.shape, 2e3*s.size[0], 2e3*s.size[1], 2e3*s.size[2], s.law, s.speed, 1e3*s.speed*s.h, s.spin.Norm()*s.h, 1e3*s.h, 1e3*s.plate)
}

// makeShape returns the shape.
func (s shot) makeShape() geometry.Shape {
	a := s.size
	switch s.shape {
	case "sphere":
		return must(geometry.NewSphere(a[0]))
	case "box":
		return must(geometry.NewBox(a.Scale(2)))
	case "capsule":
		return must(geometry.NewCapsule(a[0]/2, 2*a[2]))
	case "cylinder":
		return must(geometry.NewCylinder(a[0], 2*a[2]))
	case "lens":
		// flat hull of two caps that meet in a sharp rim
		var p []r3.Vec
		for i := range 5 {
			u := float64(i) / 4
			for j := range 16 {
				y, x := math.Sincos(2 * math.Pi * float64(j) / 16)
				q := r3.Vec{a[0] * u * x, a[0] * u * y, a[2] * (1 - u*u)}
				p = append(p, q, r3.Vec{q[0], q[1], -q[2]})
			}
		}
		return must(geometry.NewConvex(p))
	case "cone", "wedge":
		return must(geometry.NewConvex(hullPoints(s.shape, a)))
	case "mesh":
		return must(geometry.NewMesh(must(geometry.NewBox(a.Scale(2))).SurfaceMesh()))
	}
	return must(geometry.NewEllipsoid(a))
}

// hullPoints returns the corners of a cone on a base of 16 sides, or of a wedge, a prism of
// three sides, with the centre of mass at the origin and within the half extents a.
func hullPoints(shape string, a r3.Vec) []r3.Vec {
	if shape == "wedge" { // its sharp edge is above
		var p []r3.Vec
		for _, y := range []float64{-a[1], a[1]} {
			p = append(p, r3.Vec{-a[0], y, -a[2] / 2}, r3.Vec{a[0], y, -a[2] / 2}, r3.Vec{0, y, a[2]})
		}
		return p
	}
	p := []r3.Vec{{0, 0, a[2]}}
	for j := range 16 {
		y, x := math.Sincos(2 * math.Pi * float64(j) / 16)
		p = append(p, r3.Vec{a[0] * x, a[0] * y, -a[2] / 3})
	}
	return p
}

// build returns the scene of the shot: impacts are stiff enough to press the surfaces in by
// a fraction of the plate.
func (s shot) build(t testing.TB) (*Stepper, *State) {
	w := newScaffold(t)
	w.Gravity = r3.Vec{}
	w.Contact = contactModel(s.law, constraints.DefaultNormalModel)
	k := s.mass * math.Pow(s.speed/(0.2*s.plate), 2)
	mat := w.material(math.Max(1e6, k), 1, s.friction)
	w.geom(geometry.World, at(0, 0, -s.plate/2), w.box(plateSide, plateSide, s.plate), mat)
	w.body("body", s.makeShape(), s.mass, s.start, s.spin, s.direction.Scale(s.speed), mat)
	return w.build()
}

// plateSide is the side of the plate, m.
const plateSide = 6

// shoot runs a shot. It returns what is wrong with the end, or "".
func (s shot) shoot(t testing.TB) string {
	p, x := s.build(t)
	defer p.Close()
	before := p.rigid.KineticEnergy()
	lowest := math.Inf(1)
	for range 14 {
		// strong impacts may reach the limit of iterations under some laws
		if err := p.Step(x, s.h); err != nil && !errors.Is(err, ErrNotConverged) {
			return "fails: " + err.Error()
		}
		p.Place(x, s.h)
		if e := p.rigid.KineticEnergy(); e > before*(1+1e-6) {
			return fmt.Sprintf("gains energy: %.4g J of %.4g J", e, before)
		}
		lowest = math.Min(lowest, p.kin.Pose(0).P[2])
		if lowest < -s.plate {
			return fmt.Sprintf("passes: its centre is at %.3g mm", 1e3*lowest)
		}
	}
	// parts of the body beyond the back of the plate, unless it slid off the edge
	at := p.kin.Pose(0).P
	onPlate := math.Max(math.Abs(at[0]), math.Abs(at[1])) < plateSide/2
	if z := lowestPoint(p); onPlate && z < -s.plate && at[2] < s.size.Norm() {
		return fmt.Sprintf("sticks: its lowest point is at %.3g mm", 1e3*z)
	}
	return ""
}

// softShot is a deformable block or plate that flies at the plate.
type softShot struct {
	shot
	cells   [3]int
	modulus float64 // Pa
}

// newSoftShot draws soft shot number i of a seed: half of them flat and head-on.
func newSoftShot(seed, i uint64) softShot {
	r := rand.New(rand.NewPCG(seed, i))
	s := softShot{shot: newShot(seed, i, i%2 == 1), modulus: logUniform(r, 1e5, 1e8)}
	s.cells = [3]int{1 + r.IntN(4), 1 + r.IntN(4), 1 + r.IntN(2)}
	s.shape = "soft block"
	if r.IntN(2) == 0 {
		s.shape = "soft plate"
		s.size[2] = 0.001 + 0.003*r.Float64()
	}
	if r.IntN(2) == 0 {
		s.spin, s.direction = r3.Vec{}, r3.Vec{0, 0, -1}
		s.start = r3.Pose{R: r3.Identity(), P: r3.Vec{0.1 * r.Float64(), 0.1 * r.Float64(), s.start.P[2]}}
	}
	return s
}

// shoot runs the shot. It returns what is wrong with the end, or "".
func (s softShot) shoot(t testing.TB) string {
	w := newScaffold(t)
	w.Gravity = r3.Vec{}
	w.Contact = contactModel(s.law, constraints.DefaultNormalModel)
	// an impact within a step presses the surfaces in by a fraction of the plate
	mat := w.contactMaterial(constraints.ContactMaterial{Stiffness: 1e9, Dissipation: 1, RelaxationTime: 1e-4,
		PressureGradient: math.Max(1e8, 1000*2*s.size[2]*s.speed/s.h/(0.2*s.plate)), StaticFriction: s.friction, Friction: s.friction})
	w.geom(geometry.World, at(0, 0, -s.plate/2), w.box(6, 6, s.plate), mat)
	w.soft("body", s.size.Scale(2), s.cells, s.modulus, s.start, s.direction.Scale(s.speed), mat)
	p, x := w.build()
	defer p.Close()
	for i := range p.Model.Deformables[0].NumVerts() {
		u := s.spin.Cross(p.Geometry.X_W[0][i].Sub(s.start.P))
		for k := range 3 {
			x.V[3*i+k] += u[k]
		}
	}
	for range 14 {
		if err := p.Step(x, s.h); err != nil && !errors.Is(err, ErrNotConverged) {
			return "fails: " + err.Error()
		}
		p.Place(x, s.h)
		if n, of, z := verticesBehind(p, s.plate); 2*n >= of {
			return fmt.Sprintf("passes: %d of %d vertices are through, to %.3g mm", n, of, 1e3*z)
		}
	}
	if n, of, z := verticesBehind(p, s.plate); n > 0 {
		return fmt.Sprintf("sticks: %d of %d vertices are through, to %.3g mm", n, of, 1e3*z)
	}
	return ""
}

// verticesBehind returns how many vertices of the surface of deformable 0 are beyond the back
// of a plate, of how many, and the z of the lowest.
func verticesBehind(p *Stepper, plate float64) (n, of int, lowest float64) {
	surface := map[int32]bool{}
	for _, tri := range p.Model.Geometry.Deformables[0].Tris {
		for _, v := range tri {
			surface[v] = true
		}
	}
	for v := range surface {
		z := p.Geometry.X_W[0][v][2]
		if lowest = math.Min(lowest, z); z < -plate {
			n++
		}
	}
	return n, len(surface), lowest
}

func TestNoDeformablePassesAPlate(t *testing.T) {
	seed, n := shots(t, 60)
	failed := 0
	for i := range n {
		s := newSoftShot(seed, uint64(i))
		if what := s.shoot(t); what != "" {
			if failed++; failed <= 10 {
				t.Errorf("shot %d: %v, E %.2g, cells %v\n%s", i, s, s.modulus, s.cells, what)
			}
		}
	}
	t.Logf("%d of %d failed", failed, n)
}

// lowestPoint returns the least z of the surface of body 0.
func lowestPoint(p *Stepper) float64 {
	z := math.Inf(1)
	for _, g := range p.Model.Geometry.Geoms {
		if g.Body != 0 {
			continue
		}
		X := p.kin.Pose(0).Mul(g.X_BG)
		down := X.R.TMulVec(r3.Vec{0, 0, -1})
		if s, ok := g.Shape.(geometry.SupportMap); ok {
			z = math.Min(z, X.Point(s.Support(down))[2]-s.Rounding())
			continue
		}
		for _, v := range g.Shape.SurfaceMesh().Verts {
			z = math.Min(z, X.Point(v)[2])
		}
	}
	return z
}

// shots returns the seed and number of the shots of a test.
func shots(t *testing.T, few int) (seed uint64, n int) {
	seed, n = 1, few
	if os.Getenv("CURLFREE_LONG") != "" {
		seed, n = uint64(time.Now().UnixNano()), 5000
	}
	if v, err := strconv.ParseUint(os.Getenv("CURLFREE_SEED"), 10, 64); err == nil {
		seed = v
	}
	if v, err := strconv.Atoi(os.Getenv("CURLFREE_SHOTS")); err == nil {
		n = v
	}
	t.Logf("seed %d, %d shots", seed, n)
	return seed, n
}

func TestNoBodyPassesAPlate(t *testing.T) {
	for _, spun := range []bool{false, true} {
		seed, n := shots(t, 150)
		bad := map[string]int{}
		all := map[string]int{}
		failed := 0
		for i := range n {
			s := newShot(seed, uint64(i), spun)
			all[s.shape]++
			if what := s.shoot(t); what != "" {
				bad[s.shape]++
				if failed++; failed <= 10 {
					t.Errorf("shot %d, spun %v: %v\n%s", i, spun, s, what)
				}
			}
		}
		t.Logf("spun %v: %d of %d failed: %v of %v", spun, failed, n, bad, all)
	}
}
