package scene

import (
	"path/filepath"
	"strings"

	"curlfree/geometry"
	"curlfree/meshes"
	"curlfree/r3"
)

// meshData is a mesh of the scene: its surface, and tetrahedra when it is used
// for a deformable.
type meshData struct {
	spec *Mesh
	tri  *meshes.Tri
	tet  *meshes.Tet
}

// loadMeshes reads or generates every mesh; tetrahedra from surfaces are made
// when a deformable asks for them.
func (b *builder) loadMeshes() {
	for _, name := range b.f.Meshes.Keys {
		m := b.f.Meshes.Get(name)
		d := &meshData{spec: m}
		switch {
		case (m.File == "") == (m.Box == nil):
			b.fail(m.Pos, "meshes.%s: one of file and box is wanted", name)
			continue
		case m.Box != nil:
			t, err := meshes.BoxTets(r3.Vec(m.Box.Size), m.Box.Cells)
			if err != nil {
				b.fail(m.Box.at(m.Pos), "meshes.%s.box: %v", name, err)
				continue
			}
			d.tet = t
		default:
			if !b.readMesh(name, d) {
				continue
			}
		}
		b.meshes[name] = d
	}
}

func (*BoxMesh) at(p Pos) Pos { return p }

// readMesh reads a mesh file: a volume mesh if it holds tetrahedra, else a
// surface.
func (b *builder) readMesh(name string, d *meshData) bool {
	m := d.spec
	path := b.rel(m.File)
	text, err := readInput(path)
	if err != nil {
		b.fail(m.Pos, "meshes.%s.file: %v", name, err)
		return false
	}
	b.digest(text)
	opt := meshes.Options{Unit: m.Unit}
	switch strings.ToLower(filepath.Ext(path)) {
	case ".stl", ".obj":
		var rep meshes.Report
		if d.tri, rep, err = meshes.ReadTri(path, opt); err == nil {
			b.reportMesh(name, rep)
		}
	default:
		var rep meshes.Report
		if d.tet, rep, err = meshes.ReadTet(path, opt); err == nil {
			b.reportMesh(name, rep)
		}
	}
	if err != nil {
		b.fail(m.Pos, "meshes.%s: %v", name, err)
		return false
	}
	d.scale(m.Scale)
	return true
}

// reportMesh passes a mesh's warnings on.
func (b *builder) reportMesh(name string, r meshes.Report) {
	for _, w := range r.Warnings() {
		b.warn("mesh %s: %s", name, w)
	}
}

func (d *meshData) scale(s [3]float64) {
	if s == [3]float64{} {
		return
	}
	apply := func(v []r3.Vec) {
		for i := range v {
			for j := range s {
				v[i][j] *= s[j]
			}
		}
	}
	if d.tri != nil {
		apply(d.tri.Verts)
	}
	if d.tet != nil {
		apply(d.tet.Verts)
	}
}

// tets returns the tetrahedra of a mesh, made from its surface the first time.
func (b *builder) tets(p Pos, name string) *meshes.Tet {
	d, ok := b.meshes[name]
	if !ok {
		if b.f.Meshes.Get(name) == nil { // else said above
			b.fail(p, "unknown mesh %q%s", name, suggest(name, keysOf(b.meshes)))
		}
		return nil
	}
	if d.tet != nil {
		return d.tet
	}
	if err := meshes.Watertight(d.tri); err != nil {
		b.fail(d.spec.Pos, "meshes.%s: tetrahedra need a closed surface: %v", name, err)
		return nil
	}
	m := d.spec
	tet, rep, err := meshes.TetrahedralizeSurface(d.tri, meshes.TetOptions{
		Method: m.Method, Size: m.Size, Vertices: m.Vertices, Layers: m.Layers,
	})
	if err != nil {
		b.fail(m.Pos, "meshes.%s: %v", name, err)
		return nil
	}
	for _, w := range rep.Warnings() {
		b.warn("mesh %s: %s", name, w)
	}
	d.tet = tet
	return tet
}

// surface returns the closed surface of a mesh.
func (b *builder) surface(p Pos, name string) *meshes.Tri {
	d, ok := b.meshes[name]
	if !ok {
		if b.f.Meshes.Get(name) == nil {
			b.fail(p, "unknown mesh %q%s", name, suggest(name, keysOf(b.meshes)))
		}
		return nil
	}
	if d.tri == nil {
		d.tri = boundaryOf(d.tet)
	}
	if err := meshes.Watertight(d.tri); err != nil {
		b.fail(p, "mesh %s: a contact shape needs a closed surface: %v", name, err)
		return nil
	}
	return d.tri
}

// boundaryOf returns the boundary of tetrahedra as a surface with only the
// vertices it uses.
func boundaryOf(t *meshes.Tet) *meshes.Tri {
	tris, _ := t.Boundary()
	s := &meshes.Tri{Tris: make([][3]int32, len(tris))}
	index := make([]int32, len(t.Verts))
	for i, tri := range tris {
		for j, v := range tri {
			if index[v] == 0 {
				s.Verts = append(s.Verts, t.Verts[v])
				index[v] = int32(len(s.Verts))
			}
			s.Tris[i][j] = index[v] - 1
		}
	}
	return s
}

// shape builds the contact shape of a specification.
func (b *builder) shape(where string, s *Shape) geometry.Shape {
	var shapes []geometry.Shape
	try := func(sh geometry.Shape, err error) {
		if err != nil {
			b.fail(s.Pos, "%s: %v", where, err)
		}
		shapes = append(shapes, sh)
	}
	if s.Sphere != nil {
		sh, err := geometry.NewSphere(s.Sphere.Radius)
		try(sh, err)
	}
	if s.Box != nil {
		sh, err := geometry.NewBox(r3.Vec(s.Box.Size))
		try(sh, err)
	}
	if s.Cylinder != nil {
		sh, err := geometry.NewCylinder(s.Cylinder.Radius, s.Cylinder.Length)
		try(sh, err)
	}
	if s.Capsule != nil {
		sh, err := geometry.NewCapsule(s.Capsule.Radius, s.Capsule.Length)
		try(sh, err)
	}
	if s.HalfSpace != nil {
		try(geometry.HalfSpace{}, nil)
	}
	if s.Mesh != nil {
		if tri := b.surface(s.Pos, s.Mesh.Mesh); tri != nil {
			sh, err := geometry.NewMesh(tri)
			try(sh, err)
		}
	}
	if s.Convex != nil {
		if tri := b.surface(s.Pos, s.Convex.Mesh); tri != nil {
			sh, err := geometry.NewConvex(tri.Verts)
			try(sh, err)
		}
	}
	if len(shapes) != 1 {
		if len(b.errs) == 0 || len(shapes) > 1 {
			b.fail(s.Pos, "%s: exactly one of sphere, box, cylinder, capsule, half_space, mesh and convex is wanted", where)
		}
		return nil
	}
	return shapes[0]
}
