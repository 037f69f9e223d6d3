package parts

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/repair"
	"github.com/curlfree/curlfree/r3"
)

// offThread returns how far along the axis a point lies from the middle of the
// nearest ridge of a thread, m: ridges are helices z = s l θ/2π + n p, with the
// lead l and s = −1 for left-handed threads.
func (t Thread) offThread(p r3.Vec) float64 {
	turn := math.Atan2(p[1], p[0]) / (2 * math.Pi)
	if t.Left {
		turn = -turn
	}
	z := p[2] - float64(t.Starts)*t.Pitch*turn
	return z - t.Pitch*math.Round(z/t.Pitch)
}

// randomScrew has an ISO profile with random diameter, pitch, starts, hand and
// clearance.
func randomScrew(r *rand.Rand) Screw {
	pitch := 0.5e-3 * (1 + r.Float64())
	s := Screw{Thread: ISOThread(pitch*(6+4*r.Float64()), pitch)}
	s.Starts, s.Left = 1+r.IntN(3), r.IntN(2) == 0
	s.Clearance = 0.05 * pitch * r.Float64()
	s.Length = pitch * (5 + 3*r.Float64())
	s.Bore = 0.4 * s.Minor
	s.Chord, s.Across = 0.03*pitch, 6 // three rows on a flank
	return s
}

// Vertices between root and crest lie on the helicoid: off the ridge's middle by
// p/4 − (ρ − r₂) tan φ − c/cos φ. The thread has its full depth between the ends.
func TestScrewVerticesLieOnTheHelicoid(t *testing.T) {
	r := rand.New(rand.NewPCG(311, 1))
	for range 8 {
		s := randomScrew(r)
		m, err := s.Surface()
		if err != nil {
			t.Fatal(err)
		}
		crest, root := s.Major/2-s.Clearance, s.Minor/2-s.Clearance
		onCrest, onFlank := 0, 0
		full := s.mesh().full()
		for _, p := range m.Verts {
			rho := math.Hypot(p[0], p[1])
			if math.Abs(p[2]) > full/2-s.Pitch/2 || rho < 0.9*root {
				continue // faded ends, bore
			}
			off := math.Abs(s.offThread(p))
			// Half width of the ridge at this radius.
			w := s.Pitch/4 - (rho-s.PitchDiameter/2)*math.Tan(s.FlankAngle) - s.Clearance/math.Cos(s.FlankAngle)
			switch {
			case rho > crest-1e-9: // the crest is flat: at most as wide as the ridge
				onCrest++
				if off > w+1e-9 {
					t.Errorf("a vertex of the crest is %g m off the middle, the ridge is %g m wide there", off, 2*w)
				}
			case rho > root+1e-9:
				onFlank++
				near(t, "distance of a flank from the middle", off, w, 1e-9)
			case off < w-1e-9:
				t.Errorf("a vertex of the root lies inside of the ridge: %g m off the middle, half width %g m", off, w)
			}
		}
		if onCrest == 0 || onFlank == 0 {
			t.Errorf("%d vertices on crests, %d on flanks", onCrest, onFlank)
		}
	}
}

// A nut's groove is the same helicoid with the clearance on the other side, so that
// screw and nut of one basic profile leave the normal distance c_screw + c_nut.
func TestNutVerticesLieOnTheHelicoid(t *testing.T) {
	r := rand.New(rand.NewPCG(312, 1))
	for range 6 {
		s := randomScrew(r)
		n := nutOf(s)
		n.Resolution = s.Resolution
		m, err := n.Surface()
		if err != nil {
			t.Fatal(err)
		}
		_, root := n.radii()
		seen := 0
		for _, p := range m.Verts {
			rho := math.Hypot(p[0], p[1])
			if rho > root-1e-9 || rho < n.Minor/2+n.Clearance+1e-9 || math.Abs(p[2]) > n.mesh().full()/2-n.Pitch/2 {
				continue
			}
			seen++
			w := n.Pitch/4 - (rho-n.PitchDiameter/2)*math.Tan(n.FlankAngle) + n.Clearance/math.Cos(n.FlankAngle)
			near(t, "distance of a flank from the middle of the groove", math.Abs(n.offThread(p)), w, 1e-9)
		}
		if seen == 0 {
			t.Error("no vertex between root and crest")
		}
	}
}

// Moved by the angle θ about its axis and by l θ/2π along it, the threaded middle of
// a screw falls on itself.
func TestScrewsFallOnThemselvesWhenScrewed(t *testing.T) {
	r := rand.New(rand.NewPCG(313, 1))
	for range 4 {
		s := randomScrew(r)
		m, err := s.Surface()
		if err != nil {
			t.Fatal(err)
		}
		d := meshes.NewDistance(m)
		full := s.mesh().full()
		for range 150 {
			// A random vertex of the middle, screwed by up to a quarter of the full thread.
			p := m.Verts[r.IntN(len(m.Verts))]
			if math.Hypot(p[0], p[1]) < 0.9*s.Minor/2 || math.Abs(p[2]) > full/4 {
				continue
			}
			theta := (2*r.Float64() - 1) * full / 4 / s.Lead() * 2 * math.Pi
			z := s.Lead() * theta / (2 * math.Pi)
			if s.Left {
				z = -z
			}
			q := r3.RotExp(r3.Vec{0, 0, theta}).MulVec(p).Add(r3.Vec{0, 0, z})
			if phi, _, _, _, _ := d.Signed(q); math.Abs(phi) > 1.01*s.Chord {
				t.Errorf("a vertex screwed by %.2f rad lies %g m off, the chord error is %g m", theta, phi, s.Chord)
			}
		}
	}
}

