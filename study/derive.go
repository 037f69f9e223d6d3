package study

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/curlfree/curlfree/scene"
)

// Derived values. A formula sees one tree of values,
//
//	scene file < set < row < combination < reference < earlier formulas
//
// where later sources replace earlier ones. Its result replaces the value at its path and,
// if the path has a dot, becomes an override of the scene.

// derive evaluates the formulas of a sweep for one case and returns the values with
// the results. Formulas can use the values of the scene file, overridden by those of
// the case, and the results of formulas before them.
func (s *Study) derive(w *resolvedSweep, a assignments, base map[string]any) (assignments, error) {
	if len(w.derive) == 0 {
		return a, nil
	}
	// the tree of the scene file is shared by all cases and must not change
	env := cloneTree(base).(map[string]any)
	for _, v := range a {
		setPath(env, v.path, parseValue(v.text))
	}
	for _, f := range w.derive {
		// compiled for each case, since the types of the values may differ
		v, text, err := evaluateText(f.text, env)
		if err != nil {
			return nil, s.fail(f.at, "derive.%s: %v (with %s)", f.path, err, a.describe())
		}
		setPath(env, f.path, v)
		a = a.with(assignment{f.path, text})
	}
	return a, nil
}

// evaluateText evaluates a formula and returns its value, also as YAML text.
func evaluateText(formula string, env map[string]any) (v any, text string, err error) {
	e, err := compile(formula, env)
	if err != nil {
		return nil, "", err
	}
	if v, err = e.value(env); err != nil {
		return nil, "", err
	}
	text, err = formatValue(v)
	return v, text, err
}

// The tree of a scene file is made once for all cases; each case then builds its own scene.

// sceneTree returns the content of a scene file for formulas. The scene is decoded
// first, so that a mistake in it is reported as such and not as an unknown name of a
// formula.
func (s *Study) sceneTree(path string) (map[string]any, error) {
	if t := s.trees[path]; t != nil {
		return t, nil
	}
	// read once; a mistake in the scene is reported in the words of scenes
	text, err := scene.ReadInput(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: the scene %s: no such file", s.Path, path)
	} else if err != nil {
		return nil, fmt.Errorf("%s: the scene: %w", s.Path, err)
	}
	s.files.Same(path, text) // the first time: cases must read the same
	if err := scene.Decode(path, text, scene.NewFile()); err != nil {
		return nil, err
	}
	t, err := parseTree(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	// keep it for the other cases of the study
	if s.trees == nil {
		s.trees = map[string]map[string]any{}
	}
	s.trees[path] = t
	return t, nil
}
