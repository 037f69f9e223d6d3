package meshes

import "github.com/curlfree/curlfree/r3"

// Seen reads a surface that is only looked at: positions become metres and vertices at equal
// places one, but nothing is examined or mended, which takes most of the time of reading. See Read.
func Seen(path string, opt ReadOptions) (*Tri, error) {
	raw, _, err := parseFile(path)
	if err != nil {
		return nil, err
	}
	// raw: units apply, repair does not
	opt.Raw = true
	m, _, err := raw.tri(opt)
	if err != nil {
		return nil, within(path, err)
	}
	// pictures shade by normals at vertices, which triangles have to share
	// Triangles of STL have vertices of their own: three times as many as needed.
	to, welded := weldExact(m.Verts, make([]int32, len(m.Verts)))
	if welded == 0 {
		return m, nil
	}
	out := &Tri{Tris: make([][3]int32, len(m.Tris))}
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
