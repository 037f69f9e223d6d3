package formats

// From the content of a file to a mesh. Readers of formats only parse; the steps that all
// formats have in common are here: units, cells that are left out, repair, and the map
// from vertices of the mesh to those of the file, which lets users name vertices by their
// number in the file.
//
//	format.Read ─ RawMesh ─ metres ─┬─ tri:  surface, or boundary of the cells ─ repair.OnRead
//	                                └─ tet:  cells, oriented outwards ─ repair.TetsOnRead
//
// What is changed on the way is a finding, so that a caller can choose which of it to print: notes
// are harmless, warnings may make another body than the file describes.

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/internal/phrases"
	"github.com/curlfree/curlfree/meshes/internal/pointset"
	"github.com/curlfree/curlfree/meshes/repair"
	"github.com/curlfree/curlfree/r3"
)

// RawMesh is the content of a mesh file as its format's reader returns it, before
// units and repair: positions are in the units of the file, cells have the
// orientation that they have in the file. Vertex indices must be valid.
type RawMesh struct {
	Verts []r3.Vec   // vertex positions, in units of the file
	Tris  [][3]int32 // triangles, those of polygons and strips included
	Tets  [][4]int32 // tetrahedra
	// Hexes are the hexahedra of the file, in the order of Cells, of either orientation.
	Hexes [][8]int32
	// Wedges are the wedges of the file, in the order of Cells, of either orientation.
	Wedges [][6]int32
	// Disjoint reports that every triangle has vertices of its own (STL): corners at
	// the same position are then one vertex, and nearly coincident ones may be.
	Disjoint bool

	skipped []cellCount // cells that are neither triangles nor tetrahedra
	curved  int         // number of second-order cells that were read as linear

	trailing int // bytes behind the last of the announced triangles (STL)
}

// cellCount counts the skipped cells of one sort.
type cellCount struct {
	name string // plural, for messages: "lines", "hexahedra"
	n    int
}

// Skip counts n cells that the mesh cannot represent, under their name in the plural.
// The reader of the file gets a note, or an error where leaving the cells out would
// leave a void: hexahedra, wedges, pyramids, voxels and polyhedra.
func (m *RawMesh) Skip(name string, n int) {
	// one count for each name
	for i := range m.skipped {
		if m.skipped[i].name == name {
			m.skipped[i].n += n
			return
		}
	}
	// the first of its name
	m.skipped = append(m.skipped, cellCount{name, n})
}

// metres scales the positions to metres and refuses those that are out of
// range.
func (m *RawMesh) metres(opt ReadOptions, rep *meshes.Findings) error {
	// An unknown unit is an error before anything is scaled.
	scale, err := UnitScale(opt.Unit)
	if err != nil {
		return err
	}
	for i := range m.Verts {
		p := m.Verts[i].Scale(scale)
		// The largest coordinate by magnitude.
		if a := max(-p[0], p[0], -p[1], p[1], -p[2], p[2]); a > maxCoordinate {
			return fmt.Errorf("vertex %d is %.3g m from the origin, more than %.0e m: check the unit", i, a, maxCoordinate)
		}
		m.Verts[i] = p
	}
	// The size reports whether the unit was right.
	warnUnlikelyUnit(rep, pointset.Bounds(m.Verts), opt.Unit)
	return nil
}

// kinds lists what the file has, for errors.
func (m *RawMesh) kinds() string {
	// Triangles, tets, then what was skipped.
	var parts []string
	if len(m.Tris) > 0 {
		parts = append(parts, phrases.Plural(len(m.Tris), "triangle"))
	}
	if len(m.Tets) > 0 {
		parts = append(parts, phrases.Plural(len(m.Tets), "tetrahedron"))
	}
	if len(m.Hexes) > 0 {
		parts = append(parts, fmt.Sprintf("%d hexahedra", len(m.Hexes)))
	}
	if len(m.Wedges) > 0 {
		parts = append(parts, fmt.Sprintf("%d wedges", len(m.Wedges)))
	}
	for _, s := range m.skipped {
		parts = append(parts, fmt.Sprintf("%d %s", s.n, s.name))
	}
	if parts == nil {
		return "no cells"
	}
	return strings.Join(parts, ", ")
}

// solids refuses cells that fill space but are not tets: leaving them out would
// leave a void.
func (m *RawMesh) solids() error {
	for _, s := range m.skipped {
		// surfaces and wires that are left out change no volume; these do
		// Cells that occupy space.
		switch s.name {
		case "hexahedra", "wedges", "pyramids", "voxels", "polyhedra":
			return fmt.Errorf("the file has %d %s: only tetrahedra, or hexahedra and wedges, are supported; mesh the part with these", s.n, s.name)
		}
	}
	return nil
}

