package stuffing

import (
	"math"
	"slices"
	"testing"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/internal/pointset"
	"github.com/curlfree/curlfree/meshes/internal/samples"
	"github.com/curlfree/curlfree/meshes/internal/samples/prisms"
	"github.com/curlfree/curlfree/meshes/profiles"
	"github.com/curlfree/curlfree/meshes/repair"
	"github.com/curlfree/curlfree/r3"
)

// ball is the signed distance of a sphere.
func ball(c r3.Vec, radius float64) func(r3.Vec) float64 {
	return func(p r3.Vec) float64 { return p.Sub(c).Norm() - radius }
}

// Lattices conform for any number of levels: each face inside belongs to two tets,
// all are positive, and where cells are equal all tets are.
func TestLatticesConform(t *testing.T) {
	box := r3.Box{Min: r3.Vec{-1, -1, -1}, Max: r3.Vec{1, 1, 1}}
	for coarsen := range 4 {
		l := newLattice(box, 0.25, coarsen, ball(r3.Vec{0.1, 0, -0.2}, 0.8))
		m := &meshes.Tet{Tets: l.tets}
		for _, p := range l.points {
			m.Verts = append(m.Verts, l.position(p))
		}
		faces := map[[3]int32]int{}
		for i := range m.Tets {
			if m.Volume(i) <= 0 {
				t.Fatalf("coarsen %d: tet %d has volume %g", coarsen, i, m.Volume(i))
			}
			for k := range 4 {
				v := m.Tets[i]
				key, _ := meshes.SortedTri([3]int32{v[(k+1)%4], v[(k+2)%4], v[(k+3)%4]})
				faces[key]++
			}
		}
		for _, n := range faces {
			if n > 2 {
				t.Fatalf("coarsen %d: a face of %d tets", coarsen, n)
			}
		}
		surface, _ := m.Surface()
		if err := repair.Watertight(surface); err != nil {
			t.Errorf("coarsen %d: %v", coarsen, err)
		}
		if math.Abs(surface.Volume()-samples.VolumeOf(m)) > 1e-9 || samples.VolumeOf(m) < 4*math.Pi/3*0.512 {
			t.Errorf("coarsen %d: volume %g, its boundary encloses %g", coarsen, samples.VolumeOf(m), surface.Volume())
		}
		for i, v := range l.value { // values are distances, or infinite with the right sign
			want := l.phi(m.Verts[i])
			if !math.IsInf(v, 0) && math.Abs(v-want) > 1e-12 || math.IsInf(v, 0) && (v < 0) != (want < 0) {
				t.Errorf("coarsen %d: value %g at %v, want %g", coarsen, v, m.Verts[i], want)
			}
		}
	}
}

// The tets of a uniform body-centred cubic lattice are congruent: volume h³/12,
// dihedral angles of 60° and 90°.
func TestUniformLatticeHasCongruentTets(t *testing.T) {
	const h = 0.2
	l := newLattice(r3.Box{Min: r3.Vec{-0.5, -0.5, -0.5}, Max: r3.Vec{0.5, 0.5, 0.5}}, h, 0, ball(r3.Vec{}, 0.5))
	m := &meshes.Tet{Tets: l.tets}
	for _, p := range l.points {
		m.Verts = append(m.Verts, l.position(p))
	}
	for i := range m.Tets {
		s := m.Shape(i)
		if math.Abs(s.Volume-h*h*h/12) > 1e-12 || math.Abs(s.MinDihedral-math.Pi/3) > 1e-9 || math.Abs(s.MaxDihedral-math.Pi/2) > 1e-9 {
			t.Fatalf("tet %d: %+v", i, s)
		}
		if math.Abs(s.MaxEdge-h) > 1e-12 || math.Abs(s.MinEdge-h*math.Sqrt(3)/2) > 1e-12 {
			t.Fatalf("tet %d has edges of %g to %g", i, s.MinEdge, s.MaxEdge)
		}
	}
}

// Neighbouring leaves differ by at most one level.
func TestOctreeIsBalanced(t *testing.T) {
	l := newLattice(r3.Box{Min: r3.Vec{-1, -1, -1}, Max: r3.Vec{1, 1, 1}}, 0.1, 3, ball(r3.Vec{0.3, 0.2, 0.1}, 0.4))
	levels := map[int32]int{}
	for _, c := range l.cells {
		levels[c.level]++
		e := c.edge()
		for axis := range 3 {
			for _, s := range []int32{-1, 1} {
				p := c.low
				p[axis] += s * e
				if n, ok := l.find(p, c.level); ok && n.level > c.level+1 {
					t.Fatalf("a cell of level %d next to one of %d", c.level, n.level)
				}
			}
		}
	}
	if len(levels) < 3 {
		t.Errorf("levels %v: the test shows little", levels)
	}
}

