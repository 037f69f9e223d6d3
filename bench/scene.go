// Package bench measures the time of a step, stage by stage, in scenes whose work is the same
// on every machine and with every version. The steps are repeated from a saved state, and of
// each step the shortest time counts. Results are written as tables, as lines of JSON and to a
// history.
package bench

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/curlfree/curlfree/scene"
)

// Workloads are of the kinds that users run: grasps of deformables, heaps, stacks, gears by pressure
// fields, trees without contact, and single bodies of growing size. Each is small enough that all
// of them are measured in some minutes, and rests on nothing outside of the program.

// Scene is a workload: the steps WarmUpSteps to WarmUpSteps + Steps of a scene file.
type Scene struct {
	// Name is the name on the command line and in results.
	Name string
	// Description says in a few words what is simulated.
	Description string
	// WarmUpSteps is the number of steps before the first one that is measured.
	WarmUpSteps int
	// Steps is the number of steps that are measured.
	Steps int
	// Long marks a scene that takes minutes and runs only if it is named.
	Long bool

	files   func() (map[string][]byte, error) // the files of the scene by name, scene.yaml among them
	example string                            // or the scene file in a checkout
}

// ErrNotAvailable is returned for a scene whose files are not in a checkout above the working
// folder.
var ErrNotAvailable = errors.New("not available")

// Scenes returns all scenes. They are embedded in the program and must not change, so that the
// results in a history can be compared.
func Scenes() []Scene {
	return []Scene{
		// from 40 steps on the fingers hold the part
		{Name: "finray-grasp", Description: "two deformable fingers grip, lift and hold a part", WarmUpSteps: 40, Steps: 60, files: embedded("finray-grasp")},
		{Name: "clutter", Description: "40 spheres and boxes fall into a bin", Steps: 1500, files: embedded("clutter")},
		{Name: "barrett-finger", Description: "a geared finger, pressure fields of gears and worms", WarmUpSteps: 20, Steps: 40, example: "examples/barrett-finger/scene.yaml"},
		{Name: "box-stack-1000", Description: "a wall of 1000 bricks settles", WarmUpSteps: 5, Steps: 20, files: wall},
		{Name: "mixed-200", Description: "200 spheres, boxes, capsules, cylinders and ellipsoids fall into a bin", WarmUpSteps: 100, Steps: 100, files: mixed(5, 8)},
		long(Scene{Name: "mixed-1000", Description: "1000 of them", WarmUpSteps: 150, Steps: 20, files: mixed(10, 10)}),
		cantilever("fem-cantilever-1k", 4, 40),
		cantilever("fem-cantilever-10k", 9, 5),
		long(cantilever("fem-cantilever-100k", 21, 1)),
		{Name: "tree-panda-like-7", Description: "a seven-joint arm falls, no contact", WarmUpSteps: 10, Steps: 1000, files: embedded("tree-panda-like-7")},
		{Name: "hydro-1000-faces", Description: "a ball pressed into a slab, pressure fields", WarmUpSteps: 40, Steps: 60, files: embedded("hydro-1000-faces")},
	}
}

// long marks a scene as one that takes minutes.
func long(s Scene) Scene {
	s.Long = true
	return s
}

// FindScenes returns the scenes with the given names; without names, all except long ones.
// A name that is not there is an error: a script would otherwise measure nothing and pass.
func FindScenes(names ...string) ([]Scene, error) {
	var found []Scene
	all := Scenes()
	for _, name := range names {
		n := len(found)
		// scenes in the order of the list, each name by itself
		for i := range all {
			// names are exact: --list prints them
			if all[i].Name == name {
				found = append(found, all[i])
			}
		}
		// a misspelled name must not pass as an empty measurement
		if len(found) == n {
			return nil, fmt.Errorf("there is no benchmark %q: --list shows all", name)
		}
	}
	if len(names) > 0 {
		return found, nil
	}
	for i := range all {
		if !all[i].Long {
			found = append(found, all[i])
		}
	}
	return found, nil
}

//go:embed scenes
var scenes embed.FS

// embedded returns the files of a folder of scenes.
func embedded(name string) func() (map[string][]byte, error) {
	return func() (map[string][]byte, error) {
		dir := path.Join("scenes", name)
		// a scene with its meshes and tables, flat in one folder
		entries, err := fs.ReadDir(scenes, dir)
		if err != nil {
			return nil, err
		}
		files := map[string][]byte{}
		for _, e := range entries {
			if files[e.Name()], err = scenes.ReadFile(path.Join(dir, e.Name())); err != nil {
				return nil, err
			}
		}
		return files, nil
	}
}

// Load builds the scene. Embedded files are written to a temporary folder first, since scenes
// are loaded from files.
// Loading is not measured: it is reading of files.
func (s *Scene) Load() (*scene.Scene, error) {
	// examples are too large to embed: they are read from a checkout
	if s.example != "" {
		file, ok := checkout(s.example)
		if !ok {
			return nil, fmt.Errorf("%w: %s is neither in the working folder nor in one above", ErrNotAvailable, s.example)
		}
		return scene.Load(file, nil)
	}
	files, err := s.files()
	if err != nil {
		return nil, err
	}
	// no name of a file in the scene leads out of its folder
	dir, err := os.MkdirTemp("", "curlfree-bench-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	for name, text := range files {
		// readable by this user alone, as temporary files should be
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			return nil, err
		}
	}
	return scene.Load(filepath.Join(dir, sceneFile), nil)
}

// sceneFile is the name of the scene among the files.
const sceneFile = "scene.yaml"

// checkout looks for a file relative to the working folder and to all folders above it.
func checkout(name string) (string, bool) {
	// tests run in the folder of their package, commands anywhere in a checkout
	dir, err := os.Getwd()
	if err != nil {
		return "", false
	}
	for {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if _, err := os.Stat(file); err == nil {
			return file, true
		}
		// the root is its own parent
		above := filepath.Dir(dir)
		if above == dir {
			return "", false
		}
		dir = above
	}
}
