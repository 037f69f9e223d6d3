package geometry

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
)

// halfWeights returns the barycentric coordinates of a point of the reference square [−1, 1]²
// in its half with the corners (−1, −1), (1, −1), (1, 1).
func halfWeights(p [2]float64) [3]float64 {
	return [3]float64{(1 - p[0]) / 2, (p[0] - p[1]) / 2, (1 + p[1]) / 2}
}

// onSquare returns a polygon of points of the reference square, in the coordinates of the half.
func onSquare(pts ...[2]float64) (p polygon) {
	for _, q := range pts {
		p.push(polygonVertex{w: halfWeights(q)})
	}
	return p
}

// squareWeights returns the weights of the square's corners of a part.
func squareWeights(p *polygon) [4]float64 {
	w, s := p.centroid(), p.products()[1]
	return [4]float64{w[0] - s, w[1] + s, w[2] - s, s}
}

// Means of the bilinear shape functions over parts of a square, computed by another program.
func TestWeightsOfAFaceAreTheMeansOfItsShapeFunctions(t *testing.T) {
	for _, c := range []struct {
		part polygon
		want [4]float64
	}{
		{onSquare([2]float64{-1, -1}, [2]float64{1, -1}, [2]float64{1, 1}), [4]float64{0.25, 0.41666666666666663, 0.25, 0.08333333333333333}},
		{onSquare([2]float64{-0.5, -1}, [2]float64{0.75, -0.25}, [2]float64{0, 0.5}), [4]float64{0.2942708333333333, 0.3307291666666667, 0.2109375, 0.1640625}},
	} {
		got := squareWeights(&c.part)
		for i := range got {
			if math.Abs(got[i]-c.want[i]) > 1e-14 {
				t.Errorf("weights %v, want %v", got, c.want)
			}
		}
	}
}

// Means of the quadratic shape functions over parts of a triangle of six vertices, computed by
// another program, whichever quarter of it the part is in.
func TestWeightsOfSixAreTheMeansOfTheirShapeFunctions(t *testing.T) {
	quarters := [4][3]int8{{0, 3, 5}, {3, 1, 4}, {5, 4, 2}, {4, 5, 3}}
	for _, c := range []struct {
		part [][2]float64
		want [6]float64
	}{
		{[][2]float64{{0, 0}, {0.5, 0}, {0, 0.5}}, [6]float64{0.25, -0.08333333333333333, -0.08333333333333333, 0.41666666666666663, 0.08333333333333333, 0.41666666666666663}},
		{[][2]float64{{0.1, 0.1}, {0.7, 0.1}, {0.5, 0.4}, {0.1, 0.3}}, [6]float64{-0.021282051282051285, -0.05128205128205129, -0.11205128205128206, 0.5194871794871796, 0.32666666666666666, 0.3384615384615385}},
	} {
		for _, at := range quarters {
			face := meshes.ParentFace{N: 6, At: at, Verts: [6]int32{10, 11, 12, 13, 14, 15}}
			x, y, z := sixPlaces[at[0]], sixPlaces[at[1]], sixPlaces[at[2]]
			var p polygon
			for _, q := range c.part {
				// from the coordinates of the whole to those of the quarter, which need not contain the part
				w := r3.Barycentric(r3.Vec{1 - q[0] - q[1], q[0], q[1]}, r3.Vec(x), r3.Vec(y), r3.Vec(z))
				p.push(polygonVertex{w: w})
			}
			var f MaterialPoint
			products := p.products()
			f.spreadOverSix(&face, p.centroid(), &products)
			if f.Vert != face.Verts {
				t.Errorf("vertices %v", f.Vert)
			}
			for i := range c.want {
				if math.Abs(f.W[i]-c.want[i]) > 1e-14 {
					t.Errorf("quarter %v: weights %v, want %v", at, f.W, c.want)
				}
			}
		}
	}
}

