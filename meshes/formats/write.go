package formats

// Meshes are checked before anything is written: an index that does not exist
// or a position that is not finite would make a file that no program reads, and
// the program that made the mesh should hear of it first. Streams are for
// callers that checked already.

// Writing of mesh files in any registered format. The extension chooses the
// format. Files are written atomically: a reader never sees half a mesh.

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/curlfree/curlfree/internal/atomicfile"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/internal/pointset"
)

// WriteTri writes a surface in the format of the path's extension, atomically. The
// error is ErrFormat, with a list of extensions, where no format of surfaces has
// the extension.
func WriteTri(path string, m *meshes.Tri) error {
	f, err := surfaceWriter(filepath.Ext(path))
	if err != nil {
		return err
	}
	if err := checkTri(m); err != nil {
		return fmt.Errorf("meshes: %s: %w", path, err)
	}
	return writeAtomically(path, func(w io.Writer) error { return f.WriteTri(w, m) })
}

// WriteTet writes a tetrahedral mesh in the format of the path's extension,
// atomically. The error wraps ErrFormat and lists the extensions where no format of
// volumes has the extension.
func WriteTet(path string, m *meshes.Tet) error {
	f, err := volumeWriter(filepath.Ext(path))
	if err != nil {
		return err
	}
	if err := checkTet(m); err != nil {
		return fmt.Errorf("meshes: %s: %w", path, err)
	}
	return writeAtomically(path, func(w io.Writer) error { return f.WriteTet(w, m) })
}

// writeAtomically writes a file that appears whole or not at all: a fault, such
// as a full disk, leaves a file of that name as it was.
func writeAtomically(path string, write func(io.Writer) error) error {
	if err := atomicfile.Write(path, write); err != nil {
		return fmt.Errorf("meshes: %w", err)
	}
	return nil
}

// surfaceWriter returns the format of an extension if it writes triangles.
func surfaceWriter(ext string) (SurfaceWriter, error) {
	// a format may read what it cannot write
	_, f := FormatByExtension(ext)
	if w, ok := f.(SurfaceWriter); ok {
		return w, nil
	}
	return nil, fmt.Errorf("meshes: %w %q for writing triangles: name the file with one of %s", ErrFormat, ext, strings.Join(Extensions(false), ", "))
}

// volumeWriter returns the format of an extension if it writes tetrahedra.
func volumeWriter(ext string) (VolumeWriter, error) {
	_, f := FormatByExtension(ext)
	if w, ok := f.(VolumeWriter); ok {
		return w, nil
	}
	return nil, fmt.Errorf("meshes: %w %q for writing tetrahedra: name the file with one of %s", ErrFormat, ext, strings.Join(Extensions(true), ", "))
}

// checkTri refuses what no file should have: indices that do not exist and
// positions that are not finite.
func checkTri(m *meshes.Tri) error {
	for i, t := range m.Tris {
		if err := pointset.CheckIndices(t[:], len(m.Verts)); err != nil {
			return fmt.Errorf("triangle %d: %w", i, err)
		}
	}
	return pointset.CheckFinite(m.Verts)
}

// checkTet refuses what no file should have: indices that do not exist and
// positions that are not finite.
func checkTet(m *meshes.Tet) error {
	// cells by their number in the mesh, from 0
	for i, t := range m.Tets {
		if err := pointset.CheckIndices(t[:], len(m.Verts)); err != nil {
			return fmt.Errorf("tetrahedron %d: %w", i, err)
		}
	}
	return pointset.CheckFinite(m.Verts)
}
