package mjcf

import (
	"strings"
	"testing"
)

// Tendons of any number have no name: each limit is a coupling of its own.
func TestTendonsNeedNoNames(t *testing.T) {
	fixed := `<fixed range="0 1"><joint joint="j" coef="1"/><joint joint="k" coef="2"/></fixed>`
	m, _ := model(t, world(part)+`<tendon>`+fixed+`<fixed name="tendon1" range="-1 1"><joint joint="j" coef="1"/></fixed>`+fixed+`</tendon>`)
	var names []string
	for i := range m.Couplings {
		names = append(names, m.Couplings[i].Name)
	}
	if got := strings.Join(names, " "); got != "tendon0 tendon1 tendon2" {
		t.Errorf("couplings %s", got)
	}
}

// A ball whose class says that it is limited needs no range; a hinge does.
func TestBallsNeedNoRange(t *testing.T) {
	limited := `<default><joint limited="true"/></default>`
	model(t, limited+world(`<body><joint type="ball"/>`+heavy+`</body>`))
	if _, _, err := Parse(strings.NewReader(`<mujoco>`+limited+world(`<body><joint/>`+heavy+`</body>`)+`</mujoco>`), "m.xml", nil); err == nil || !strings.Contains(err.Error(), "<joint> has limited but no range") {
		t.Error(err)
	}
}

// What fixes a body of a flexible grid, which is not read, is left out; other bodies must be there.
func TestEqualitiesOfFlexibleBodiesAreLeftOut(t *testing.T) {
	for body, want := range map[string]string{"flag_0": "", "flag_7": "", "flag": "there is no such body", "flag_x": "there is no such body"} {
		text := `<mujoco>` + world(`<body><joint/>`+heavy+`<flexcomp name="flag" type="grid" count="2 2 1"/></body>`) + `<equality><connect body1="` + body + `" anchor="0 0 0"/></equality></mujoco>`
		m, warnings, err := Parse(strings.NewReader(text), "m.xml", nil)
		if want != "" {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v", body, err)
			}
			continue
		}
		if err != nil || len(m.Loops) != 0 || !strings.Contains(warnings[0].Text, "of a body that a <flexcomp> makes") {
			t.Errorf("%s: %v, %v", body, warnings, err)
		}
	}
}
