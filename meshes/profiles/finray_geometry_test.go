package profiles

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/curlfree/curlfree/meshes/internal/samples"
)

// randomFinRay changes the default finger; ok is false if the ribs find no room.
func randomFinRay(r *rand.Rand) (f FinRay, p Profile, ok bool) {
	f = DefaultFinRay()
	f.Length *= 0.8 + 0.5*r.Float64()
	f.BaseDepth *= 0.9 + 0.4*r.Float64()
	f.Wall *= 0.6 + 0.5*r.Float64()
	f.Rib *= 0.8 + 0.4*r.Float64()
	f.Ribs = 1 + r.IntN(5)
	f.RibAngle = 0.5*r.Float64() - 0.2
	if r.IntN(2) == 0 { // walls of two thicknesses
		f.BackWall = f.Wall * (0.6 + 0.8*r.Float64())
	}
	f.TipDepth = f.Wall + f.backWall() + 0.002*r.Float64()
	p, err := f.Profile()
	return f, p, err == nil
}

// eachFinRay calls test with n random fingers.
func eachFinRay(t *testing.T, seed uint64, n int, test func(f FinRay, p Profile)) {
	t.Helper()
	r := samples.NewRand(t, seed)
	for tries := 0; n > 0; tries++ {
		if tries > 1000 {
			t.Fatal("too few of the random fingers have room for their ribs")
		}
		if f, p, ok := randomFinRay(r); ok {
			test(f, p)
			n--
		}
	}
}

// solidAlong returns where the line from a to b enters and leaves the profile, m from
// a: by intersection with all edges of the loops.
func solidAlong(p *Profile, a, b vec2) []float64 {
	d := sub2(b, a)
	length := math.Hypot(d[0], d[1])
	var at []float64
	for _, e := range loopEdges(p) {
		u := sub2(e[1], e[0])
		det := d[0]*u[1] - d[1]*u[0]
		if det == 0 {
			continue
		}
		w := sub2(e[0], a)
		s, k := (w[0]*u[1]-w[1]*u[0])/det, (w[0]*d[1]-w[1]*d[0])/det
		if k >= 0 && k < 1 && s > 0 && s < 1 {
			at = append(at, s*length)
		}
	}
	slices.Sort(at)
	return at
}

// The outline encloses a trapezium from the base to where the walls meet, and the
// nose: (d_base + d_tip)/2 (l − l_tip) + d_tip l_tip. What the profile lacks of it are
// the holes, one more than ribs.
func TestFinRayOutlineIsATrapeziumAndANose(t *testing.T) {
	eachFinRay(t, 241, 25, func(f FinRay, p Profile) {
		want := (f.BaseDepth+f.TipDepth)/2*(f.Length-f.TipBlock) + f.TipDepth*f.TipBlock
		if got := math.Abs(loopArea(p.Outer)); math.Abs(got-want) > 1e-12*want {
			t.Errorf("%+v: the outline encloses %g m², want %g", f, got, want)
		}
		holes := 0.0
		for _, h := range p.Holes {
			holes += math.Abs(loopArea(h))
		}
		if len(p.Holes) != f.Ribs+1 || math.Abs(p.Area()-(want-holes)) > 1e-12*want {
			t.Errorf("%d holes of %g m² for %d ribs", len(p.Holes), holes, f.Ribs)
		}
		lo, hi := p.bounds()
		if lo != (vec2{0, 0}) || math.Abs(hi[0]-f.Length) > 1e-15 || math.Abs(hi[1]-f.BaseDepth) > 1e-15 {
			t.Errorf("%+v: from %v to %v", f, lo, hi)
		}
	})
}

// Lines across the walls, clear of ribs and blocks: the front wall is as thick as
// Wall, the back wall as thick as BackWall or else Wall, measured along its normal.
func TestFinRayWallsHaveTheirThickness(t *testing.T) {
	r := samples.NewRand(t, 242)
	eachFinRay(t, 243, 20, func(f FinRay, p Profile) {
		// The angle of the back wall from the front.
		slope := math.Atan((f.BaseDepth - f.TipDepth) / (f.Length - f.TipBlock))
		seen := 0
		thinnest := [2]float64{math.Inf(1), math.Inf(1)}
		for range 200 {
			// Before the mitre at the nose, where the back wall bends.
			x := f.BaseBlock + (f.Length-f.TipBlock-f.backWall()*math.Tan(slope/2)-f.BaseBlock)*r.Float64()
			at := solidAlong(&p, vec2{x, -1e-3}, vec2{x, f.BaseDepth + 1e-3})
			if len(at) != 4 {
				continue // through a rib
			}
			seen++
			front, back := at[1]-at[0], (at[3]-at[2])*math.Cos(slope)
			thinnest = [2]float64{math.Min(thinnest[0], front), math.Min(thinnest[1], back)}
			if front < f.Wall-1e-12 || back < f.backWall()-1e-12 {
				t.Errorf("%+v: at x = %g m the walls are %g and %g m thick", f, x, front, back)
			}
			// Corners of ribs and blocks may add to a wall, but the face itself is straight.
			y := f.BaseDepth - math.Tan(slope)*x
			if math.Abs(at[0]-1e-3) > 1e-12 || math.Abs(at[3]-1e-3-y) > 1e-12 {
				t.Errorf("%+v: faces at y = %g and %g m, want 0 and %g", f, at[0]-1e-3, at[3]-1e-3, y)
			}
		}
		if seen == 0 {
			t.Errorf("%+v: no line meets two walls only", f)
		} else if math.Abs(thinnest[0]-f.Wall) > 1e-9 || math.Abs(thinnest[1]-f.backWall()) > 1e-9 {
			t.Errorf("%+v: the walls are %v m thick at their thinnest", f, thinnest)
		}
	})
}