// Before relaxing, all dihedral angles keep to the published bounds where the surface
// is resolved; vertices marked as skin lie on it.
func TestCutLatticeKeepsThePublishedBounds(t *testing.T) {
	r := samples.NewRand(t, 71)
	for range 4 {
		c := samples.RandomVec(r).Scale(0.1)
		l := newLattice(r3.Box{Min: r3.Vec{-1, -1, -1}, Max: r3.Vec{1, 1, 1}}, 0.17, 1, ball(c, 0.8))
		m, skin := cutLattice(l)
		q := meshes.TetQuality(m)
		if q.MinDihedral < 10.7*samples.Degree || q.MaxDihedral > 164.8*samples.Degree {
			t.Errorf("dihedral angles %.2f° to %.2f°", q.MinDihedral/samples.Degree, q.MaxDihedral/samples.Degree)
		}
		samples.CheckTets(t, m)
		for v, s := range skin {
			if d := l.phi(m.Verts[v]); s && math.Abs(d) > 1e-5 || !s && d > 0 {
				t.Fatalf("vertex %d, on the surface %v, lies %g off", v, s, d)
			}
		}
		for v, on := range samples.OnBoundary(m) {
			if on != skin[v] {
				t.Fatalf("vertex %d: boundary %v, skin %v", v, on, skin[v])
			}
		}
	}
}

// Two bodies joined by an edge, or a vertex, are separated or cut.
func TestCleaningMakesTheBoundaryAManifold(t *testing.T) {
	a, err := meshes.BoxTets(r3.Vec{1, 1, 1}, [3]int{2, 2, 2})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name  string
		shift r3.Vec
		tets  int // left: both boxes, or one
	}{{"vertex", r3.Vec{1, 1, 1}, 96}, {"edge", r3.Vec{1, 1, 0}, 95}} {
		m := &meshes.Tet{Verts: slices.Clone(a.Verts), Tets: slices.Clone(a.Tets)}
		n := int32(len(a.Verts))
		for _, p := range a.Verts {
			m.Verts = append(m.Verts, p.Add(c.shift))
		}
		for _, v := range a.Tets {
			m.Tets = append(m.Tets, [4]int32{n + v[0], n + v[1], n + v[2], n + v[3]})
		}
		to, _ := pointset.Weld(m.Verts, 1e-9)
		for i := range m.Tets {
			for k, v := range m.Tets[i] {
				m.Tets[i][k] = to[v]
			}
		}
		before, _ := m.Surface()
		if d := repair.Topology(before); len(d.NonManifoldVerts)+len(d.NonManifoldEdges) == 0 {
			t.Fatalf("%s: the test's mesh is a manifold", c.name)
		}
		skin, removed := makeManifold(m, samples.OnBoundary(m), 0.1)
		after, _ := m.Surface()
		d := repair.Topology(after)
		if len(d.NonManifoldEdges)+len(d.NonManifoldVerts) > 0 || repair.Watertight(after) != nil {
			t.Errorf("%s: %+v", c.name, d)
		}
		if len(skin) != len(m.Verts) || removed != 96-len(m.Tets) || len(m.Tets) > c.tets || len(m.Tets) < 80 {
			t.Errorf("%s: %d tets are left, %d removed", c.name, len(m.Tets), removed)
		}
	}
}

func TestSmallPiecesGoButNeverAll(t *testing.T) {
	box := func(s float64, at r3.Vec) *meshes.Tet {
		m, err := meshes.BoxTets(r3.Vec{s, s, s}, [3]int{1, 1, 1})
		if err != nil {
			t.Fatal(err)
		}
		for i, p := range m.Verts {
			m.Verts[i] = p.Add(at)
		}
		return m
	}
	m := box(1, r3.Vec{})
	crumb := box(0.1, r3.Vec{3, 0, 0})
	for _, v := range crumb.Tets {
		m.Tets = append(m.Tets, [4]int32{v[0] + 8, v[1] + 8, v[2] + 8, v[3] + 8})
	}
	m.Verts = append(m.Verts, crumb.Verts...)
	dropSmallPieces(m, 0.01)
	if len(m.Tets) != 6 {
		t.Errorf("%d tets are left of the large box's 6", len(m.Tets))
	}
	dropSmallPieces(crumb, 1)
	if len(crumb.Tets) != 6 {
		t.Errorf("the only piece lost tets: %d", len(crumb.Tets))
	}
	if g := faceGroups(m, []int32{0, 1, 2, 3, 4, 5}); len(g) != 1 {
		t.Errorf("the tets of a box fall into %d groups", len(g))
	}
	if n := common([4]int32{1, 2, 3, 4}, [4]int32{3, 9, 1, 7}); n != 2 {
		t.Errorf("%d common vertices", n)
	}
}

