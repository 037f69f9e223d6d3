package run

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/curlfree/curlfree/internal/cputime"
	"github.com/curlfree/curlfree/scene"
	"github.com/curlfree/curlfree/sim"
)

// steelGears is a pair of steel gears at rest: the pinion on the world, the wheel on a hub that a torque of 30 N m
// turns against it.
func steelGears(chord string, layers int, elements string) string {
	spur := func(teeth int, bore string) string {
		return fmt.Sprintf("{part: {spur: {module: 2e-3, teeth: %d, face_width: 1e-2, backlash: 2e-5, bore: %s, chord: %s, layers: %d, across: 2}}}", teeth, bore, chord, layers)
	}
	square := func(r string) string {
		return fmt.Sprintf("{x_min: -%[1]s, x_max: %[1]s, y_min: -%[1]s, y_max: %[1]s}", r)
	}
	return fmt.Sprintf(`time: {equilibrium: true, step: 1, duration: 1}
gravity: [0, 0, 0]
materials: {steel: {youngs_modulus: 2.1e11, poissons_ratio: 0.3, density: 7850, friction: 0}}
meshes: {pinion: %s, wheel: %s}
bodies:
  hub: {pose: {xyz: [0.05, 0, 0], rpy_deg: [0, 0, -6]}, mass: 1, inertia: {ixx: 1e-3, iyy: 1e-3, izz: 1e-3}, joint: {type: revolute, axis: [0, 0, 1]}}
deformables:
  pinion: {mesh: pinion, material: steel, elements: %s, attach: [{body: world, where: %s}]}
  wheel: {mesh: wheel, material: steel, elements: %s, pose: {xyz: [0.05, 0, 0], rpy_deg: [0, 0, -6]}, attach: [{body: hub, where: %s}]}
drives: {brake: {joint: hub, kp: 0, kd: 0, feed_forward: 30}}
signals:
  hub_rad: {joint: hub, joint_state: position}
  pinion_Nm: {reaction_moment: z, body: pinion, point: [0, 0, 0]}
  wheel_Nm: {reaction_moment: z, body: wheel, point: [0.05, 0, 0]}
`, spur(20, "1.6e-2"), spur(30, "3e-2"), elements, square("8.1e-3"), elements, square("15.1e-3"))
}

// Involute gears without friction transmit moments by the ratio of their teeth, however they bend: 30 N m on 30 teeth
// balance 20 N m on 20, to the facets of the flanks. A hub that is free until the teeth touch turns them. Pseudo-steps
// and Newton iterations are few, and their count is that of the summary. In the long mode the pair has 200,000 unknowns
// and takes less than 10 minutes of two cores, and 12 GB.
func TestSteelGearsComeToRest(t *testing.T) {
	if testing.Short() {
		t.Skip("long, on one goroutine")
	}
	text, least := steelGears("1e-5", 2, "tet4"), 20000
	long := os.Getenv("CURLFREE_LONG") != ""
	if long {
		text, least = steelGears("2e-5", 5, "tet10"), 200000
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "scene.yaml")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	sc, err := scene.Load(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	var last sim.RestProgress
	begin, before := time.Now(), cputime.Used()
	summary, err := Run(context.Background(), sc, Options{Dir: filepath.Join(dir, "out"), Threads: 2, Rest: func(p sim.RestProgress) { last = p }})
	if err != nil {
		t.Fatal(err)
	}
	wall, used := time.Since(begin), cputime.Used()-before
	rows := strings.Split(strings.TrimSpace(read(t, filepath.Join(dir, "out"), "signals.csv")), "\n")
	cells := strings.Split(rows[len(rows)-1], ",")
	value := func(i int) float64 {
		x, err := strconv.ParseFloat(cells[i], 64)
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	if got := value(3); !(math.Abs(got-30) < 1e-6) {
		t.Errorf("the hub loads the wheel by %g N m, want 30", got)
	}
	if got := value(2); !(math.Abs(got-20) < 0.01*20) {
		t.Errorf("the world loads the pinion by %g N m, want 20", got)
	}
	if summary.Dofs.Total < least {
		t.Errorf("%d unknowns", summary.Dofs.Total)
	}
	if n := int(summary.Newton.Mean); last.PseudoSteps > 40 || n != last.Iterations && n != last.Iterations+1 || n > 200 {
		t.Errorf("%d Newton iterations in the summary, %+v at the end of the search", n, last)
	}
	stages := 0.0
	for _, ms := range summary.StageMs {
		stages += ms
	}
	if whole := summary.StepMs.Mean; !(stages > 0.9*whole && stages < 1.01*whole) {
		t.Errorf("stages of %g ms, in a step of %g ms", stages, whole)
	}
	t.Logf("%d unknowns: %v, processor time %v, %d pseudo-steps, %d Newton iterations, %s", summary.Dofs.Total, wall.Round(time.Second), used.Round(time.Second), last.PseudoSteps, last.Iterations, peakMemory())
	if long && used > 20*time.Minute { // of two cores, which others may use as well
		t.Errorf("processor time %v", used)
	}
	var kB int
	if _, err := fmt.Sscanf(peakMemory(), "VmHWM: %d kB", &kB); long && err == nil && kB > 12e6 {
		t.Errorf("%d kB of memory", kB)
	}
}

// peakMemory returns the line of the largest memory of the process, where the system has one.
func peakMemory() string {
	b, _ := os.ReadFile("/proc/self/status")
	for line := range strings.Lines(string(b)) {
		if strings.HasPrefix(line, "VmHWM:") {
			return strings.Join(strings.Fields(line), " ")
		}
	}
	return ""
}
