package scene

// Meshes are read once and shared. A mesh has a surface, tetrahedra or both; what is missing is
// made when an item needs it:
//
//	deformable            tetrahedra, from a closed surface by package meshes
//	shape mesh            closed surface, the boundary of the tetrahedra
//	shape convex          vertices, of which the hull is taken
//	pressure field        surface with tetrahedra, those of the file or part if it has any
//
// Making them on demand matters: tetrahedra of a detailed surface take seconds, and a mesh that only
// a hull is taken of needs none. What was made is kept with the mesh for all shapes that name it.

import (
	"cmp"
	"reflect"
	"slices"
	"strings"

	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/internal/memory"
	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/formats"
	"github.com/curlfree/curlfree/meshes/parts"
	"github.com/curlfree/curlfree/meshes/repair"
	"github.com/curlfree/curlfree/meshes/stuffing"
	"github.com/curlfree/curlfree/r3"
)

// meshData is a mesh of the scene: its surface, and tetrahedra that are given or
// that a deformable or a pressure field has requested.
type meshData struct {
	spec *Mesh
	// tri is nil for volume meshes until a shape needs their surface.
	tri *meshes.Tri
	// tet is nil for surfaces and parts until a deformable or a field needs it.
	tet *meshes.Tet
	// ofSurface reports that tet was made from the surface, at the resolution of the entry.
	ofSurface bool
	// ofElements are the meshes of kinds of elements that add vertices, as far as made yet.
	ofElements map[reflect.Type]*meshes.Tet
	// part has tetrahedra of its own, which follow its teeth; nil for any other mesh.
	part parts.Part
	// partKey is the key of the part's tetrahedra.
	partKey tetsKey

	// solid is the inside of the surface with its search trees; nil: not made yet.
	solid *geometry.Mesh
	// filled is solid with tetrahedra for a pressure field; nil: not made yet.
	filled *geometry.Mesh
	// overlapSeen: solids that overlap were reported.
	overlapSeen bool
}

// loadMeshes reads or generates every mesh; tetrahedra from surfaces and of machine
// parts are made at their first use. A mesh with a fault is left out of l.meshes; items that name it
// report nothing further.
func (l *loader) loadMeshes() {
	for _, name := range l.f.Meshes.Keys {
		m := l.f.Meshes.Get(name)
		d := &meshData{spec: m}
		// exactly one source
		given := 0
		for _, is := range []bool{m.File != "", m.Box != nil, len(m.Part.Keys) > 0} {
			if is {
				given++
			}
		}
		switch {
		case given != 1:
			l.fail(m.Pos, "meshes.%s: one of file, box and part is required", name)
			continue
		case !l.meshKeys(name, m):
			continue
		case len(m.Part.Keys) > 0:
			if !l.makePart(name, d) {
				continue
			}
		case m.Box != nil && !l.boxFits(name, m):
			continue
		case m.Box != nil:
			t, err := meshes.BoxTets(r3.Vec(m.Box.Size), m.Box.Cells)
			if err != nil {
				l.fail(m.Box.at(m.Pos), "meshes.%s.box: %v", name, err)
				continue
			}
			d.tet = t
		default:
			if !l.readMesh(name, d) {
				continue
			}
		}
		l.meshes[name] = d
	}
}

// defaultMaxVertices is the largest number of vertices unless max_vertices raises it.
const defaultMaxVertices = 200_000

// bytesPerVertex is what a run of a deformable takes at least for each vertex of its mesh, without the factor of its
// matrix; loading takes 9 to 16 kB.
const bytesPerVertex = 16e3

// boxFits refuses boxes with more vertices than the limit: a million take minutes.
func (l *loader) boxFits(name string, m *Mesh) bool {
	// a product of integers may overflow, one of floating-point numbers does not
	n := 1.0
	for _, c := range m.Box.Cells {
		n *= float64(max(c, 0) + 1)
	}
	most := cmp.Or(m.MaxVertices, defaultMaxVertices)
	if n <= float64(most) {
		if err := memory.Need(bytesPerVertex * n); err != nil {
			l.fail(m.Box.at(m.Pos), "meshes.%s.box: %v cells: %v: give fewer cells, or raise the limit", name, m.Box.Cells, err)
			return false
		}
		return true
	}
	l.fail(m.Box.at(m.Pos), "meshes.%s.box: %v cells have %.0f vertices, the limit is %d: give fewer cells, or raise meshes.%s.max_vertices", name, m.Box.Cells, n, most, name)
	return false
}

// meshKeys refuses keys that boxes and machine parts do not have.
func (l *loader) meshKeys(name string, m *Mesh) bool {
	if m.File != "" {
		return true
	}
	for _, k := range []struct {
		key   string
		given bool
	}{{"unit", m.Unit != ""}, {"method", m.Method != ""}, {"size", m.Size != 0}, {"vertices", m.Vertices != 0}, {"layers", m.Layers != 0},
		{"wall_cells", m.WallCells != 0}, {"allow_loss", m.AllowLoss}} {
		if k.given {
			l.fail(m.Pos, "meshes.%s.%s applies to mesh files only: boxes and machine parts are in metres and have parameters for their resolution: leave it out", name, k.key)
			return false
		}
	}
	return true
}