// Clusters against a flood over all pairs.
func TestClustersAgreeWithBruteForce(t *testing.T) {
	r := samples.NewRand(t, 72)
	for range 20 {
		var at []r3.Vec
		for range 60 {
			at = append(at, samples.RandomVec(r))
		}
		got := clusters(at, 0.3)
		label := make([]int, len(at))
		for g, members := range got {
			for _, i := range members {
				label[i] = g
			}
		}
		for i := range at {
			for j := range i {
				if at[i].Sub(at[j]).Norm() <= 0.3 && label[i] != label[j] {
					t.Fatalf("points %d and %d are near but in clusters %d and %d", i, j, label[i], label[j])
				}
			}
		}
		for _, members := range got { // each is connected
			reached := map[int]bool{members[0]: true}
			for changed := true; changed; {
				changed = false
				for _, i := range members {
					for j := range reached {
						if !reached[i] && at[i].Sub(at[j]).Norm() <= 0.3 {
							reached[i], changed = true, true
							break
						}
					}
				}
			}
			if len(reached) != len(members) {
				t.Fatalf("a cluster of %d falls apart: %d connected", len(members), len(reached))
			}
		}
	}
}

// A box has 12 ridges and 8 corners, a prism of n corners 3n and 2n, a sphere none.
func TestRidgesOfKnownSolids(t *testing.T) {
	for n := 3; n <= 8; n++ {
		p := profiles.Profile{Outer: samples.Circle(0, 0, 1, n)}
		m, err := p.Extrude(1)
		if err != nil {
			t.Fatal(err)
		}
		if r := findRidges(m); len(r.ends) != 3*n || len(r.corners) != 2*n {
			t.Errorf("prism of %d sides: %d ridges, %d corners", n, len(r.ends), len(r.corners))
		}
	}
	if r := findRidges(samples.SphereSurface(1, 3)); len(r.ends)+len(r.corners) != 0 {
		t.Errorf("a sphere has %d ridges", len(r.ends))
	}
	p := profiles.Profile{Outer: samples.Circle(0, 0, 1, 40)} // a cylinder: two rings without corners
	m, err := p.Extrude(1)
	if err != nil {
		t.Fatal(err)
	}
	if r := findRidges(m); len(r.ends) != 80 || len(r.corners) != 0 {
		t.Errorf("a cylinder has %d ridges and %d corners", len(r.ends), len(r.corners))
	}
}

func TestNearestRidgeAgreesWithBruteForce(t *testing.T) {
	r := samples.NewRand(t, 73)
	ridge := findRidges(samples.Moved(samples.CubeTri(r3.Vec{}, 1), samples.RandomPose(r, 1)))
	for range 300 {
		p := samples.RandomVec(r).Scale(2)
		want := math.Inf(1)
		for _, e := range ridge.ends {
			d := e[1].Sub(e[0])
			s := max(0, min(1, p.Sub(e[0]).Dot(d)/d.Norm2()))
			want = min(want, e[0].AddScaled(s, d).Sub(p).Norm())
		}
		q, got := ridge.nearest(p, 10)
		if math.Abs(got-want) > 1e-12 || math.Abs(q.Sub(p).Norm()-want) > 1e-12 {
			t.Fatalf("distance %g, want %g", got, want)
		}
		if q, d := ridge.nearest(p, 0.5*want); !math.IsInf(d, 1) || q != p {
			t.Errorf("beyond the reach: %v at %g", q, d)
		}
	}
}

// A tet with two vertices at one place has a quality near zero, not NaN, with which no move would compare as better:
// round-off may give it a volume.
func TestRelaxQualityOfCoincidentVerticesIsANumber(t *testing.T) {
	r := samples.NewRand(t, 75)
	positive := 0
	for range 1000 {
		m := &meshes.Tet{Verts: []r3.Vec{samples.RandomVec(r), samples.RandomVec(r), samples.RandomVec(r), samples.RandomVec(r)}, Tets: [][4]int32{{0, 1, 2, 3}}}
		i := r.IntN(4)
		m.Verts[i] = m.Verts[(i+1+r.IntN(3))%4]
		x := &relaxer{m: m}
		q := x.quality(0)
		if !(math.Abs(q) < 1e-12) {
			t.Fatalf("quality %g", q)
		}
		if q > 0 {
			positive++
		}
	}
	if positive < 10 {
		t.Errorf("%d of 1000 have a volume", positive)
	}
}

