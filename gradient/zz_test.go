package gradient_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/curlfree/curlfree/gradient"
)

func TestZZ(t *testing.T) {
	for _, seed := range []uint64{34} {
		m, name, signals := variedScene(seed, 0)
		plus, _, _ := variedScene(seed, 1e-6)
		minus, _, _ := variedScene(seed, -1e-6)
		p := gradient.Problem{Model: m, H: 2e-3, Steps: 12, Loss: last(int(seed) % signals), Parameters: []gradient.Parameter{{Name: name, Plus: plus, Minus: minus, Width: 1e-6}}}
		t0 := time.Now()
		_, err := gradient.Compute(&p)
		fmt.Println(seed, name, time.Since(t0), err)
	}
}
