package reference

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/scene"
)

// Wrapped text has the same words in the same order and paragraphs, and no line that could
// take the first word of the next.
func TestWrappedTextKeepsItsWords(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 3))
	for range 200 {
		var words []string
		for range rng.IntN(40) {
			words = append(words, strings.Repeat("x", 1+rng.IntN(12)))
		}
		width := 10 + rng.IntN(30)
		got := wrap(strings.Join(words, "  "), width)
		if !slices.Equal(strings.Fields(got), words) {
			t.Fatalf("%q has other words than %v", got, words)
		}
		lines := strings.Split(got, "\n")
		for i, line := range lines {
			if len(line) > width && strings.Contains(line, " ") {
				t.Fatalf("line %q is longer than %d", line, width)
			}
			if i > 0 && len(lines[i-1])+1+len(strings.Fields(line)[0]) <= width {
				t.Fatalf("line %q has room for the next word", lines[i-1])
			}
		}
	}
	if got := wrap("a b\n\nc", 3); got != "a b\n\nc" {
		t.Errorf("paragraphs become %q", got)
	}
}

// The list and the help have every kind with every parameter.
func TestEveryKindHasHelp(t *testing.T) {
	all := List("")
	for _, s := range kinds.All() {
		if own := List(s.Name()); !strings.Contains(all, own) || !strings.HasPrefix(own, s.Name()+": ") {
			t.Errorf("the list of the seam %s is %q", s.Name(), own)
		}
		for _, k := range s.Kinds() {
			text, err := Help(k.Name)
			if err != nil {
				t.Error(err)
			}
			for _, p := range k.Params {
				if !strings.Contains(text, "\n  "+p.Key+" ") || !strings.Contains(text, p.Doc) {
					t.Errorf("the help of %s %s lacks %s", s.Name(), k.Name, p.Key)
				}
			}
			if !utf8.ValidString(text) || strings.HasSuffix(text, "\n\n") {
				t.Errorf("the help of %s ends with %q", k.Name, text[max(0, len(text)-10):])
			}
		}
	}
	if List("no such seam") != "" {
		t.Error("an unknown seam has kinds")
	}
}

// The links of the manual lead to its headings and anchors.
func TestLinksOfTheManualHaveTargets(t *testing.T) {
	text := manualText()
	targets := map[string]bool{}
	for _, line := range strings.Split(text, "\n") {
		if strings.HasPrefix(line, "#") {
			heading := strings.TrimLeft(line, "# ")
			targets[strings.ReplaceAll(strings.ToLower(heading), " ", "-")] = true
		}
		if _, rest, ok := strings.Cut(line, `<a id="`); ok {
			id, _, _ := strings.Cut(rest, `"`)
			if targets[id] {
				t.Errorf("the anchor %s stands twice", id)
			}
			targets[id] = true
		}
	}
	links := 0
	for _, part := range strings.Split(text, "](#")[1:] {
		target, _, _ := strings.Cut(part, ")")
		if links++; !targets[target] {
			t.Errorf("no heading or anchor is called %s", target)
		}
	}
	if links < 100 {
		t.Errorf("the manual has only %d links", links)
	}
}

// Earlier names of keys are marked, with the present name, so that editors do not offer
// them.
func TestTheSchemaMarksEarlierNames(t *testing.T) {
	var schema map[string]any
	if err := json.Unmarshal(Schema(), &schema); err != nil {
		t.Fatal(err)
	}
	earlier := 0
	var visit func(k scene.Key, s map[string]any)
	visit = func(k scene.Key, s map[string]any) {
		for _, inner := range []string{"additionalProperties", "items"} { // of mappings by name, and lists
			if below, ok := s[inner].(map[string]any); ok {
				s = below
			}
		}
		properties, _ := s["properties"].(map[string]any)
		for _, c := range k.Keys {
			for _, old := range c.Formerly {
				mark, _ := properties[old].(map[string]any)
				if earlier++; mark["deprecated"] != true || mark["description"] != "now called "+c.Key {
					t.Errorf("the schema says %v of %s, which is now called %s", mark, old, c.Key)
				}
			}
			if below, ok := properties[c.Key].(map[string]any); ok {
				visit(c, below)
			}
		}
	}
	visit(scene.Describe(), schema)
	if earlier == 0 {
		t.Error("no earlier names were compared")
	}
}
