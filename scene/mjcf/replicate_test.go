package mjcf

import (
	"math"
	"testing"

	"github.com/curlfree/curlfree/r3"
)

// Twelve copies, each turned by 30 degrees and shifted by 1 m against the one before; names and
// positions of MuJoCo 3.12.0.
func TestReplicasStandWhereMuJoCoPutsThem(t *testing.T) {
	m, _ := model(t, world(`<body name="base">`+heavy+`<replicate count="12" offset="1 0 0" euler="0 0 30" sep="-"><body name="b" pos="0 0.5 0">`+heavy+`<joint name="j"/></body></replicate></body>`)+
		`<actuator><motor joint="j-03" forcerange="-5 5"/></actuator>`)
	if len(m.Links) != 13 || len(m.Joints) != 12 {
		t.Fatalf("%d links, %d joints", len(m.Links), len(m.Joints))
	}
	for i, want := range map[int]r3.Vec{0: {0, 0.5, 0}, 1: {0.75, 0.4330, 0}, 3: {1.8660, 1.3660, 0}, 6: {1, 3.2321, 0}, 11: {-0.6160, 0.9330, 0}} {
		j := &m.Joints[i]
		if d := j.X_PF.P.Sub(want).Norm(); d > 1e-4 {
			t.Errorf("copy %d is at %v, want %v", i, j.X_PF.P, want)
		}
	}
	if a, b := m.Joints[3], m.Joints[11]; a.Name != "j-03" || b.Name != "j-11" || a.EffortLimit != 5 || !math.IsInf(b.EffortLimit, 1) || m.Links[b.Child].Name != "b-11" {
		t.Errorf("%+v, %+v", a, b)
	}
}

// Numbers have as many digits as the count, so that ten copies have two, as in MuJoCo.
func TestDigitsOfReplicas(t *testing.T) {
	for count, want := range map[string]string{"9": "b8", "10": "b09"} {
		m, _ := model(t, world(`<body name="base">`+heavy+`<replicate count="`+count+`"><body name="b">`+heavy+`</body></replicate></body>`))
		if last := m.Links[len(m.Links)-1].Name; last != want {
			t.Errorf("%s copies end with %s, want %s", count, last, want)
		}
	}
}

// Copies of copies have both suffixes, the inner one first.
func TestReplicasNest(t *testing.T) {
	m, _ := model(t, world(`<replicate count="2" offset="0 0 1"><replicate count="3" offset="1 0 0"><body name="b"><freejoint/>`+heavy+`</body></replicate></replicate>`))
	if len(m.Links) != 7 || m.Links[6].Name != "b21" || m.Joints[5].X_PF.P != (r3.Vec{2, 0, 1}) {
		t.Errorf("%+v", m.Links)
	}
}