// Contacts of a flat face of ten-node tets with a plane have the consistent load of a uniform
// pressure: a third of the area of each face at its midpoints, none at its corners.
func TestContactsOfTenNodeTetsLoadTheirMidpoints(t *testing.T) {
	const depth = 1e-3
	box, err := meshes.BoxTets(r3.Vec{0.4, 0.3, 0.2}, [3]int{2, 2, 1})
	if err != nil {
		t.Fatal(err)
	}
	for i := range box.Verts {
		box.Verts[i][2] += 0.1 - depth
	}
	mesh := box.Quadratic()
	tris, owner := mesh.Boundary()
	m := &Model{Geoms: []Geom{{Body: World, X_BG: r3.PoseIdentity(), Shape: HalfSpace{Thickness: 1}}},
		Deformables: []Deformable{{Name: "block", NumVerts: len(mesh.Verts), Tris: tris, Parents: mesh.ParentFaces(tris, owner)}}}
	s := NewData(m)
	s.X_W = [][]r3.Vec{mesh.Verts}
	load := map[int32]float64{}
	for _, c := range s.Collide() {
		if c.Normal_W[2] < 0.9 || math.Abs(c.Phi+depth) > 1e-12 {
			continue // a side
		}
		if c.B.N != 6 {
			t.Fatalf("a contact with %d vertices", c.B.N)
		}
		for k, v := range c.B.Vert {
			load[v] += c.Area * c.B.W[k]
		}
	}
	// eight faces of 0.2 × 0.15/2 m²
	whole := 0.0
	for v, got := range load {
		whole += got
		want := 0.0
		if int(v) >= len(box.Verts) {
			want = 0.015 / 3
			x := mesh.Verts[v]
			if max(math.Abs(x[0])/0.2, math.Abs(x[1])/0.15) < 1-1e-9 {
				want *= 2 // two faces
			}
		}
		if math.Abs(got-want) > 1e-15 {
			t.Errorf("vertex %d at %v has %g m², want %g", v, mesh.Verts[v], got, want)
		}
	}
	if math.Abs(whole-0.12) > 1e-14 {
		t.Errorf("all have %g m², want 0.12", whole)
	}
}

// blockSurface returns the surface of a block of hexahedra, its halves of faces, and the lower
// face's vertices at z = −δ.
func blockSurface(t *testing.T, depth float64) (*meshes.Tri, []meshes.ParentFace) {
	t.Helper()
	m, err := meshes.BoxTets(r3.Vec{0.4, 0.3, 0.2}, [3]int{4, 3, 2})
	if err != nil {
		t.Fatal(err)
	}
	for i := range m.Verts {
		m.Verts[i][2] += 0.1 - depth
	}
	tris, owner := m.Boundary()
	return &meshes.Tri{Verts: m.Verts, Tris: tris}, m.ParentFaces(tris, owner)
}

// Contacts of a flat face with a plane have the consistent load of a uniform pressure at the
// vertices: a quarter of the area of each face at its corners, whatever the diagonals. The
// point of each is the one that its weights move.
func TestContactsOfHexahedraLoadTheirCornersEvenly(t *testing.T) {
	const depth = 1e-3
	tri, quads := blockSurface(t, depth)
	m := &Model{Geoms: []Geom{{Body: World, X_BG: r3.PoseIdentity(), Shape: HalfSpace{Thickness: 1}}},
		Deformables: []Deformable{{Name: "block", NumVerts: len(tri.Verts), Tris: tri.Tris, Parents: quads}}}
	s := NewData(m)
	s.X_W = [][]r3.Vec{tri.Verts}
	load := map[int32]float64{}
	for _, c := range s.Collide() {
		if c.Normal_W[2] < 0.9 || math.Abs(c.Phi+depth) > 1e-12 {
			continue // a side
		}
		if c.B.N != 4 {
			t.Fatalf("a contact with %d vertices", c.B.N)
		}
		var at r3.Vec
		for k, v := range c.B.Vert[:c.B.N] {
			load[v] += c.Area * c.B.W[k]
			at = at.AddScaled(c.B.W[k], tri.Verts[v])
			if c.B.W[k] < 0 {
				t.Errorf("weight %g", c.B.W[k])
			}
		}
		if at.Sub(c.Pos_W).Norm() > 1e-15 || at.Sub(c.A.Pos_W).Norm() > 1e-15 {
			t.Errorf("the contact is at %v, its weights move %v", c.Pos_W, at)
		}
	}
	if len(load) != 20 {
		t.Fatalf("%d vertices are loaded, want 20", len(load))
	}
	for v, got := range load {
		// a quarter of 0.01 m² for each of the faces around the vertex
		want := 0.01
		if math.Abs(tri.Verts[v][0]) > 0.2-1e-9 {
			want /= 2
		}
		if math.Abs(tri.Verts[v][1]) > 0.15-1e-9 {
			want /= 2
		}
		if math.Abs(got-want) > 1e-15 {
			t.Errorf("vertex %d at %v has %g m², want %g", v, tri.Verts[v], got, want)
		}
	}
}

