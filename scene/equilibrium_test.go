package scene

import (
	"strings"
	"testing"
)

// An equilibrium needs neither step nor duration; with a step it is a path.
func TestEquilibriumHasDefaultsOfItsOwn(t *testing.T) {
	text := strings.Replace(loadedBar, "{step: 0.01, duration: 1}", "{equilibrium: true}", 1)
	for set, want := range map[string][2]float64{
		"": {1, 1}, "time.duration=4": {4, 4}, "time.step=0.25": {0.25, 1},
	} {
		var over []string
		if set != "" {
			over = append(over, set)
		}
		sc := mustLoad(t, t.TempDir(), text, over...)
		near(t, set+": step", sc.File.Time.Step, want[0], 0)
		near(t, set+": duration", sc.File.Time.Duration, want[1], 0)
	}
	if _, err := load(t, t.TempDir(), text, "time.equilibrium=false"); err == nil || !strings.Contains(err.Error(), "time.duration is 0 s") {
		t.Errorf("without a duration: %v", err)
	}
}
