package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/record"
)

func TestSpectraArePlottedWithTheirPeaksStated(t *testing.T) {
	dir := t.TempDir()
	var b strings.Builder
	b.WriteString("time_s,torque_Nm,slip\n")
	for k := range 2000 {
		at := float64(k) * 1e-3
		fmt.Fprintf(&b, "%g,%g,%g\n", at, 5+0.3*math.Sin(2*math.Pi*12.73*at), math.Cos(2*math.Pi*100*at))
	}
	if err := os.WriteFile(filepath.Join(dir, record.SignalsFile), []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	code, said, errs := command(t, "plot", dir, "torque_Nm", "1e3*slip", "--fft", "--over", "0.1:2", "--mark", "12.73=worm", "--log-y")
	for _, want := range []string{"torque_Nm: 0.3 at 12.73 Hz", "1e3*slip: 1000 at 100 Hz", "spectrum.png"} {
		if code != 0 || !strings.Contains(said, want) {
			t.Errorf("code %d, %q is missing:\n%s%s", code, want, said, errs)
		}
	}
	if st, err := os.Stat(filepath.Join(dir, "spectrum.png")); err != nil || st.Size() < 1000 {
		t.Errorf("no picture: %v", err)
	}
	if code, said, _ = command(t, "plot", dir, "slip", "--fft", "--json", "--x-range", "0:50"); code != 0 || strings.Contains(said, "frequency_Hz") {
		t.Errorf("peaks beyond the range are told: %d\n%s", code, said)
	}
}
