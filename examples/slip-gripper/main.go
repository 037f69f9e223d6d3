// Command slip-gripper adds a controller in Go to a scene: a gripper that closes while the part
// slips between its jaws, and then lifts it. It needs neither the mass nor the friction of the part.
//
//	go run ./examples/slip-gripper
package main

import (
	"context"
	"fmt"
	"log"

	"github.com/curlfree/curlfree/record"
	"github.com/curlfree/curlfree/run"
	"github.com/curlfree/curlfree/scene"
	"github.com/curlfree/curlfree/sim"
)

// gripper is the controller with its memory, which checkpoints of a run keep.
type gripper struct {
	Force, Height float64 // of the jaws, N; of the lift, m
	Held          int     // steps without slip
}

// Control pulls slowly while it closes, and fast once the part has followed for 0.1 s.
func (g *gripper) Control(c *sim.Control) error {
	if speed := 0.01; c.Signal("grip_N") > 0.5 {
		if g.Held++; c.Signal("slip_m_s") > 0.2*speed {
			g.Held = 0
			g.Force += 20 * c.H
		}
		if g.Held*5 > 100 {
			speed = 0.1
		}
		g.Height = min(g.Height+speed*c.H, 0.12)
	}
	for _, jaw := range []string{"left", "right"} {
		c.SetEffort(jaw, g.Force)
	}
	c.SetTarget("lift", g.Height, 0)
	return nil
}

func (g *gripper) AppendBinary(b []byte) ([]byte, error) {
	return fmt.Appendln(b, g.Force, g.Height, g.Held), nil
}

func (g *gripper) UnmarshalBinary(b []byte) error {
	_, err := fmt.Sscanln(string(b), &g.Force, &g.Height, &g.Held)
	return err
}

// simulate runs the scene with the controller into a folder.
func simulate(ctx context.Context, file string, opt run.Options) (*record.Summary, error) {
	draft, err := scene.Open(file, nil)
	if err != nil {
		return nil, err
	}
	draft.Builder.AddController("gripper", func() sim.Controller { return &gripper{Force: 2} })
	draft.Edits = "gripper 1" // the version of the controller: a run is resumed by the same one only
	sc, err := draft.Load()
	if err != nil {
		return nil, err
	}
	return run.Run(ctx, sc, opt)
}

func main() {
	s, err := simulate(context.Background(), "examples/slip-gripper/scene.yaml", run.Options{Dir: "out/slip-gripper"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d steps, results in out/slip-gripper\n", s.Steps)
}