// A line through the middles of the ribs meets each rib once, over Rib/cos of the
// angle between line and normal; the ribs are equally spaced and lean by RibAngle.
func TestFinRayRibsHaveTheirThicknessAndLean(t *testing.T) {
	eachFinRay(t, 244, 20, func(f FinRay, p Profile) {
		lines := f.ribLines()
		for i, line := range lines {
			axis := sub2(line[1], line[0])
			if lean := math.Atan2(axis[0], axis[1]); math.Abs(lean-f.RibAngle) > 1e-12 {
				t.Errorf("rib %d leans by %g, want %g", i, lean, f.RibAngle)
			}
			if i > 0 && math.Abs((line[0][0]-lines[i-1][0][0])-(lines[1][0][0]-lines[0][0][0])) > 1e-12 {
				t.Errorf("rib %d is not spaced as the first ones", i)
			}
			// Across the middle of the rib.
			mid := vec2{(line[0][0] + line[1][0]) / 2, (line[0][1] + line[1][1]) / 2}
			s, c := math.Sincos(f.RibAngle)
			n := vec2{c * f.Rib, -s * f.Rib}
			at := solidAlong(&p, vec2{mid[0] - n[0], mid[1] - n[1]}, vec2{mid[0] + n[0], mid[1] + n[1]})
			if len(at) < 2 {
				t.Errorf("%+v: rib %d is not met across its middle", f, i)
				continue
			}
			// The two crossings about the middle, which is Rib from the start.
			k, _ := slices.BinarySearch(at, f.Rib)
			if k == 0 || k == len(at) {
				t.Errorf("%+v: the middle of rib %d is empty", f, i)
				continue
			}
			if got := at[k] - at[k-1]; math.Abs(got-f.Rib) > 1e-9 {
				t.Errorf("rib %d is %g m thick, want %g", i, got, f.Rib)
			}
		}
	})
}

// The second moment of area and the centroid of the mesh are those of the profile by
// Green's theorem, for random fingers: a mesh that only has the right volume could
// have it in the wrong place.
func TestFinRayTetsHaveTheMomentsOfTheProfile(t *testing.T) {
	eachFinRay(t, 245, 6, func(f FinRay, p Profile) {
		m, err := f.Tets(FinRayOptions{Layers: 1, Across: 1})
		if err != nil {
			t.Fatal(err)
		}
		// ∫x², ∫xy, ∫y² over a tet: V/20 (Σ p pᵀ + (Σ p)(Σ p)ᵀ).
		var got, want [3]float64
		for i, v := range m.Tets {
			var sum vec2
			var q [3]float64
			for _, k := range v {
				a := m.Verts[k]
				sum = vec2{sum[0] + a[0], sum[1] + a[1]}
				q[0], q[1], q[2] = q[0]+a[0]*a[0], q[1]+a[0]*a[1], q[2]+a[1]*a[1]
			}
			w := m.Volume(i) / 20 / f.Width
			got[0] += w * (q[0] + sum[0]*sum[0])
			got[1] += w * (q[1] + sum[0]*sum[1])
			got[2] += w * (q[2] + sum[1]*sum[1])
		}
		for i, loop := range p.loops() {
			sign := 1.0
			if (loopArea(loop) > 0) != (i == 0) {
				sign = -1
			}
			for k, a := range loop {
				b := loop[(k+1)%len(loop)]
				c := sign * (a[0]*b[1] - b[0]*a[1])
				want[0] += c * (a[0]*a[0] + a[0]*b[0] + b[0]*b[0]) / 12
				want[1] += c * (a[0]*b[1] + 2*a[0]*a[1] + 2*b[0]*b[1] + b[0]*a[1]) / 24
				want[2] += c * (a[1]*a[1] + a[1]*b[1] + b[1]*b[1]) / 12
			}
		}
		for k := range 3 {
			if math.Abs(got[k]-want[k]) > 1e-9*math.Abs(want[0]) {
				t.Errorf("%+v: moment %d is %g m⁴, want %g", f, k, got[k], want[k])
			}
		}
	})
}

// Layers and elements across the walls multiply: the numbers of tets are in
// proportion to the layers, the base has a vertex on each layer.
func TestFinRayLayersMultiply(t *testing.T) {
	f := DefaultFinRay()
	f.Ribs = 2
	counts := map[int]int{}
	for layers := 1; layers <= 4; layers++ {
		m, err := f.Tets(FinRayOptions{Layers: layers, Across: 1})
		if err != nil {
			t.Fatal(err)
		}
		counts[layers] = len(m.Tets)
		if len(m.Tets) != layers*counts[1] {
			t.Errorf("%d layers: %d tets, one layer has %d", layers, len(m.Tets), counts[1])
		}
		var z []float64
		for _, v := range f.BaseVertices(m) {
			if p := m.Verts[v]; p[0] == 0 && p[1] == 0 {
				z = append(z, p[2])
			}
		}
		slices.Sort(z)
		for i, x := range z {
			if math.Abs(x-f.Width*(float64(i)/float64(layers)-0.5)) > 1e-15 {
				t.Errorf("%d layers: heights %v", layers, z)
			}
		}
		if len(z) != layers+1 {
			t.Errorf("%d layers: %d vertices along the edge of the base", layers, len(z))
		}
	}
}
