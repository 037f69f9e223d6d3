package meshes

// Cost: O(n) for n tets beyond the lookup of edges and faces. Splitting lowers the
// radius ratio of the tets concerned; SplitResult says by how much.

// Splitting of tets whose vertices all lie on the boundary. A field that is linear
// in each tet and zero on the boundary, such as the pressure field of hydroelastic
// contact, vanishes in all of such a tet, which then feels no contact. A new vertex
// inside the tet removes this.

import (
	"fmt"
	"slices"

	"github.com/curlfree/curlfree/meshes/internal/phrases"
	"github.com/curlfree/curlfree/r3"
)

// SplitOptions choose the simplices that SplitBoundary splits besides tets.
type SplitOptions struct {
	// Edges requests that interior edges with both vertices on the boundary are
	// halved.
	Edges bool
	// Faces requests that interior faces with all three vertices on the boundary
	// are split.
	Faces bool
}

// SplitResult has the number of simplices split and the quality before and after.
type SplitResult struct {
	// Edges, Faces and Tets are the numbers of each that were split.
	Edges, Faces, Tets int
	// Before and After measure the tets of the mesh before and after splitting.
	Before, After Quality
}

// Findings returns the result as a sentence.
func (s SplitResult) Findings() Findings {
	var r Findings
	if s.Edges+s.Faces+s.Tets == 0 {
		r.Addf(Note, "split", 0, "no tetrahedra with all vertices on the boundary")
		return r
	}
	r.Addf(Note, "split", s.Edges+s.Faces+s.Tets, "%s, %s and %s with all vertices on the boundary split: %d tetrahedra became %d, least radius ratio %.3f became %.3f",
		phrases.Plural(s.Edges, "edge"), phrases.Plural(s.Faces, "face"), phrases.Plural(s.Tets, "tetrahedron"),
		s.Before.Tets, s.After.Tets, s.Before.MinRatio, s.After.MinRatio)
	return r
}

// SplitBoundary returns a copy of a mesh in which no tet has all four vertices on
// the boundary. If the options say so, inner edges between boundary vertices
// are halved first, then inner faces between boundary vertices are split in three;
// then each tet with all vertices on the boundary is split in four. New vertices
// lie at the centroids; tets that share a split edge or face are split with it, so
// that the mesh conforms.
//
// The vertices of m keep their numbers, new ones follow, all of them inside; volume
// and boundary stay the same. An error names a tet that is too flat to be split.
func SplitBoundary(m *Tet, opt SplitOptions) (*Tet, SplitResult, error) {
	// the mesh that is passed stays as it is
	s := &splitter{Tet: Tet{Verts: slices.Clone(m.Verts), Tets: slices.Clone(m.Tets)}}
	res := SplitResult{Before: TetQuality(m)}
	if opt.Edges {
		res.Edges = s.edges()
	}
	if opt.Faces {
		res.Faces = s.faces()
	}
	res.Tets = s.tets()
	// a split keeps the sign of volumes, up to round-off in tets that are nearly flat
	for t := range s.Tets {
		if s.Volume(t) <= 0 {
			return nil, res, fmt.Errorf("meshes: split: the tetrahedron at %s is too flat to be split: mesh the part again", phrases.Point(s.Centroid(t)))
		}
	}
	res.After = TetQuality(&s.Tet)
	return &s.Tet, res, nil
}

// splitter is the mesh that is being split.
type splitter struct{ Tet }

// add appends a vertex at the mean of the given ones and returns its number.
func (s *splitter) add(of ...int32) int32 {
	// the mean of points of a convex cell is inside of it
	var p r3.Vec
	for _, v := range of {
		p = p.AddScaled(1/float64(len(of)), s.Verts[v])
	}
	s.Verts = append(s.Verts, p)
	return int32(len(s.Verts) - 1)
}

