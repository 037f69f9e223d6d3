package mjcf

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// classTree is a random tree of classes: class i is nested in above[i], 0 is main.
type classTree struct {
	above []int
	given []map[string]float64 // attributes of joints that the class gives
}

var dampers = []string{"damping", "armature", "frictionloss", "stiffness"}

// randomAttributes gives each attribute of a joint with the probability 1/2.
func randomAttributes(rng *rand.Rand) map[string]float64 {
	m := map[string]float64{}
	for _, name := range dampers {
		if rng.IntN(2) == 0 {
			m[name] = float64(1 + rng.IntN(1000))
		}
	}
	return m
}

func attributesText(m map[string]float64) string {
	text := ""
	for _, name := range dampers {
		if x, ok := m[name]; ok {
			text += fmt.Sprintf(` %s="%g"`, name, x)
		}
	}
	return text
}

func randomClasses(rng *rand.Rand, n int) classTree {
	c := classTree{above: []int{-1}, given: []map[string]float64{randomAttributes(rng)}}
	for i := 1; i < n; i++ {
		c.above, c.given = append(c.above, rng.IntN(i)), append(c.given, randomAttributes(rng))
	}
	return c
}

// text writes a class and those nested in it; joint elements stand before or after these.
func (c *classTree) text(i int, rng *rand.Rand) string {
	name := ""
	if i > 0 {
		name = fmt.Sprintf(` class="c%d"`, i)
	}
	inner := ""
	for k, above := range c.above {
		if above == i {
			inner += c.text(k, rng)
		}
	}
	own := "<joint" + attributesText(c.given[i]) + "/>"
	if rng.IntN(2) == 0 {
		own, inner = inner, own
	}
	return "<default" + name + ">" + own + inner + "</default>"
}

// value looks an attribute up: from the class outward, 0 where none gives it.
func (c *classTree) value(class int, name string) float64 {
	for i := class; i >= 0; i = c.above[i] {
		if x, ok := c.given[i][name]; ok {
			return x
		}
	}
	return 0
}

// Joints of a random chain of bodies with random classes and childclasses have the
// attributes that a search by the rules of the format finds: own, own class or nearest
// childclass, classes around it.
func TestRandomClassesGiveTheirAttributes(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 2))
	for range 60 {
		c := randomClasses(rng, 1+rng.IntN(6))
		var open, want strings.Builder
		child, depth := 0, 1+rng.IntN(6)
		for i := range depth {
			// a body, perhaps with a childclass, in a frame that may have one, too
			fmt.Fprintf(&open, `<body name="b%d"`, i)
			if rng.IntN(3) == 0 {
				child = rng.IntN(len(c.above))
				fmt.Fprintf(&open, ` childclass="%s"`, className(child))
			}
			open.WriteString(">" + heavy)
			class, framed := child, rng.IntN(3) == 0
			if framed {
				class = rng.IntN(len(c.above))
				fmt.Fprintf(&open, `<frame childclass="%s">`, className(class))
			}
			own, attr := randomAttributes(rng), ""
			if rng.IntN(3) == 0 { // an own class replaces the childclass
				class = rng.IntN(len(c.above))
				attr = fmt.Sprintf(` class="%s"`, className(class))
			}
			fmt.Fprintf(&open, `<joint name="j%d"%s%s/>`, i, attr, attributesText(own))
			if framed {
				open.WriteString("</frame>")
			}
			for _, name := range dampers {
				x, ok := own[name]
				if !ok {
					x = c.value(class, name)
				}
				fmt.Fprintf(&want, "%d %s %g\n", i, name, x)
			}
		}
		text := c.text(0, rng) + world(open.String()+strings.Repeat("</body>", depth))
		m := one(t, text)
		var got strings.Builder
		for i := range depth {
			j := joint(t, m, fmt.Sprintf("j%d", i))
			for k, x := range []float64{j.Damping, j.RotorInertia, j.Friction, j.Stiffness} {
				fmt.Fprintf(&got, "%d %s %g\n", i, dampers[k], x)
			}
		}
		if got.String() != want.String() {
			t.Fatalf("%s\ngives\n%s\nwant\n%s", text, got.String(), want.String())
		}
	}
}

// className is the name of a class of a classTree.
func className(i int) string {
	if i == 0 {
		return "main"
	}
	return fmt.Sprintf("c%d", i)
}

// Numbers of lists are inherited one by one: the outer class gives those that the inner
// one and the element leave out.
func TestListsAreMergedFromTheOutermostClass(t *testing.T) {
	m := one(t, `<default><geom type="box" size="1 2 3" friction="0.5 0.1 0.1"/><default class="c"><geom size="4 5" friction="0.7"/></default></default>`+
		world(`<body name="a">`+heavy+`<geom/><geom class="c"/><geom class="c" size="6"/><geom size="7 8 9" friction="0.2"/></body>`))
	for i, want := range []struct {
		edges [3]float64
		mu    float64
	}{{[3]float64{2, 4, 6}, 0.5}, {[3]float64{8, 10, 6}, 0.7}, {[3]float64{12, 10, 6}, 0.7}, {[3]float64{14, 16, 18}, 0.2}} {
		g := m.Links[0].Collisions[i]
		if [3]float64(*g.Box) != want.edges || *g.Material.Friction != want.mu {
			t.Errorf("shape %d: %v with %g, want %v", i, *g.Box, *g.Material.Friction, want)
		}
	}
}

// All kinds of actuators share one set of defaults, whichever kind gives it.
func TestActuatorsShareTheirDefaults(t *testing.T) {
	m, _ := model(t, `<default><motor gear="3"/><default class="strong"><position forcerange="-4 4"/></default></default>`+
		world(`<body name="a">`+heavy+`<joint name="i"/><body name="b">`+heavy+`<joint name="j"/></body></body>`)+
		`<actuator><general joint="i" forcerange="-2 1"/><velocity joint="j" class="strong"/></actuator>`)
	for name, want := range map[string]float64{"i": 6, "j": 12} { // greatest force times gear
		if got := joint(t, m, name).EffortLimit; got != want {
			t.Errorf("%s: %g N m, want %g", name, got, want)
		}
	}
}