// Each half of a face names the same face: its fourth vertex is across from the corner, so that
// the two halves of a random parallelogram share their loads evenly, cut at any place.
func TestHalvesOfAFaceAddUpToIt(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 2))
	for range 100 {
		// a part of the square below a line, of both halves
		a, b := r.Float64()*2-1, r.Float64()*2-1
		whole := onSquare([2]float64{-1, -1}, [2]float64{1, -1}, [2]float64{1, a}, [2]float64{-1, b})
		want := squareWeights(&whole)
		// the part of either half, the other one's coordinates with the fourth vertex first
		var sum [4]float64
		area := 0.0
		lower := whole.keepWhere([3]float64{0, -1, 0})
		upper := whole.keepWhere([3]float64{0, 1, 0})
		for i, p := range []*polygon{&lower, &upper} {
			if p.n < 3 {
				continue
			}
			var w [4]float64
			if i == 0 {
				w = squareWeights(p)
			} else {
				// corners c, d, a: w_c, −w_b, w_a + w_b … by reflection of the square
				q := polygon{n: p.n}
				for k := range p.n {
					v := p.v[k].w
					q.v[k].w = [3]float64{v[2] + v[1], -v[1], v[0] + v[1]}
				}
				c, s := q.centroid(), q.products()[1]
				w = [4]float64{c[2] - s, s, c[0] - s, c[1] + s}
			}
			area += p.area()
			for k := range sum {
				sum[k] += p.area() * w[k]
			}
		}
		for k := range sum {
			if math.Abs(sum[k]/area-want[k]) > 1e-13 {
				t.Fatalf("halves have weights %g, the whole %g", sum[k]/area, want[k])
			}
		}
	}
}

// Of random convex faces of four vertices, each part of a half acts at its own centroid, and
// both halves add up to the consistent loads of the bilinear face, ∫ N_a dA by Gauss's rule.
func TestFacesThatAreNoParallelogramsAreLoadedConsistently(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 1))
	for range 100 {
		var x [4]r3.Vec
		turn := r3.RotExp(r3.Vec{r.Float64(), r.Float64(), r.Float64()})
		for k, c := range [4]r3.Vec{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}} {
			x[k] = turn.MulVec(c.Add(r3.Vec{0.8*r.Float64() - 0.4, 0.8*r.Float64() - 0.4, 0}))
		}
		var sum [4]float64
		for _, at := range [2][3]int8{{0, 1, 2}, {2, 3, 0}} {
			face := meshes.ParentFace{N: 4, Verts: [6]int32{0, 1, 2, 3}, At: at}
			a, b, c := x[at[0]], x[at[1]], x[at[2]]
			area := r3.TriangleNormal(a, b, c).Norm() / 2
			whole := polygon{n: 3}
			whole.v[0].w[0], whole.v[1].w[1], whole.v[2].w[2] = 1, 1, 1
			part := whole.keepWhere([3]float64{r.Float64() - 0.5, r.Float64() - 0.5, -0.5})
			for i, p := range []polygon{whole, part} {
				w, m := p.centroid(), p.products()
				f := MaterialPoint{N: 4, Vert: [6]int32{int32(at[0]), int32(at[1]), int32(at[2])}, W: [6]float64{w[0], w[1], w[2]}}
				across, _ := face.Across()
				f.spreadOverQuad(&face, m[across], x[:])
				place := r3.Vec{}
				for k, v := range f.Vert[:4] {
					place = place.AddScaled(f.W[k], x[v])
					if i == 0 {
						sum[v] += area * f.W[k]
					}
				}
				if d := place.Sub(r3.Combine(w, a, b, c)).Norm(); d > 1e-14 {
					t.Fatalf("the part acts %g beside its centroid", d)
				}
			}
		}
		for k, want := range bilinearLoads(x) {
			if math.Abs(sum[k]-want) > 1e-14 {
				t.Fatalf("vertex %d of %v has %g, want %g", k, x, sum[k], want)
			}
		}
	}
}

// bilinearLoads returns ∫ N_a dA of a flat face of four vertices, by Gauss's rule of 2 × 2 points.
func bilinearLoads(x [4]r3.Vec) (load [4]float64) {
	g := 1 / math.Sqrt(3)
	for _, p := range [4][2]float64{{-g, -g}, {g, -g}, {g, g}, {-g, g}} {
		du := x[1].Sub(x[0]).Scale((1 - p[1]) / 4).Add(x[2].Sub(x[3]).Scale((1 + p[1]) / 4))
		dv := x[3].Sub(x[0]).Scale((1 - p[0]) / 4).Add(x[2].Sub(x[1]).Scale((1 + p[0]) / 4))
		jacobian := du.Cross(dv).Norm()
		for a, s := range [4][2]float64{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}} {
			load[a] += jacobian * (1 + s[0]*p[0]) * (1 + s[1]*p[1]) / 4
		}
	}
	return load
}