// edges halves the inner edges between boundary vertices. Halving an edge keeps all
// others, so that the list is made once; the lists of tets at each vertex are kept
// up to date.
func (s *splitter) edges() int {
	// Edges of boundary triangles lie in the boundary and stay.
	on := s.onBoundary()
	outer := map[[2]int32]bool{}
	tris, _ := s.Boundary()
	for _, t := range tris {
		for k := range 3 {
			outer[SideKey(t[k], t[(k+1)%3])] = true
		}
	}
	var todo [][2]int32
	at := make([][]int32, len(s.Verts)) // tets at each vertex, and some that were
	for i, t := range s.Tets {
		for _, v := range t {
			at[v] = append(at[v], int32(i))
		}
		for _, e := range TetEdges {
			if k := SideKey(t[e[0]], t[e[1]]); on[k[0]] && on[k[1]] && !outer[k] {
				todo = append(todo, k)
			}
		}
	}
	// Each edge once, in a fixed order.
	slices.SortFunc(todo, func(a, b [2]int32) int { return slices.Compare(a[:], b[:]) })
	todo = slices.Compact(todo)
	for _, e := range todo {
		at = s.halveEdge(e, at)
	}
	return len(todo)
}

// halveEdge puts a vertex at the middle of edge e. Each tet at the edge becomes two:
// one keeps the end e[0], the other e[1]. at lists the tets at each vertex, and some
// that were there before; it is returned with the new vertex.
func (s *splitter) halveEdge(e [2]int32, at [][]int32) [][]int32 {
	mid := s.add(e[0], e[1])
	at = append(at, nil)
	for _, i := range slices.Clone(at[e[0]]) {
		t := s.Tets[i]
		a, b := slices.Index(t[:], e[0]), slices.Index(t[:], e[1])
		// a tet that has left this vertex by an earlier split
		if a < 0 || b < 0 {
			continue
		}
		// the same corners, but the middle in place of one end
		near, far := t, t
		near[b], far[a] = mid, mid
		s.Tets[i] = near
		n := int32(len(s.Tets))
		s.Tets = append(s.Tets, far)
		at[mid] = append(at[mid], i, n)
		for _, v := range far {
			if v != mid {
				at[v] = append(at[v], n)
			}
		}
	}
	return at
}

// faces splits in three the inner faces between boundary vertices, and with each
// face the two tets at it. A tet with several such faces is split at one after the
// other; the face then belongs to one of its parts.
func (s *splitter) faces() int {
	// faces in the order of their first tets, so that results are the same in every run
	on := s.onBoundary()
	at := map[[3]int32][]int32{} // tets at each face
	var order [][3]int32
	for i, t := range s.Tets {
		for k := range 4 {
			f := faceKey(t, k)
			if on[f[0]] && on[f[1]] && on[f[2]] {
				if at[f] == nil {
					order = append(order, f)
				}
				at[f] = append(at[f], int32(i))
			}
		}
	}
	// A face of a single tet lies in the boundary and stays.
	n := 0
	for _, f := range order {
		if len(at[f]) != 2 {
			continue // on the boundary
		}
		n++
		s.splitFace(f, at)
	}
	return n
}

// faceKey is the key of the face of a tet opposite its vertex k.
func faceKey(t [4]int32, k int) [3]int32 {
	f := TetFaces[k]
	key, _ := SortedTri([3]int32{t[f[0]], t[f[1]], t[f[2]]})
	return key
}

// splitFace splits face f and the two tets at it in three. at lists the tets at the
// faces that are to be split; those that move from a tet to its part are updated.
func (s *splitter) splitFace(f [3]int32, at map[[3]int32][]int32) {
	mid := s.add(f[0], f[1], f[2])
	for _, i := range at[f] {
		t := s.Tets[i]
		for k, v := range f {
			// the tet with the new vertex in place of one corner of the face
			child := t
			child[slices.Index(t[:], v)] = mid
			id := i
			if k == 0 {
				s.Tets[i] = child
			} else {
				id = int32(len(s.Tets))
				s.Tets = append(s.Tets, child)
			}
			// A face not yet split has moved from the parent to this child.
			for j := range 4 {
				if g := faceKey(child, j); at[g] != nil {
					if p := slices.Index(at[g], i); p >= 0 {
						at[g][p] = id
					}
				}
			}
		}
	}
}

// tets splits in four the tets whose four vertices lie on the boundary.
func (s *splitter) tets() int {
	on := s.onBoundary()
	n := 0
	for i, t := range slices.Clone(s.Tets) {
		// new tets have an inner vertex: those that were there before suffice
		if !on[t[0]] || !on[t[1]] || !on[t[2]] || !on[t[3]] {
			continue
		}
		n++
		s.Split(i, s.add(t[:]...))
	}
	return n
}
