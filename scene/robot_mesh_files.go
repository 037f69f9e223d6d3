package scene

// Files of robots' meshes. A file mostly has several uses, to be drawn and to touch, or scales for a left and a right
// part: it is parsed once, and each use has a surface of its own from it. A scene with several robots of one kind has
// their surfaces and shapes once.

import (
	"github.com/curlfree/curlfree/meshes/formats"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/scene/robot"
	"github.com/curlfree/curlfree/workers"
)

// meshFile is a file of meshes of a robot.
type meshFile struct {
	path   string
	text   []byte          // until all meshes of the robot are read
	parsed *formats.Parsed // likewise
	err    error
}

// name returns the path, empty where there is no file.
func (f *meshFile) name() string {
	if f == nil {
		return ""
	}
	return f.path
}

// release frees what meshes are made from.
func (f *meshFile) release() {
	if f != nil {
		f.text, f.parsed = nil, nil
	}
}

// meshFiles are those of one robot, by their paths.
type meshFiles map[string]*meshFile

// parse parses the files of meshes, on all cores. Each file that fails is a fault of all its meshes.
func (fs meshFiles) parse(all []*robotMesh) {
	var files []*meshFile
	seen := map[*meshFile]bool{}
	for _, m := range all {
		if f := m.file; f != nil && m.err == nil && !seen[f] {
			seen[f] = true
			files = append(files, f)
		}
	}
	workers.Each(len(files), func(i int) {
		f := files[i]
		f.parsed, f.err = formats.Parse(f.path, f.text)
	})
	for _, m := range all {
		if m.err == nil && m.file != nil {
			m.err = m.file.err
		}
	}
}

// meshInput returns the file of a mesh, whose content counts for the fingerprint as meshes of the
// scene do: once for each use and scale.
func (r *robotLoader) meshInput(m *robot.Mesh, files meshFiles) (*meshFile, error) {
	path, err := r.uris.path(m.File)
	if err != nil {
		return &meshFile{path: path}, err
	}
	f := files[path]
	if f == nil {
		f = &meshFile{path: path}
		f.text, f.err = readInput(path)
		files[path] = f
	}
	if f.err == nil {
		r.digestMesh(path, f.text)
	}
	return f, f.err
}

// sharedMesh names a mesh that robots of a scene share.
type sharedMesh struct {
	path string
	s    r3.Vec // scale
	use  meshUse
	hull bool // see robot.Mesh.ConvexHull
}

// knownMesh returns the mesh of an earlier robot, or of another name of the file, that is the same as m. If there is
// none, m is that of later ones.
func (l *loader) knownMesh(m *robotMesh) *robotMesh {
	if m.file == nil || m.err != nil {
		return nil
	}
	key := sharedMesh{m.file.path, m.Scale, m.use, m.ConvexHull}
	if known := l.robotMeshes[key]; known != nil {
		return known
	}
	l.robotMeshes[key] = m
	return nil
}
