package mjcf

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/scene/robot"
)

// A joint that follows another keeps q − q₀ = a₀ + a₁ (q' − q'₀) at every position q' of its
// leader, whatever types both have. Positions of hinges are in rad in polycoef, also in
// files in degrees; ref is in the unit of the file.
func TestRandomEqualitiesKeepTheirLine(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	for range 40 {
		degrees := rng.IntN(2) == 0
		unit, k := "radian", 1.0
		if degrees {
			unit, k = "degree", 180/math.Pi
		}
		var types [2]string
		var ref, written [2]float64 // rad or m, and as the file writes it
		for i := range types {
			types[i] = []string{"hinge", "slide"}[rng.IntN(2)]
			ref[i] = float64(rng.IntN(9)-4) / 4
			if written[i] = ref[i]; types[i] == "hinge" {
				written[i] *= k
			}
		}
		a0, a1 := float64(rng.IntN(9)-4)/2, float64(rng.IntN(9)-4)/2
		text := fmt.Sprintf(`<compiler angle="%s"/>`, unit) + world(fmt.Sprintf(`<body name="a">`+heavy+`<joint name="i" type="%s" ref="%.17g"/><body name="b">`+heavy+
			`<joint name="j" type="%s" ref="%.17g"/></body></body>`, types[0], written[0], types[1], written[1])) +
			fmt.Sprintf(`<equality><joint joint1="j" joint2="i" polycoef="%g %g"/></equality>`, a0, a1)
		mimic := joint(t, one(t, text), "j").Mimic
		if mimic == nil || mimic.Joint != 0 {
			t.Fatalf("%s: %+v", text, mimic)
		}
		for range 3 {
			leader := rng.Float64()*4 - 2
			got, want := mimic.Multiplier*leader+mimic.Offset, ref[1]+a0+a1*(leader-ref[0])
			if math.Abs(got-want) > 1e-14 {
				t.Errorf("%s\nat %g: %g, want %g", text, leader, got, want)
			}
		}
	}
}

// The defaults of an equality apply: a joint moves as its leader does, and classes may
// switch equalities off.
func TestEqualitiesHaveDefaults(t *testing.T) {
	bodies := world(`<body name="a">` + heavy + `<joint name="i"/><body name="b">` + heavy + `<joint name="j"/></body></body>`)
	for _, c := range []struct {
		text string
		want *robot.Mimic
	}{
		{bodies + `<equality><joint joint1="j" joint2="i"/></equality>`, &robot.Mimic{Joint: 0, Multiplier: 1}},
		{bodies + `<equality><joint joint1="i" joint2="j" polycoef="2"/></equality>`, nil},
		{bodies + `<equality><joint joint1="j" joint2="i" active="false"/></equality>`, nil},
		{`<default><equality active="false"/></default>` + bodies + `<equality><joint joint1="j" joint2="i"/></equality>`, nil},
		{`<default><equality active="false"/></default>` + bodies + `<equality><joint joint1="j" joint2="i" active="true" polycoef="0 -1"/></equality>`, &robot.Mimic{Joint: 0, Multiplier: -1}},
	} {
		got := joint(t, one(t, c.text), "j").Mimic
		if (got == nil) != (c.want == nil) || got != nil && *got != *c.want {
			t.Errorf("%s: %+v, want %+v", c.text, got, c.want)
		}
	}
	refused(t, []fault{
		{"no such joint", twoJoints + "<equality>\n<joint joint1='k' joint2='i'/></equality>", 5, `there is no such joint`},
		{"no such leader", twoJoints + "<equality>\n<joint joint1='i' joint2='k'/></equality>", 5, `there is no such joint`},
		{"circle", twoJoints + "<equality>\n<joint joint1='i' joint2='j'/>\n<joint joint1='j' joint2='i'/></equality>", 4, "in a cycle"},
		{"polycoef", twoJoints + "<equality>\n<joint joint1='i' joint2='j' polycoef='1 2 3 4 5 6'/></equality>", 5, "1 to 5 numbers are required"},
		{"active", twoJoints + "<equality>\n<joint joint1='i' joint2='j' active='yes'/></equality>", 5, "one of true, false"},
	})
}

// Random actuators: each limits its joint to the greatest force in its ranges times the
// gear, several add up, and the joint's own limit bounds the sum.
func TestRandomActuatorsAddUp(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 4))
	for range 60 {
		var text strings.Builder
		sum, limited := 0.0, true
		span := func(name string) (greatest float64) { // an attribute, or none
			if rng.IntN(2) == 0 {
				return math.Inf(1)
			}
			a, b := float64(rng.IntN(5)-5), float64(1+rng.IntN(5))
			fmt.Fprintf(&text, ` %s="%g %g"`, name, a, b)
			return max(math.Abs(a), b)
		}
		n := 1 + rng.IntN(3)
		for range n {
			kind := []string{"motor", "position", "general", "velocity"}[rng.IntN(4)]
			fmt.Fprintf(&text, `<%s joint="j"`, kind)
			force := span("forcerange")
			if control := span("ctrlrange"); kind == "motor" {
				force = min(force, control)
			}
			gear := 1.0
			if rng.IntN(2) == 0 {
				gear = float64(rng.IntN(7)-3) + 0.5
				fmt.Fprintf(&text, ` gear="%g"`, gear)
			}
			text.WriteString("/>")
			limited = limited && !math.IsInf(force, 1)
			sum += force * math.Abs(gear)
		}
		actuators := text.String()
		text.Reset()
		own := span("actuatorfrcrange")
		want := math.Inf(1)
		if limited {
			want = sum
		}
		want = min(want, own)
		m, _ := model(t, world(`<body name="a">`+heavy+`<joint name="j"`+text.String()+`/></body>`)+"<actuator>"+actuators+"</actuator>")
		if got := m.Joints[0].EffortLimit; math.Abs(got-want) > 1e-12 && got != want {
			t.Errorf("%s with %s: %g, want %g", text.String(), actuators, got, want)
		}
	}
}

