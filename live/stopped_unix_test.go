//go:build unix

package live

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"
)

// clientOf names the environment variable with the address of the page whose client a process of tests is.
const clientOf = "CURLFREE_TEST_CLIENT_OF"

// TestClientOfAnotherProcess is the client that TestStoppedClientsLetGo stops: it drags and steers, and answers pings.
func TestClientOfAnotherProcess(t *testing.T) {
	address := os.Getenv(clientOf)
	if address == "" {
		t.Skip("the process of another test")
	}
	c := dial(t, address)
	go func() {
		for ; ; time.Sleep(100 * time.Millisecond) {
			c.write(`{"input": {"drag": {"body": "ball", "target": [0.2, 0, 0.3]}}}`)
			c.write(`{"input": {"teleop": {"drive": "turn", "hold": true, "angular": [0, 0, 0.5]}}}`)
		}
	}()
	for {
		c.read()
	}
}

// A client whose process is stopped lets go of body and robot within the deadline, and loses its place within 10 s: in
// a run that continues, whose frames fill the network, and in one that stands still, where only pings are sent.
func TestStoppedClientsLetGo(t *testing.T) {
	for _, paused := range []bool{false, true} {
		t.Run(fmt.Sprintf("paused %v", paused), func(t *testing.T) {
			t.Parallel()
			s, _ := started(t, bench, Options{Threads: 1, Speed: 1, Paused: paused})
			_, address, _ := served(t, s, ServerOptions{})
			self, err := os.Executable()
			if err != nil {
				t.Fatal(err)
			}
			client := exec.Command(self, "-test.run=^TestClientOfAnotherProcess$")
			client.Env = append(os.Environ(), clientOf+"="+address)
			var out bytes.Buffer
			client.Stdout, client.Stderr = &out, &out
			if err := client.Start(); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() {
				client.Process.Kill() // stopped ones die, too
				client.Wait()
			})
			p := join(t, s)
			inputs := func(s *Snapshot) int { return int(s.Stats[len(s.Stats)-1]) }
			n := 0
			p.until("a drag and a command of the client", func(s *Snapshot) bool {
				n = inputs(s)
				return n >= 2
			})
			if err := client.Process.Signal(syscall.SIGSTOP); err != nil {
				t.Fatal(err)
			}
			began := time.Now()
			p.until("both let go", func(s *Snapshot) bool { return inputs(s) == n+2 })
			if took := time.Since(began); took > deadline+2*time.Second {
				t.Errorf("both are let go after %v", took)
			}
			leaves(t, s, 1, began)
		})
	}
}
