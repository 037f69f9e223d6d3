package run

import (
	"strings"
	"testing"

	"github.com/curlfree/curlfree/sim"
)

func TestDeepestPenetrationIsKeptAndRecalled(t *testing.T) {
	var d deepestPenetration
	if d.summary(nil) != nil || d.warning(nil) != "" {
		t.Errorf("without overlap: %+v", d)
	}
	d.add(&sim.RelativePenetration{Ratio: 0.2, Depth: 3, Bodies: [2]int{-1, 4}}, 1)
	d.add(&sim.RelativePenetration{Ratio: 0.4, Depth: 2, Bodies: [2]int{1, 2}}, 2)
	d.add(&sim.RelativePenetration{Ratio: 0.3, Depth: 9, Bodies: [2]int{5, 6}}, 3)
	if d.Ratio != 0.4 || d.Depth != 2 || d.Bodies != [2]int{1, 2} || d.time != 2 {
		t.Errorf("%+v", d)
	}
	if got := deepestPenetrationOf(d.appendTo([]float64{7, 8})[2:]); got != d {
		t.Errorf("recalls %+v of %+v", got, d)
	}
	if d.warning(nil) != "" {
		t.Error("warns of 0.4")
	}
}

// A heavy ball on a thin soft plate sinks past its middle: the run warns and names both.
func TestRunsWarnOfDeepPenetration(t *testing.T) {
	s := mustRun(t, load(t, `
time: {step: 1e-3, duration: 0.02}
materials: {default: {stiffness: 1e6}}
bodies:
  plate: {fixed: true, shapes: [{box: {size: [0.2, 0.2, 0.004]}}]}
  ball: {pose: {xyz: [0, 0, 0.0195]}, shapes: [{sphere: {radius: 0.02}}]}
`), Options{Dir: t.TempDir()})
	if d := s.DeepestPenetration; s.RelativePenetration < 0.5 || d == nil || d.Time != 0 || !strings.Contains(d.Bodies, "ball") {
		t.Fatalf("%g, %+v", s.RelativePenetration, d)
	}
	if n := len(s.Warnings); n == 0 || !strings.Contains(s.Warnings[n-1], "of their thickness") {
		t.Errorf("warnings %q", s.Warnings)
	}
}
