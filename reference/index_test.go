package reference

// The index lists every key and kind of scenes with the places where it stands, so that a reader who has a word finds
// its meaning.

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/scene"
)

// place is one place of a word.
type place struct {
	// word is a key or the name of a kind.
	word string
	// text names the place, such as bodies.shapes, or the kind that has the parameter.
	text string
	// heading is that of the place in the manual; anchor is its name where it is that of a kind.
	heading, anchor string
}

// places returns the places of all words, in the order of the manual.
func places(file scene.Key) (all []place) {
	var visit func(path string, k scene.Key)
	visit = func(path string, k scene.Key) {
		for _, c := range k.Keys {
			at := c.Key
			if path != "" {
				at = path + "." + c.Key
			}
			if c.Key != "NAME" {
				parent := path
				if parent == "" {
					parent = c.Key
				}
				all = append(all, place{word: c.Key, text: strings.ReplaceAll(parent, ".NAME", ""), heading: strings.SplitN(parent, ".", 2)[0]})
			}
			visit(at, c)
		}
		for _, it := range k.Items {
			if it.Key != "" {
				all = append(all, place{word: it.Key, text: strings.ReplaceAll(path, ".NAME", ""), heading: strings.SplitN(path, ".", 2)[0]})
			}
		}
	}
	visit("", file)
	for _, s := range kinds.All() {
		for _, k := range s.Kinds() {
			all = append(all, place{word: k.Name, text: "kind of " + s.Name(), anchor: anchor(s, k.Name)})
			for _, p := range k.Params {
				all = append(all, place{word: p.Key, text: fmt.Sprintf("%s %s", s.Name(), k.Name), anchor: anchor(s, k.Name)})
			}
		}
	}
	return all
}

// index writes the table of words.
func (m *manual) index() {
	m.line("## Index")
	m.line("")
	m.line("| key or kind | where |")
	m.line("|---|---|")
	of := map[string][]string{}
	for _, p := range places(m.file) {
		to := p.anchor
		if to == "" {
			to = p.heading
		}
		if l := link(p.text, to); !slices.Contains(of[p.word], l) {
			of[p.word] = append(of[p.word], l)
		}
	}
	for _, word := range slices.Sorted(maps.Keys(of)) {
		m.line("| `%s` | %s |", word, strings.Join(of[word], " · "))
	}
	m.line("")
}