// A plane through the axis of a screw cuts as many ridges as fit: crests and roots
// alternate, the distance of crests is the pitch.
func TestRidgesFollowAtThePitch(t *testing.T) {
	r := rand.New(rand.NewPCG(314, 1))
	for range 5 {
		s := randomScrew(r)
		m, err := s.Surface()
		if err != nil {
			t.Fatal(err)
		}
		// Vertices of the crest in the column at angle 0.
		crest, _ := s.radii()
		var z []float64
		for _, p := range m.Verts {
			if math.Abs(p[1]) < 1e-12 && p[0] > crest-1e-9 {
				z = append(z, p[2])
			}
		}
		// Middles of groups closer than half a pitch.
		var middles []float64
		for i := 0; i < len(z); {
			j := i
			for j+1 < len(z) && z[j+1]-z[i] < s.Pitch/2 {
				j++
			}
			if j > i {
				middles = append(middles, (z[i]+z[j])/2)
			}
			i = j + 1
		}
		if want := int(s.mesh().full() / s.Pitch); len(middles) < want-1 || len(middles) == 0 {
			t.Errorf("%d crests over %g pitches of full thread", len(middles), s.mesh().full()/s.Pitch)
		}
		for _, x := range middles {
			near(t, "a crest over the pitch", x/s.Pitch, math.Round(x/s.Pitch), 1e-6)
		}
	}
}

// The second theorem of Pappus, and the first: a polygon turned in k steps has on
// each edge of length L and mean radius R frusta of a pyramid; their area converges
// to 2π R L from below with the square of the step.
func TestRevolvedAreasConvergeToPappus(t *testing.T) {
	r := rand.New(rand.NewPCG(315, 1))
	for range 5 {
		v := Revolve{}
		want := 0.0
		n := 3 + r.IntN(5)
		for i := range n { // a star off the axis
			a := 2e-3 * (0.5 + 0.5*r.Float64())
			p := polar(a, 2*math.Pi*float64(i)/float64(n))
			v.Profile = append(v.Profile, [2]float64{5e-3 + p[0], p[1]})
		}
		for i, p := range v.Profile {
			q := v.Profile[(i+1)%n]
			want += math.Pi * (p[0] + q[0]) * math.Hypot(p[0]-q[0], p[1]-q[1])
		}
		var off []float64
		for _, chord := range []float64{80e-6, 20e-6, 5e-6} { // each halves the step
			v.Chord = chord
			m, err := v.Surface()
			if err != nil {
				t.Fatal(err)
			}
			area := 0.0
			for _, tri := range m.Tris {
				a, b, c := m.Verts[tri[0]], m.Verts[tri[1]], m.Verts[tri[2]]
				area += b.Sub(a).Cross(c.Sub(a)).Norm() / 2
			}
			off = append(off, want-area)
		}
		for k := range 2 {
			if order := math.Log2(off[k] / off[k+1]); !(order > 1.7 && order < 2.3) {
				t.Errorf("area off by %g m²: order %.2f, want 2", off, order)
			}
		}
		// Volumes: order 2 with the exact factor (k/2π) sin(2π/k).
		k := float64(v.sides())
		m, _ := v.Surface()
		near(t, "volume", m.Volume(), v.Volume()*k/(2*math.Pi)*math.Sin(2*math.Pi/k), 1e-9*v.Volume())
	}
}

// The corners of the profile appear on every meridian, those on the axis once; the
// Euler characteristic is 0 for a ring and 2 for a solid that touches the axis.
func TestRevolvedSurfacesHaveTheirCounts(t *testing.T) {
	r := rand.New(rand.NewPCG(316, 1))
	for range 10 {
		// A stepped profile from the axis or from a bore.
		inner := []float64{0, 1e-3}[r.IntN(2)]
		steps := 1 + r.IntN(4)
		profile := [][2]float64{{inner, 0}}
		z := 0.0
		last := inner
		for range steps {
			radius := 2e-3 * (1 + r.Float64())
			for math.Abs(radius-last) < 1e-5 {
				radius *= 1.1
			}
			last = radius
			h := 1e-3 * (1 + r.Float64())
			profile = append(profile, [2]float64{radius, z}, [2]float64{radius, z + h})
			z += h
		}
		profile = append(profile, [2]float64{inner, z})
		v := Revolve{Profile: profile}
		if r.IntN(2) == 0 {
			slices.Reverse(v.Profile)
		}
		m, err := v.Surface()
		if err != nil {
			t.Fatal(err)
		}
		k, corners := v.sides(), len(profile)
		verts, euler := k*corners, 0
		if inner == 0 {
			verts, euler = k*(corners-2)+2, 2
		}
		d := repair.Diagnose(m)
		if len(m.Verts) != verts || d.Euler != euler || d.InsideOut != 0 {
			t.Errorf("%d corners, %d sides, bore %g: %d vertices, want %d; Euler %d, want %d", corners, k, inner, len(m.Verts), verts, d.Euler, euler)
		}
		// Exact volume: a stack of cylinders less the bore.
		want := 0.0
		for i := 1; i+2 < corners; i += 2 {
			p, q := profile[i], profile[i+1]
			want += math.Pi * (p[0]*p[0] - inner*inner) * math.Abs(q[1]-p[1])
		}
		near(t, "volume", v.Volume(), want, 1e-12*want)
	}
}