// What is known of a tet is what measuring it gives, after all that a stuffing does to it.
func TestRelaxHasTheQualityOfEachTet(t *testing.T) {
	surface := prisms.FinnedBlock(t)
	size := surface.Bounds().Size().Norm() / 12
	s, err := newStuffing(surface, Options{Size: size})
	if err != nil {
		t.Fatal(err)
	}
	g, _, err := s.fits(size)
	if err != nil {
		t.Fatal(err)
	}
	l := s.lattice(g, r3.Vec{0.3, 0.1, 0.2})
	m, skin := cutLattice(l)
	skin, _ = makeManifold(m, skin, l.h)
	r := newRelaxer(m, skin, l.cellEdge, s.dist, s.ridges)
	for i, f := range []func(){func() { r.relax(snapFloor) }, r.sharpen, func() { r.relax(relaxGoal) }, r.peel, r.balance} {
		f()
		measured := 0
		for k := range m.Tets {
			if q := r.known[k]; !math.IsNaN(q) {
				measured++
				if q != r.quality(int32(k)) {
					t.Fatalf("step %d: tet %d of quality %g is known as %g", i, k, r.quality(int32(k)), q)
				}
			}
		}
		if measured < len(m.Tets)/4 || len(r.known) != len(m.Tets) {
			t.Errorf("step %d: %d of %d tets are known, in %d places", i, measured, len(m.Tets), len(r.known))
		}
	}
}

// The quality of relaxing is the least sine of the dihedral angles.
func TestRelaxQualityIsTheLeastSine(t *testing.T) {
	r := samples.NewRand(t, 74)
	for range 200 {
		m := &meshes.Tet{Verts: []r3.Vec{samples.RandomVec(r), samples.RandomVec(r), samples.RandomVec(r), samples.RandomVec(r)}, Tets: [][4]int32{{0, 1, 2, 3}}}
		x := &relaxer{m: m}
		got, v := x.quality(0), m.Volume(0)
		if v <= 0 {
			if got > 0 || got < -1 {
				t.Errorf("volume %g: quality %g", v, got)
			}
			continue
		}
		s := m.Shape(0)
		if want := min(math.Sin(s.MinDihedral), math.Sin(s.MaxDihedral)); math.Abs(got-want) > 1e-9 {
			t.Errorf("quality %g, least sine %g", got, want)
		}
	}
}

// Relaxing never lowers the worst quality, keeps the surface's vertices on it and the
// connectivity as it was.
func TestRelaxingNeverHurts(t *testing.T) {
	r := samples.NewRand(t, 75)
	s := samples.SphereSurface(1, 3)
	d := meshes.NewDistance(s)
	l := newLattice(s.Bounds(), 0.4, 0, func(p r3.Vec) float64 { phi, _, _, _, _ := d.Signed(p); return phi })
	m, skin := cutLattice(l)
	for v, on := range skin { // spoil it
		if !on {
			m.Verts[v] = m.Verts[v].AddScaled(0.04, samples.RandomVec(r))
		}
	}
	tets := slices.Clone(m.Tets)
	x := newRelaxer(m, skin, func(r3.Vec) float64 { return 0.4 }, d, findRidges(s))
	worst := func() float64 {
		q := math.Inf(1)
		for i := range m.Tets {
			q = min(q, x.quality(int32(i)))
		}
		return q
	}
	before := worst()
	x.relax(relaxGoal)
	if after := worst(); after < before || !slices.Equal(tets, m.Tets) {
		t.Errorf("worst quality %g after %g", after, before)
	}
	for v, on := range skin {
		if phi, _, _, _, _ := d.Signed(m.Verts[v]); on && math.Abs(phi) > 1e-9 {
			t.Errorf("vertex %d left the surface by %g", v, phi)
		}
	}
	for v := range m.Verts { // stars list just the tets at each vertex
		n := 0
		for _, tet := range m.Tets {
			if slices.Contains(tet[:], int32(v)) {
				n++
			}
		}
		if len(x.star(int32(v))) != n {
			t.Fatalf("vertex %d has %d tets, its star %d", v, n, len(x.star(int32(v))))
		}
	}
}

// The predicted number of vertices falls with the size, and its inverse fits.
func TestPredictedSizesInvertTheCount(t *testing.T) {
	for _, coarsen := range []int{-1, 2} {
		s, err := newStuffing(samples.SphereSurface(1, 3), Options{Coarsen: coarsen})
		if err != nil {
			t.Fatal(err)
		}
		previous := math.Inf(1)
		for h := 0.05; h < 1; h *= 1.5 {
			n := s.predict(h)
			if n >= previous || math.Abs(s.predictedSize(n)/h-1) > 1e-9 {
				t.Errorf("size %g: %g vertices after %g, inverse %g", h, n, previous, s.predictedSize(n))
			}
			previous = n
		}
	}
}

// newLattice builds the lattice of cells of edge h, m, around box, which double in
// size up to coarsen times. phi is the signed distance, m, negative inside.
func newLattice(box r3.Box, h float64, coarsen int, phi func(r3.Vec) float64) *lattice {
	return newGradedLattice(box, ungraded(h), coarsen, r3.Vec{}, phi)
}