// Flags and ranges of limits against the table of the format: a flag of true or false
// decides, auto follows the range where the compiler allows it.
func TestFlagsAndRangesOfLimits(t *testing.T) {
	for _, c := range []struct {
		autolimits, flag, span string
		limited                bool
	}{
		{"true", "", "-1 1", true}, {"true", "auto", "-1 1", true}, {"true", "true", "-1 1", true}, {"true", "false", "-1 1", false},
		{"true", "", "0 0", false}, {"true", "auto", "", false}, {"true", "false", "", false}, {"true", "", "", false},
		{"false", "", "-1 1", false}, {"false", "auto", "-1 1", false}, {"false", "true", "-1 1", true}, {"false", "false", "-1 1", false},
	} {
		for what, attr := range map[string][2]string{"range": {"range", "limited"}, "force": {"actuatorfrcrange", "actuatorfrclimited"}} {
			text := `<joint type="slide" name="j"`
			if c.span != "" {
				text += fmt.Sprintf(` %s="%s"`, attr[0], c.span)
			}
			if c.flag != "" {
				text += fmt.Sprintf(` %s="%s"`, attr[1], c.flag)
			}
			m, _ := model(t, fmt.Sprintf(`<compiler autolimits="%s"/>`, c.autolimits)+world(`<body name="a">`+heavy+text+"/></body>"))
			j := m.Joints[0]
			got := !math.IsInf(j.Upper, 1)
			if what == "force" {
				got = !math.IsInf(j.EffortLimit, 1)
			}
			if got != c.limited {
				t.Errorf("autolimits %s, %s: limited %v, want %v", c.autolimits, text, got, c.limited)
			}
		}
	}
}

// Equalities of bodies keep together what coincides with all joints at their references: a point of
// body1 with that of body2, or frames, at the anchor on body2. relpose places that frame itself.
func TestEqualitiesOfBodiesAreLoops(t *testing.T) {
	const turned = `euler="0 0 90"`
	bodies := world(`<body name="a" pos="1 0 0">` + heavy + `<joint/><body name="b" pos="0 2 0" ` + turned + `>` + heavy + `<joint ref="30"/></body></body>` +
		`<body name="c" pos="0 0 5">` + heavy + `<joint/></body>`)
	number := map[string]int{"world": 0, "a": 1, "b": 2, "c": 3}
	at := func(p r3.Vec) r3.Pose { return r3.Pose{R: r3.Identity(), P: p} }
	quarter := r3.RotRPY(0, 0, math.Pi/2)
	for text, want := range map[string]robot.Loop{
		`<connect name="pin" body1="a" body2="b" anchor="1 0 0"/>`:                    {Name: "pin", A: number["a"], B: number["b"], X_AP: at(r3.Vec{1, 0, 0}), X_BQ: at(r3.Vec{-2, -1, 0})},
		`<connect body1="b" anchor="1 0 3"/>`:                                         {Name: "connect of b and world (line 1)", A: number["b"], B: 0, X_AP: at(r3.Vec{1, 0, 3}), X_BQ: at(r3.Vec{1, 3, 3})},
		`<weld name="w" body1="c" body2="b"/>`:                                        {Name: "w", Weld: true, A: number["c"], B: number["b"], X_AP: r3.Pose{R: quarter, P: r3.Vec{1, 2, -5}}, X_BQ: at(r3.Vec{})},
		`<weld name="w" body1="c" body2="b" anchor="1 0 0"/>`:                         {Name: "w", Weld: true, A: number["c"], B: number["b"], X_AP: r3.Pose{R: quarter, P: r3.Vec{1, 3, -5}}, X_BQ: at(r3.Vec{1, 0, 0})},
		`<weld name="w" body1="c" body2="a" anchor="1 0 0" relpose="7 8 9 2 0 0 0"/>`: {Name: "w", Weld: true, A: number["c"], B: number["a"], X_AP: at(r3.Vec{7, 8, 9}), X_BQ: at(r3.Vec{1, 0, 0})},
	} {
		m, _ := model(t, bodies+"<equality>"+text+"</equality>")
		if len(m.Loops) != 1 {
			t.Fatalf("%s: %+v", text, m.Loops)
		}
		l := m.Loops[0]
		apart := l.X_AP.R.Sub(want.X_AP.R).Norm2() + l.X_BQ.R.Sub(want.X_BQ.R).Norm2() + l.X_AP.P.Sub(want.X_AP.P).Norm() + l.X_BQ.P.Sub(want.X_BQ.P).Norm()
		if l.Name != want.Name || l.Weld != want.Weld || l.A != want.A || l.B != want.B || apart > 1e-14 {
			t.Errorf("%s: %+v, want %+v", text, l, want)
		}
	}
	for text, want := range map[string]string{
		`<weld site1="s" site2="t"/>`:                       "<equality/weld> of sites: close the loop with a weld",
		`<connect body1="world" body2="d" anchor="0 0 0"/>`: `bodies "world" and "d", which do not move against each other`,
	} {
		m, warnings := model(t, strings.Replace(bodies, "</worldbody>", `<body name="d"/></worldbody>`, 1)+"<equality>"+text+"</equality>")
		if len(m.Loops) != 0 || !slices.ContainsFunc(warnings, func(w robot.Warning) bool { return strings.Contains(w.Text, want) }) {
			t.Errorf("%s: %v, want %q", text, warnings, want)
		}
	}
}
