package formats

import (
	"io"
	"slices"

	"github.com/curlfree/curlfree/internal/unionfind"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/internal/pointset"
	"github.com/curlfree/curlfree/meshes/repair"
	"github.com/curlfree/curlfree/r3"
)

// Parsed is the content of a mesh file, from which surfaces of several uses are made: to parse a file takes longer than
// most of them. Its methods may be called from several goroutines.
type Parsed struct {
	path string
	raw  *RawMesh
}

// Parse parses the content of the mesh file at a path, of any registered format. Files that it names are read.
func Parse(path string, data []byte) (*Parsed, error) {
	raw, _, err := parseContent(path, data)
	if err != nil {
		return nil, err
	}
	return &Parsed{path, raw}, nil
}

// Tri returns the surface as ReadTri does.
func (p *Parsed) Tri(opt ReadOptions) (*meshes.Tri, meshes.Findings, error) {
	tri, rep, err := p.raw.clone().tri(opt)
	return tri, rep, within(p.path, err)
}

// Tet returns the volume mesh as ReadTet does.
func (p *Parsed) Tet(opt ReadOptions) (*meshes.Tet, meshes.Findings, error) {
	tet, rep, err := p.raw.clone().tet(opt)
	return tet, rep, within(p.path, err)
}

// Seen returns the surface for pictures only: positions are converted to metres and vertices at equal
// positions merged, but the surface is neither examined nor repaired, which takes most of the time
// of Tri.
func (p *Parsed) Seen(opt ReadOptions) (*meshes.Tri, error) {
	m, err := p.raw.clone().seen(opt)
	return m, within(p.path, err)
}

// Points returns the vertices of a file that has nothing else, in its unit: formats of robots take
// their convex hull. It returns nil for other files.
func (p *Parsed) Points() []r3.Vec { return p.raw.clone().points(nil) }

// clone returns a copy that shares no memory: units and orders are changed in place.
func (raw *RawMesh) clone() *RawMesh {
	c := *raw
	c.Verts, c.Tris, c.Tets = slices.Clone(raw.Verts), slices.Clone(raw.Tris), slices.Clone(raw.Tets)
	c.Hexes, c.Wedges = slices.Clone(raw.Hexes), slices.Clone(raw.Wedges)
	c.skipped = slices.Clone(raw.skipped)
	return &c
}

// Solid reads a surface from a stream to compute its volume. A surface that is closed, and whose
// pieces all face outwards, is taken as it is in the file; others are examined and repaired as
// by ReadTriFrom, which takes most of the time.
func Solid(r io.Reader, ext string, opt ReadOptions) (*meshes.Tri, error) {
	raw, err := parseStream(r, ext)
	if err != nil {
		return nil, err
	}
	// lengths become metres once: a copy is left for the repair
	kept := raw.clone()
	if m, err := raw.seen(opt); err == nil && repair.Watertight(m) == nil && piecesFaceOutwards(m) {
		return m, nil
	}
	m, _, err := kept.tri(opt)
	return m, within("", err)
}

// PointsFrom reads the vertices from a stream, see Parsed.Points.
func PointsFrom(r io.Reader, ext string) []r3.Vec {
	raw, err := parseStream(r, ext)
	return raw.points(err)
}

// points returns the vertices of a mesh without cells that was read without a fault.
func (raw *RawMesh) points(err error) []r3.Vec {
	if err != nil || len(raw.Tris)+len(raw.Tets)+len(raw.Hexes)+len(raw.Wedges)+len(raw.skipped) > 0 {
		return nil
	}
	return raw.Verts
}

// piecesFaceOutwards reports whether each piece of a surface encloses a positive volume.
func piecesFaceOutwards(m *meshes.Tri) bool {
	sets := unionfind.New(len(m.Verts))
	for _, t := range m.Tris {
		sets.Union(t[0], t[1])
		sets.Union(t[0], t[2])
	}
	volume := make([]float64, len(m.Verts))
	for _, t := range m.Tris {
		a, b, c := m.Verts[t[0]], m.Verts[t[1]], m.Verts[t[2]]
		volume[sets.Find(t[0])] += a.Dot(b.Cross(c))
	}
	for _, t := range m.Tris {
		if !(volume[sets.Find(t[0])] > 0) {
			return false
		}
	}
	return true
}

// seen returns the surface of a file in metres, with equal places as one vertex.
func (raw *RawMesh) seen(opt ReadOptions) (*meshes.Tri, error) {
	// raw: units apply, repair does not
	opt.Raw = true
	m, _, err := raw.tri(opt)
	if err != nil {
		return nil, err
	}
	// pictures shade by normals at vertices, which triangles have to share
	// Triangles of STL have vertices of their own: three times as many as needed.
	to, welded := pointset.WeldExact(m.Verts, make([]int32, len(m.Verts)))
	if welded == 0 {
		return m, nil
	}
	out := &meshes.Tri{Tris: make([][3]int32, len(m.Tris))}
	number := make([]int32, len(m.Verts))
	out.Verts = make([]r3.Vec, 0, len(m.Verts)-welded)
	for i, p := range m.Verts {
		// The first at each place comes before those that are welded to it.
		if to[i] == int32(i) {
			number[i] = int32(len(out.Verts))
			out.Verts = append(out.Verts, p)
		}
	}
	for i, t := range m.Tris {
		for k, v := range t {
			out.Tris[i][k] = number[to[v]]
		}
	}
	return out, nil
}
