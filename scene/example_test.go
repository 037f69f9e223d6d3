package scene_test

import (
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/curlfree/curlfree/scene"
	"github.com/curlfree/curlfree/sim"
)

// A program opens a scene, makes the ball heavier and records its height, and steps what it has built.
func ExampleOpen() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "scene.yaml")
	text := `
time: {step: 0.005, duration: 1}
bodies:
  ground: {fixed: true, shapes: [half_space: {}]}
  ball: {mass: 0.5, pose: {xyz: [0, 0, 0.06]}, shapes: [sphere: {radius: 0.05}]}
signals: {force: {body: ground, contact_force: normal}}
`
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		log.Fatal(err)
	}

	draft, err := scene.Open(file, nil)
	if err != nil {
		log.Fatal(err)
	}
	ball, err := draft.Builder.Body("ball")
	if err != nil {
		log.Fatal(err)
	}
	ball.Mass = 2
	draft.Builder.AddSignal("height", &sim.PositionSpec{Component: "z", Body: "ball"})
	if _, err := draft.Builder.Body("bal"); err != nil {
		fmt.Println(err)
	}
	sc, err := draft.Load()
	if err != nil {
		log.Fatal(err)
	}

	stepper, err := sim.NewStepper(sc.Model, sim.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer stepper.Close()
	state := sc.Model.Start.Clone()
	for state.Time < sc.File.Time.Duration {
		if err := stepper.Step(state, sc.File.Time.Step); err != nil {
			log.Fatal(err)
		}
	}
	v := stepper.Read(state, nil) // in the order of the signals
	fmt.Printf("%.2f N at a height of %.3f m\n", v[0], v[1])
	// Output:
	// unknown body "bal": did you mean "ball"?
	// 19.62 N at a height of 0.050 m
}
