package workers_test

import (
	"fmt"

	"github.com/curlfree/curlfree/workers"
)

// squares is a task: item i writes its own slot.
type squares []int

func (s squares) Do(_, i int) { s[i] = i * i }

// Four items on two threads.
func ExamplePool() {
	pool := workers.NewPool(2)
	defer pool.Close()
	s := make(squares, 4)
	pool.Run(len(s), s)
	fmt.Println(s, pool.Size())
	// Output: [0 1 4 9] 2
}
