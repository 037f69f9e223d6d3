package scene

// The fingerprint of a run decides whether results belong to it: a study runs a case again when it
// changed, and a checkpoint continues only the run that wrote it. It is a chain of digests over all
// inputs in the order in which they are read,
//
//	s_0 = ∅,   s_{i+1} = SHA-256(s_i ‖ content_i)                              (1)
//
// the scene itself, overrides, robot files, meshes and tables. Names and times of files do not count.
// Chaining keeps the bounds between inputs, which digesting their concatenation would lose.

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/curlfree/curlfree/internal/inputfile"
	"github.com/curlfree/curlfree/meshes/formats"
)

// inputs are the files that a scene reads, and their digest.
type inputs struct {
	// dir is the folder of the scene, so that scenes can be run from anywhere.
	dir string
	// sum is s_i of (1).
	sum []byte
	// snapshot has the digests of files that earlier scenes have read; nil: none.
	snapshot *Snapshot
	// changed are files that differ from what earlier scenes have read.
	changed []string
	// files are the paths of all files that were read, in their order.
	files []string
}

// Snapshot stores digests of the files that scenes read, so that all scenes loaded with it
// have the same inputs: a file that is edited in between is an error. It also keeps tetrahedra for scenes
// that have the same meshes. It may be used from several goroutines.
type Snapshot struct {
	mu      sync.Mutex
	digests map[string][sha256.Size]byte
	meshes  meshCache
}

// ErrChanged is returned by Snapshot.Load for a scene with a file that has changed.
var ErrChanged = errors.New("changed since it was read for the first time")

// Load is like the function Load, and returns ErrChanged for a scene that reads a file with
// another content than before.
func (s *Snapshot) Load(path string, overrides []string) (*Scene, error) {
	return loadWith(path, overrides, s)
}

// LoadText is Load of a text that a program has made: path stands for the file in messages, and files that the text
// names are found from its folder.
func (s *Snapshot) LoadText(path string, text []byte, overrides []string) (*Scene, error) {
	return loadBytes(path, text, overrides, s)
}

// Same stores the digest of a file, and reports whether its content is the same as at earlier
// calls.
func (s *Snapshot) Same(path string, text []byte) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.digests == nil {
		s.digests = map[string][sha256.Size]byte{}
	}
	d := sha256.Sum256(text)
	before, ok := s.digests[path]
	if !ok {
		s.digests[path] = d
	}
	return !ok || before == d
}

// rel resolves a file name against the scene's folder.
func (in *inputs) rel(name string) string {
	// slashes of scenes serve every system
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(in.dir, filepath.FromSlash(name))
}

// digestFile adds the content of a file to the scene's fingerprint.
func (in *inputs) digestFile(path string, text []byte) {
	in.digest(text)
	in.files = append(in.files, path)
	if in.snapshot != nil && !in.snapshot.Same(path, text) {
		in.changed = append(in.changed, path)
	}
}

// digestMesh adds the content of a mesh file, and of the files that it names, to the scene's
// fingerprint.
func (in *inputs) digestMesh(path string, text []byte) {
	in.digestFile(path, text)
	for _, beside := range formats.ReferencedFiles(path, text) {
		// one that is missing is a fault of reading the mesh
		if more, err := readInput(beside); err == nil {
			in.digestFile(beside, more)
		}
	}
}

// unchanged returns ErrChanged if a file of the scene has changed.
func (in *inputs) unchanged() error {
	if len(in.changed) == 0 {
		return nil
	}
	return fmt.Errorf("%s: %w: start the study again, which keeps the cases that the change leaves as they are", strings.Join(unique(in.changed), ", "), ErrChanged)
}

// digest adds an input to the scene's fingerprint.
func (in *inputs) digest(text []byte) {
	// (1)
	h := sha256.New()
	h.Write(in.sum)
	h.Write(text)
	in.sum = h.Sum(nil)
}

// fingerprint returns the digest of all inputs so far, in hexadecimal.
func (in *inputs) fingerprint() string { return hex.EncodeToString(in.sum) }

// maxInput is the largest file that is read, bytes.
const maxInput = 4 << 30

// missingFile is the error of a path at which there is no file.
type missingFile string

// Error names the file.
func (m missingFile) Error() string { return string(m) + ": there is no such file" }

// Is lets callers test for fs.ErrNotExist by errors.Is.
func (missingFile) Is(err error) bool { return err == fs.ErrNotExist }

// ReadInput reads a file that the user named: a scene, study, robot or table. It refuses folders,
// devices and pipes, of which reading may never end, and files of more than 4 GB.
func ReadInput(path string) ([]byte, error) { return readInput(path) }

// readInput is ReadInput.
func readInput(path string) ([]byte, error) {
	st, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, missingFile(path)
	case err != nil:
		return nil, err
	// messages of the operating system name neither the mistake nor the remedy
	case st.IsDir():
		return nil, fmt.Errorf("%s is a folder: name the scene file in it", path)
	case st.Size() > maxInput:
		return nil, fmt.Errorf("%s has %d bytes, more than the %d of the largest input that is read: split or coarsen it", path, st.Size(), int64(maxInput))
	}
	return inputfile.Read(path)
}