// makePart makes the surface of a machine part. Tetrahedra of parts follow the teeth, which takes
// longer; partTets makes them at their first use.
func (l *loader) makePart(name string, d *meshData) bool {
	m := d.spec
	if len(m.Part.Keys) != 1 {
		l.fail(m.Pos, "meshes.%s.part: one kind is required, such as spur, not %d", name, len(m.Part.Keys))
		return false
	}
	kind := m.Part.Keys[0]
	if parts.KindOf(kind) == nil {
		// the nearest of all kinds of parts
		var names []string
		for _, k := range parts.Kinds() {
			names = append(names, k.Name)
		}
		l.fail(m.Pos, "meshes.%s.part: unknown kind %q%s", name, kind, kinds.Suggest(kind, names))
		return false
	}
	// lists in general, since profiles of gears and shafts have many numbers; a number is a list of one
	params := map[string][]float64{}
	for _, key := range m.Part.Get(kind).Keys {
		if known := partKeys(kind); !slices.Contains(known, key) {
			l.fail(m.Pos, "meshes.%s.part.%s: no parameter is called %q%s", name, kind, key, kinds.Suggest(key, known))
			return false
		}
		params[key] = *m.Part.Get(kind).Get(key)
	}
	d.partKey = keyOfPart(kind, params)
	var err error
	// parameters that make no gear, such as undercut, are faults of the scene
	if d.part, err = parts.Make(kind, params); err == nil {
		d.tri, err = d.part.Surface()
	}
	if err != nil {
		l.failPart(name, m, err)
		return false
	}
	if !l.scale(name, d) {
		return false
	}
	// 2 m for a gear is likely a module in mm
	if size := d.tri.Bounds().Size(); max(size[0], size[1], size[2]) > largePart {
		l.warn("meshes.%s.part.%s is %.3g m large: lengths are in m, as in module: 1e-3", name, kind, max(size[0], size[1], size[2]))
	}
	return true
}

// partKeys returns the names of the parameters of a kind of part; none for an unknown kind.
func partKeys(kind string) (names []string) {
	if k := parts.KindOf(kind); k != nil {
		for _, p := range k.Params {
			names = append(names, p.Name)
		}
	}
	return names
}

// largePart is a size at which machine parts are doubted, m.
const largePart = 2

// failPart notes an error of a machine part at its mesh.
func (l *loader) failPart(name string, m *Mesh, err error) {
	l.fail(m.Pos, "meshes.%s.part.%s", name, strings.TrimPrefix(err.Error(), "parts: "))
}

// partTets makes the tetrahedra of a machine part, and returns those of any other
// mesh that has some; nil for a surface, or after a fault.
func (l *loader) partTets(name string, d *meshData) *meshes.Tet {
	if d.tet != nil || d.part == nil {
		return d.tet
	}
	tet, _, err := l.cache().tets(d.partKey, func() (*meshes.Tet, stuffing.TetResult, error) {
		tet, err := d.part.Tets()
		return tet, stuffing.TetResult{}, err
	})
	if err != nil {
		l.failPart(name, d.spec, err)
		delete(l.meshes, name) // it fails once
		return nil
	}
	// the surface was scaled when it was made; tetrahedra have to fit into it
	if s := d.spec.Scale; s != [3]float64{} {
		stretch(tet.Verts, s)
	}
	d.tet = tet
	return tet
}

// at returns the position of messages about the box: that of its mesh.
func (*BoxMesh) at(p Pos) Pos { return p }

// readMesh reads a mesh file: a volume mesh if it has tetrahedra, else a surface. A volume mesh
// keeps its tetrahedra as they are; only surfaces are filled.
func (l *loader) readMesh(name string, d *meshData) bool {
	m := d.spec
	path := l.rel(m.File)
	text, err := readInput(path)
	if err != nil {
		l.fail(m.Pos, "meshes.%s.file: %v", name, err)
		return false
	}
	// read twice, here for the fingerprint; the second time comes from the cache of the system
	l.digestMesh(path, text)
	opt := formats.ReadOptions{Unit: m.Unit}
	file, rep, err := formats.Read(path, opt)
	if err != nil {
		l.fail(m.Pos, "meshes.%s: %v", name, err)
		return false
	}
	l.reportMesh("mesh "+name, rep, m.Scale != [3]float64{})
	d.tri, d.tet = file.Tri, file.Tet
	return l.scale(name, d)
}