// notes adds findings on cells that were skipped or simplified.
func (m *RawMesh) notes(rep *meshes.Findings) {
	// By name, since files list cells in any order.
	slices.SortStableFunc(m.skipped, func(a, b cellCount) int { return cmp.Compare(a.name, b.name) })
	for _, s := range m.skipped {
		rep.Addf(meshes.Note, "skipped", s.n, "%d %s left out", s.n, s.name)
	}
	m.noteFaces(rep)
	if m.trailing >= stlFacet {
		rep.Addf(meshes.Warning, "trailing", m.trailing, "%d bytes behind the last of %d announced triangles left out, room for %d more: the count is too low, or files were joined; export the part again",
			m.trailing, len(m.Tris), m.trailing/stlFacet)
	} else if m.trailing > 0 {
		rep.Addf(meshes.Note, "trailing", m.trailing, "%d bytes behind the last triangle left out", m.trailing)
	}
	if m.curved > 0 {
		rep.Addf(meshes.Warning, "curved", m.curved, "%s of second order read as linear: their curved sides become straight", phrases.Plural(m.curved, "cell"))
	}
}

// tri makes a surface of the content: its triangles, or the boundary of its
// tets.
func (m *RawMesh) tri(opt ReadOptions) (*meshes.Tri, meshes.Findings, error) {
	var rep meshes.Findings
	// The same steps for both kinds of mesh: units, notes, cells, repair.
	if err := m.metres(opt, &rep); err != nil {
		return nil, rep, err
	}
	// Tets: their boundary.
	m.notes(&rep)
	if m.isVolume() {
		// The surface of a volume mesh is its boundary.
		tet, more, err := m.orientedTets(opt)
		rep.Append(more)
		if err != nil {
			return nil, rep, err
		}
		tri, from := tet.Surface()
		// Tets that stand twice share all their sides.
		if len(tri.Tris) == 0 {
			return nil, rep, fmt.Errorf("%w: the %s in the file have no boundary, as if each stood there twice: export each cell once", ErrNoTris, phrases.Plural(len(tet.Tets), "tetrahedron"))
		}
		// Vertices of the surface by their numbers in the file.
		rep.VertexOf = pointset.Compose(more.VertexOf, from)
		rep.Addf(meshes.Note, "boundary", len(tri.Tris), "the surface is the boundary of %s", phrases.Plural(len(tet.Tets), "tetrahedron"))
		return tri, rep, nil
	}
	// Triangles, repaired unless raw.
	if err := m.solids(); err != nil {
		return nil, rep, err
	}
	if len(m.Tris) == 0 {
		return nil, rep, fmt.Errorf("%w in the file, it has %s: export a surface of triangles", ErrNoTris, m.kinds())
	}
	// Nothing else may change in raw mode.
	t := &meshes.Tri{Verts: m.Verts, Tris: m.Tris}
	if opt.Raw {
		return t, rep, nil
	}
	// Repair that keeps the shape.
	t, mended := repair.OnRead(t, m.Disjoint)
	rep.Append(mended)
	rep.VertexOf = mended.VertexOf
	// All triangles may have been degenerate.
	if len(t.Tris) == 0 {
		return nil, rep, fmt.Errorf("%w with an area in the file: all %d are degenerate", ErrNoTris, len(m.Tris))
	}
	return t, rep, nil
}

// tet makes a volume mesh of the content.
func (m *RawMesh) tet(opt ReadOptions) (*meshes.Tet, meshes.Findings, error) {
	var rep meshes.Findings
	if err := m.metres(opt, &rep); err != nil {
		return nil, rep, err
	}
	// A surface cannot stand for a volume: the error describes how to fill it.
	if !m.isVolume() {
		return nil, rep, fmt.Errorf("%w in the file, it has %s: a volume mesh is required; make one of a surface with `curlfree mesh tet`", ErrNoTets, m.kinds())
	}
	m.notes(&rep)
	tet, more, err := m.orientedTets(opt)
	rep.Append(more)
	rep.VertexOf = more.VertexOf
	return tet, rep, err
}

// orientedTets returns the tets in positive order, or as they are if raw.
func (m *RawMesh) orientedTets(opt ReadOptions) (*meshes.Tet, meshes.Findings, error) {
	if err := m.solids(); err != nil {
		return nil, meshes.Findings{}, err
	}
	t := &meshes.Tet{Verts: m.Verts, Tets: m.Tets}
	if len(m.Hexes)+len(m.Wedges) > 0 {
		var err error
		if t, err = m.filledCells(); err != nil {
			return nil, meshes.Findings{}, trimErr(err)
		}
	}
	if opt.Raw {
		return t, meshes.Findings{}, nil
	}
	// Orientation, unused vertices, faults.
	t, rep := repair.TetsOnRead(t)
	return t, rep, trimErr(rep.Err())
}

// trimErr removes the package's prefix from an error, which may be nil.
func trimErr(err error) error {
	if err == nil {
		return nil
	}
	return trimmed{err}
}
