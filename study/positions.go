package study

import (
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"

	"github.com/curlfree/curlfree/internal/inputfile"
	"github.com/curlfree/curlfree/scene"
)

// positions has the line and column of every item of a study file. The key of an
// item consists of its keys and list indices from the top, joined with slashes:
// "derive/bodies.rod.pose.xyz.2", "plots/a/panels/0/y". Slashes are used because
// keys themselves contain dots.
//
// For the study
//
//	derive:
//	  lift: 2*time.step
//
// the item "derive/lift" is at line 2, column 3.
type positions map[string]scene.Pos

// findPositions returns the positions of all items. The text is valid YAML, since it
// was decoded before; otherwise no position is known.
func findPositions(text []byte) positions {
	p := positions{}
	if plain, err := inputfile.Text(text); err == nil {
		text = plain
	}
	f, err := parser.ParseBytes(text, 0)
	if err != nil || len(f.Docs) == 0 {
		return p
	}
	p.add("", f.Docs[0].Body)
	return p
}

// add records the items at and below a node of the syntax tree.
func (p positions) add(path string, n ast.Node) {
	// the path of an item below this one
	below := func(key string) string {
		if path == "" {
			return key
		}
		return path + "/" + key
	}
	switch t := n.(type) {
	case *ast.MappingNode: // {a: 1, b: 2}: its pairs
		for _, kv := range t.Values {
			p.add(path, kv)
		}
	case *ast.MappingValueNode: // a pair: the position is that of its key
		key := t.Key.GetToken()
		at := below(key.Value)
		p[at] = scene.Pos{Line: key.Position.Line, Col: key.Position.Column}
		p.add(at, t.Value)
	case *ast.SequenceNode: // [1, 2]: its elements, by their index
		for i, e := range t.Values {
			at := below(strconv.Itoa(i))
			if tok := e.GetToken(); tok != nil {
				p[at] = scene.Pos{Line: tok.Position.Line, Col: tok.Position.Column}
			}
			p.add(at, e)
		}
	}
}

// of returns the position of an item, or of the nearest item above it that has one.
func (p positions) of(path string) scene.Pos {
	for {
		if at, ok := p[path]; ok {
			return at
		}
		// the item above
		i := strings.LastIndexByte(path, '/')
		if i < 0 {
			return scene.Pos{}
		}
		path = path[:i]
	}
}
