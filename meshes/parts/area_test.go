package parts

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/curlfree/curlfree/meshes"
)

// simpson integrates f from a to b.
func simpson(f func(float64) float64, a, b float64) float64 {
	const n = 400
	h := (b - a) / n
	sum := f(a) + f(b)
	for i := 1; i < n; i++ {
		sum += float64(2+2*(i%2)) * f(a+float64(i)*h)
	}
	return sum * h / 3
}

// A ring gear is a disc of the outer diameter less the disc inside its tips and less
// its gaps, z ∫ 2 ψ(ρ) ρ dρ from tip to root with the half angle of a gap
//
//	ψ(ρ) = ψ_p + inv α_t − inv acos(r_b/ρ),  ψ_p = (π m_t/2 + 2 x m tan α_t + j)/(2 r)
//
// Its volume converges to that as the chord error falls.
func TestRingGearsHaveTheVolumeOfTheirGaps(t *testing.T) {
	r := rand.New(rand.NewPCG(331, 1))
	for range 3 {
		g := DefaultRingGear()
		g.Teeth = 40 + r.IntN(20)
		g.Shift, g.Backlash = 0.2*r.Float64(), 0.05*g.Module*r.Float64()
		g.Outer = g.Module * float64(g.Teeth+8)
		pitch := g.Module * float64(g.Teeth) / 2
		rb := pitch * math.Cos(g.PressureAngle)
		tip, root := pitch-(g.Addendum-g.Shift)*g.Module, pitch+(g.Addendum+g.Clearance+g.Shift)*g.Module
		middle := (math.Pi*g.Module/2 + 2*g.Shift*g.Module*math.Tan(g.PressureAngle) + g.Backlash) / (2 * pitch)
		half := func(rho float64) float64 { return middle + inv(g.PressureAngle) - inv(math.Acos(rb/rho)) }
		gaps := float64(g.Teeth) * simpson(func(rho float64) float64 { return 2 * half(rho) * rho }, tip, root)
		want := (math.Pi*(g.Outer*g.Outer/4-tip*tip) - gaps) * g.FaceWidth
		var off []float64
		for _, chord := range []float64{20e-6, 5e-6} {
			g.Chord = chord
			s, err := g.Surface()
			if err != nil {
				t.Fatal(err)
			}
			// Each circle and flank is off by at most the chord error.
			off = append(off, math.Abs(s.Volume()-want))
			round := 2*math.Pi*(g.Outer/2+root) + float64(g.Teeth)*2*(root-tip)*1.2
			if limit := round * chord * g.FaceWidth; off[len(off)-1] > limit {
				t.Errorf("%d teeth, chord %g: volume off by %g m³, at most %g", g.Teeth, chord, off[len(off)-1], limit)
			}
		}
		if off[1] > 0.8*off[0] || off[1] > 5e-4*want {
			t.Errorf("%d teeth: volumes are off by %g", g.Teeth, off)
		}
	}
}

// Twisting a section keeps its area: a helical gear has the volume of its end face
// times the width, and left and right hands have the same.
func TestHelixKeepsTheSection(t *testing.T) {
	r := rand.New(rand.NewPCG(332, 1))
	for range 4 {
		g := pinion()
		g.Helix = rad(5 + 10*r.Float64())
		g.Layers = 3
		s, err := g.Surface()
		if err != nil {
			t.Fatal(err)
		}
		// Area of the end face by its triangles.
		area := 0.0
		for _, v := range s.Tris {
			a, b, c := s.Verts[v[0]], s.Verts[v[1]], s.Verts[v[2]]
			if top := g.FaceWidth / 2; math.Abs(a[2]-top)+math.Abs(b[2]-top)+math.Abs(c[2]-top) < 1e-12 {
				area += b.Sub(a).Cross(c.Sub(a)).Norm() / 2
			}
		}
		near(t, "volume over that of the section", s.Volume()/(area*g.FaceWidth), 1, 0.01)
		// Left and right helices are mirror images.
		left := g
		left.Helix = -g.Helix
		m, err := left.Surface()
		if err != nil {
			t.Fatal(err)
		}
		near(t, "volume of the left hand", m.Volume()/s.Volume(), 1, 0.005)
	}
}

// The default cup has a volume of 277 ml, as its description says: what fits inside is the
// volume of the outer cylinder less that of the cup.
func TestDefaultCupHasItsStatedVolume(t *testing.T) {
	c := DefaultCup()
	inside := math.Pi / 4 * math.Pow(c.Outer-2*c.Wall, 2) * (c.Height - c.Bottom)
	near(t, "capacity, ml", inside*1e6, 277, 0.5)
	c.Chord = 1e-5
	s, err := c.Surface()
	if err != nil {
		t.Fatal(err)
	}
	outer := math.Pi / 4 * c.Outer * c.Outer * c.Height
	near(t, "capacity of the mesh, ml", (outer-s.Volume())*1e6, 277, 1)
	// It is open to +z: a point above the bottom is outside, one in the bottom inside.
	d := meshes.NewDistance(s)
	b := s.Bounds()
	for _, p := range []struct {
		z, want float64
	}{{b.Min[2] + c.Bottom/2, -c.Bottom / 2}, {b.Min[2] + c.Bottom + 5e-3, 5e-3}, {b.Max[2] + 1, 0}} {
		q := b.Min
		q[0], q[1], q[2] = 0, 0, p.z
		phi, _, _, _, _ := d.Signed(q)
		if p.want != 0 {
			near(t, "distance on the axis", phi, p.want, 1e-12)
		} else if phi < 1 {
			t.Errorf("1 m above the cup the distance is %g m", phi)
		}
	}
}

// A gear rolls on its rack without slip: in a turn the rack travels z pitches, and
// the flank clearance is half of both backlashes times cos α_n cos β.
func TestRacksTravelByTheirPitch(t *testing.T) {
	r := rand.New(rand.NewPCG(333, 1))
	for range 15 {
		g := DefaultSpur()
		g.Teeth = 18 + r.IntN(30)
		g.Helix = rad(20*r.Float64() - 10)
		g.Backlash = 20e-6 * r.Float64()
		k := DefaultRack()
		k.Helix, k.Backlash = -g.Helix, 20e-6*r.Float64()
		p, err := NewPair(g, k)
		if err != nil {
			t.Fatal(err)
		}
		near(t, "travel in a turn, pitches", math.Abs(p.Ratio)*2*math.Pi/k.Pitch(), float64(g.Teeth), 1e-9)
		near(t, "flank clearance", p.FlankClearance, (g.Backlash+k.Backlash)/2*math.Cos(g.PressureAngle)*math.Cos(g.Helix), 1e-12)
		// A turn by one tooth moves the rack by one pitch, from any angle.
		q := 2 * math.Pi * r.Float64()
		step := math.Abs(p.Mate(q+2*math.Pi/float64(g.Teeth)) - p.Mate(q))
		near(t, "travel of a tooth over the pitch", math.Mod(step/k.Pitch()+0.5, 1), 0.5, 1e-6)
	}
}
