// Package bench measures how fast steps are: scenes whose work is the same on every
// machine and at every version, stepped again and again from a saved state, timed stage
// by stage. Results go to tables, to JSON lines and to a history.
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

// Scene is a workload: steps Skip to Skip+Steps of a scene file.
type Scene struct {
	Name        string
	Description string // in a few words
	WarmUpSteps int    // steps taken before those that count
	Steps       int    // that count
	Long        bool   // takes minutes: only by its name

	files   func() (map[string][]byte, error) // the scene by file name, scene.yaml among them
	example string                            // instead: the scene file in a checkout
}

// ErrNotAvailable marks a scene whose files are not here.
var ErrNotAvailable = errors.New("not available")

// Scenes returns all scenes. They are the program's own and must not change, lest
// histories compare what differs.
func Scenes() []Scene {
	return []Scene{
		{Name: "finray-grasp", Description: "two soft fingers grip, lift and hold a part", WarmUpSteps: 40, Steps: 60, files: embedded("finray-grasp")},
		{Name: "clutter", Description: "40 spheres and boxes fall into a bin", Steps: 1500, files: embedded("clutter")},
		{Name: "barrett-finger", Description: "a geared finger, pressure fields of gears and worms", WarmUpSteps: 20, Steps: 40, example: "examples/barrett-finger/scene.yaml"},
		{Name: "box-stack-1000", Description: "a wall of 1000 bricks settles", WarmUpSteps: 5, Steps: 20, files: wall},
		cantilever("fem-cantilever-1k", 4, 40),
		cantilever("fem-cantilever-10k", 9, 5),
		long(cantilever("fem-cantilever-100k", 21, 1)),
		{Name: "tree-panda-like-7", Description: "a seven-joint arm falls, no contact", WarmUpSteps: 10, Steps: 1000, files: embedded("tree-panda-like-7")},
		{Name: "hydro-1000-faces", Description: "a ball pressed into a slab, pressure fields", WarmUpSteps: 40, Steps: 60, files: embedded("hydro-1000-faces")},
	}
}

func long(s Scene) Scene {
	s.Long = true
	return s
}

// FindScenes returns the scenes of the given names, or those that do not take minutes for
// none.
func FindScenes(names ...string) ([]Scene, error) {
	var found []Scene
	all := Scenes()
	for _, name := range names {
		n := len(found)
		for i := range all {
			if all[i].Name == name {
				found = append(found, all[i])
			}
		}
		if len(found) == n {
			return nil, fmt.Errorf("no benchmark is called %q: --list shows all", name)
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

// Load builds the scene. Files that the program carries are written to a temporary
// folder first: scenes are loaded from files.
func (s *Scene) Load() (*scene.Scene, error) {
	if s.example != "" {
		file, ok := checkout(s.example)
		if !ok {
			return nil, fmt.Errorf("%w: %s is neither here nor in a folder above", ErrNotAvailable, s.example)
		}
		return scene.Load(file, nil)
	}
	files, err := s.files()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "curlfree-bench-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			return nil, err
		}
	}
	return scene.Load(filepath.Join(dir, sceneFile), nil)
}

const sceneFile = "scene.yaml"

// checkout looks for a file below the working folder and all above it.
func checkout(name string) (string, bool) {
	dir, err := os.Getwd()
	if err != nil {
		return "", false
	}
	for {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if _, err := os.Stat(file); err == nil {
			return file, true
		}
		above := filepath.Dir(dir)
		if above == dir {
			return "", false
		}
		dir = above
	}
}
