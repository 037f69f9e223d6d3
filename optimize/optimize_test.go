package optimize

import (
	"testing"
	"time"

	"github.com/curlfree/curlfree/optimal"
)

func TestKinovaProbe(t *testing.T) {
	for _, f := range []string{"forward"} {
		task, err := Load("../examples/kinova-push/" + f + ".yaml")
		if err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		s, err := task.Solve(1, func(i optimal.Iteration) bool { t.Logf("%s %.1fs %+v", f, time.Since(start).Seconds(), i); return true })
		if err != nil {
			t.Fatal(err)
		}
		c, err := task.CostOf(s.U)
		x := s.X[len(s.X)-1]
		t.Log(s.Cost, c, err, s.Refused, x[:14], s.U[0])
	}
}
