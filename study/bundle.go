package study

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/curlfree/curlfree/internal/atomicfile"
	"github.com/curlfree/curlfree/scene"
)

// A bundle has copies of all files that the cases of a study read. The copies lie to each other as
// the files do, below the folder that contains them all, so that relative names in scenes, robots and
// meshes lead to the copies:
//
//	…/a/grip/study.yaml, …/a/models/finger.stl  →  bundle/a/grip/study.yaml, bundle/a/models/finger.stl
//
// The name of the common folder (here a) stays, since robots may name packages by their folders.

// bundle lists the files of a plan and where their copies lie.
type bundle struct {
	root    string            // common folder of all files, absolute
	sources map[string]string // absolute path of a file, by the name of its copy
	files   []bundleFile      // the copies, by name
}

// bundle lists the files that the cases of the study read, as Check found them.
// cases of one scene read the same files: each is copied once
func (s *Study) bundle() (*bundle, error) {
	paths := map[string]bool{s.Path: true}
	for i := range s.Cases {
		for _, path := range s.Cases[i].files {
			paths[path] = true
		}
	}
	// absolute, since relative ones may lead out of the folder of the study
	var all []string
	for path := range paths {
		abs, err := filepath.Abs(path)
		if err != nil {
			return nil, err
		}
		all = append(all, abs)
	}
	// sorted, so that plan.json does not depend on the order of a map
	slices.Sort(all)
	b := &bundle{root: commonFolder(all), sources: map[string]string{}}
	for _, path := range slices.Compact(all) {
		text, err := scene.ReadInput(path)
		if err != nil {
			return nil, err
		}
		name := b.inBundle(path)
		b.sources[name] = path
		b.files = append(b.files, bundleFile{name, digestOf(text)})
	}
	return b, nil
}

// commonFolder returns the deepest folder that contains all files of absolute paths.
func commonFolder(paths []string) string {
	// it is the folder of the first file, or one above that
	root := filepath.Dir(paths[0])
	for _, path := range paths {
		// go up until the folder contains the file, or is the root of the file system
		for !strings.HasPrefix(path, strings.TrimSuffix(root, string(filepath.Separator))+string(filepath.Separator)) && filepath.Dir(root) != root {
			root = filepath.Dir(root)
		}
	}
	return root
}

// inBundle returns the name of the copy of a file, relative to the plan and with slashes.
func (b *bundle) inBundle(path string) string {
	abs, err := filepath.Abs(path)
	if err != nil {
		return path
	}
	rel, err := filepath.Rel(b.root, abs)
	if err != nil {
		return path
	}
	// the root of a file system has no name
	base := strings.Trim(filepath.Base(b.root), string(filepath.Separator)+".:")
	return filepath.ToSlash(filepath.Join(bundleFolder, base, rel))
}

// write copies the files. A file that changed since the cases were checked is an error.
func (b *bundle) write(dir string) error {
	// read again, not kept from before: a bundle may have meshes of hundreds of megabytes
	for _, f := range b.files {
		text, err := scene.ReadInput(b.sources[f.Name])
		if err != nil {
			return err
		}
		// the copy must be what the hashes of the cases were made of
		if digestOf(text) != f.SHA256 {
			return fmt.Errorf("%s: %w: plan the study again", b.sources[f.Name], scene.ErrChanged)
		}
		path := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return err
		}
		err = atomicfile.Write(path, func(w io.Writer) error {
			_, err := w.Write(text)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// verifyBundle builds, from the bundle, one case of each set of files that cases read: it must read
// copies alone and have the same hash.
func (s *Study) verifyBundle(p *Plan) error {
	seen := map[string]bool{}
	below, err := filepath.Abs(filepath.Join(p.Dir, bundleFolder))
	if err != nil {
		return err
	}
	for i := range p.Cases {
		c := &p.Cases[i]
		// cases with the same files differ in values only: one of them proves the set
		key := strings.Join(c.files, "\n")
		if seen[key] {
			continue
		}
		seen[key] = true
		// loaded as a machine of the cluster would, from the copies alone
		sc, err := scene.Load(filepath.Join(p.Dir, filepath.FromSlash(c.Scene)), c.Set)
		if err != nil {
			return fmt.Errorf("the copies in %s do not serve: %w", below, c.wrap(err))
		}
		for _, path := range sc.Files {
			// a file outside the bundle would be missing on another machine
			if abs, err := filepath.Abs(path); err != nil || !strings.HasPrefix(abs, below+string(filepath.Separator)) {
				return fmt.Errorf("case %s reads %s by its absolute path, which other machines do not have: name it relative to the scene", c.Name, path)
			}
		}
		if sc.Fingerprint != c.inputs {
			return fmt.Errorf("case %s reads other files in %s than in its own place: keep all files of the study below one folder", c.Name, below)
		}
	}
	return nil
}