// reportMesh passes on what was found and repaired in a mesh, but that vertices were welded: every
// STL needs that. A mesh that is scaled after reading is not doubted for its size in the file.
func (l *loader) reportMesh(where string, r meshes.Findings, scaled bool) {
	for _, f := range r.List {
		// its final size is not that of the file
		if scaled && f.Kind == "unit" {
			continue
		}
		// what was turned over is repaired, but the mesh deserves a look
		if f.Severity > meshes.Note || f.Kind == "inverted" || f.Kind == "oriented" {
			l.warn("%s: %s", where, f)
		}
	}
}

// scale stretches a mesh along its axes, as its entry says; false when it cannot. Factors may
// differ: a body of half the height needs no second file.
func (l *loader) scale(name string, d *meshData) bool {
	s := d.spec.Scale
	if s == [3]float64{} {
		return true
	}
	// mirrors would turn triangles inside out
	if !(s[0] > 0 && s[1] > 0 && s[2] > 0) {
		l.fail(d.spec.Pos, "meshes.%s.scale is %v: three positive factors are required", name, s)
		return false
	}
	// surface and tetrahedra, where there are both
	if d.tri != nil {
		stretch(d.tri.Verts, s)
	}
	if d.tet != nil {
		stretch(d.tet.Verts, s)
	}
	return true
}

// stretch scales points along the axes, in place.
func stretch(verts []r3.Vec, s r3.Vec) {
	for i := range verts {
		for k := range s {
			verts[i][k] *= s[k]
		}
	}
}

// mesh returns a mesh by name, nil when there is none or it has a fault.
func (l *loader) mesh(p Pos, name string) *meshData {
	d := l.meshes[name]
	if d == nil && l.f.Meshes.Get(name) == nil { // else said where it was read
		l.fail(p, "unknown mesh %q%s", name, kinds.Suggest(name, l.f.Meshes.Keys))
	}
	return d
}

// tets returns the tetrahedra of a mesh, made from its surface the first time.
func (l *loader) tets(p Pos, name string) *meshes.Tet {
	d := l.mesh(p, name)
	if d == nil {
		return nil
	}
	// volume meshes have tetrahedra, parts make theirs
	if d.tet != nil || d.part != nil {
		return l.partTets(name, d)
	}
	tet := l.fill(name, d, false)
	if tet != nil {
		d.tet, d.ofSurface = tet, true
	}
	return tet
}

// fill returns tetrahedra that fill the surface of a mesh; nil after a fault. With midpoints, `vertices`
// counts the middles of edges, too.
func (l *loader) fill(name string, d *meshData, midpoints bool) *meshes.Tet {
	if err := repair.Watertight(d.tri); err != nil {
		l.fail(d.spec.Pos, "meshes.%s: tetrahedra need a closed surface: %v", name, err)
		return nil
	}
	// tetrahedra fill what lies inside of any part: thin gaps may close
	if w := repair.Diagnose(d.tri).CutWarning(); w != "" {
		l.warn("mesh %s: %s", name, w)
	}
	m := d.spec
	opt := stuffing.TetOptions{
		Method: m.Method, Size: m.Size, Vertices: m.Vertices, Midpoints: midpoints, Layers: m.Layers,
		WallCells: m.WallCells, MaxVertices: m.MaxVertices, AllowLoss: m.AllowLoss,
	}
	tet, rep, err := l.cache().tets(keyOfSurface(d.tri, &opt), func() (*meshes.Tet, stuffing.TetResult, error) {
		return stuffing.Tetrahedralize(d.tri, opt)
	})
	if err != nil {
		l.fail(m.Pos, "meshes.%s: %v", name, err)
		return nil
	}
	l.reportMesh("mesh "+name, rep.Findings, false)
	return tet
}

// surface returns the closed surface of a mesh. Contact needs to distinguish inside from outside, so the
// surface must be closed.
func (l *loader) surface(p Pos, name string) *meshes.Tri {
	d := l.mesh(p, name)
	if d == nil {
		return nil
	}
	// a volume mesh: its boundary, made once
	if d.tri == nil {
		d.tri, _ = d.tet.Surface()
	}
	if err := repair.Watertight(d.tri); err != nil {
		l.fail(p, "mesh %s: a contact shape needs a closed surface: %v", name, err)
		return nil
	}
	l.warnOfOverlap(name, d)
	return d.tri
}

// overlapWarned is the share of a mesh's volume in which its solids overlap, from which
// masses are wrong by more than round-off of the file.
const overlapWarned = 1e-4

// warnOfOverlap says once for each mesh how much of its volume, and of masses from
// densities, counts twice.
func (l *loader) warnOfOverlap(name string, d *meshData) {
	if d.overlapSeen || d.part != nil {
		return
	}
	d.overlapSeen = true
	if v := repair.SharedVolume(d.tri); v > overlapWarned*d.tri.Volume() {
		l.warn("mesh %s: solids overlap in %.3g m³ (%.2g %% of the volume), which masses from a density count twice: unite them in the program they come from, or give mass and inertia", name, v, 100*v/d.tri.Volume())
	}
}
