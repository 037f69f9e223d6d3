package meshes

import (
	"fmt"
	"io"
	"path/filepath"

	"github.com/curlfree/curlfree/r3"
)

// WriteTri writes a surface in the format of the path's extension. The file
// appears whole or not at all.
func WriteTri(path string, m *Tri) error {
	f := byExt(filepath.Ext(path))
	if f == nil || f.writeTri == nil {
		return fmt.Errorf("meshes: %w %q for writing triangles: name the file with one of %s",
			ErrFormat, filepath.Ext(path), extensions(func(f *format) bool { return f.writeTri != nil }))
	}
	if err := m.check(); err != nil {
		return fmt.Errorf("meshes: %s: %w", path, err)
	}
	return writeAtomically(path, func(w io.Writer) error { return f.writeTri(w, m) })
}

// WriteTet writes a tetrahedral mesh in the format of the path's extension. The
// file appears whole or not at all.
func WriteTet(path string, m *Tet) error {
	f := byExt(filepath.Ext(path))
	if f == nil || f.writeTet == nil {
		return fmt.Errorf("meshes: %w %q for writing tetrahedra: name the file with one of %s",
			ErrFormat, filepath.Ext(path), extensions(func(f *format) bool { return f.writeTet != nil }))
	}
	if err := m.check(); err != nil {
		return fmt.Errorf("meshes: %s: %w", path, err)
	}
	return writeAtomically(path, func(w io.Writer) error { return f.writeTet(w, m) })
}

// WriteTriTo writes a surface to a stream in the format of an extension (".stl").
func WriteTriTo(w io.Writer, ext string, m *Tri) error {
	f := byExt(ext)
	if f == nil || f.writeTri == nil {
		return fmt.Errorf("meshes: %w %q for writing triangles", ErrFormat, ext)
	}
	return f.writeTri(w, m)
}

// WriteTetTo writes a tetrahedral mesh to a stream in the format of an extension
// (".vtk").
func WriteTetTo(w io.Writer, ext string, m *Tet) error {
	f := byExt(ext)
	if f == nil || f.writeTet == nil {
		return fmt.Errorf("meshes: %w %q for writing tetrahedra", ErrFormat, ext)
	}
	return f.writeTet(w, m)
}

// check refuses what no file should hold.
func (m *Tri) check() error {
	for i, t := range m.Tris {
		if err := indicesWithin(t[:], len(m.Verts)); err != nil {
			return fmt.Errorf("triangle %d: %w", i, err)
		}
	}
	return finiteVerts(m.Verts)
}

func (m *Tet) check() error {
	for i, t := range m.Tets {
		if err := indicesWithin(t[:], len(m.Verts)); err != nil {
			return fmt.Errorf("tetrahedron %d: %w", i, err)
		}
	}
	return finiteVerts(m.Verts)
}

func indicesWithin(idx []int32, n int) error {
	for _, v := range idx {
		if v < 0 || int(v) >= n {
			return fmt.Errorf("vertex %d does not exist: there are %d", v, n)
		}
	}
	return nil
}

func finiteVerts(verts []r3.Vec) error {
	for i, p := range verts {
		if !p.IsFinite() {
			return fmt.Errorf("vertex %d is at %v, which is not finite", i, p)
		}
	}
	return nil
}
