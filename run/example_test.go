package run_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/curlfree/curlfree/record"
	"github.com/curlfree/curlfree/run"
	"github.com/curlfree/curlfree/scene"
)

// A ball falls freely from 1 m for n = 10 steps of h = 0.02 s. The symplectic Euler
// method takes it to z = 1 − g h² n(n+1)/2 = 0.7842 m.
func Example() {
	dir, err := os.MkdirTemp("", "run")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "scene.yaml")
	if err := os.WriteFile(file, []byte(`
time: {step: 0.02, duration: 0.2}
bodies: {ball: {pose: {xyz: [0, 0, 1]}, shapes: [{sphere: {radius: 0.1}}]}}
signals: {z: {body: ball, position: z}}
`), 0o666); err != nil {
		log.Fatal(err)
	}

	sc, err := scene.Load(file, nil)
	if err != nil {
		log.Fatal(err)
	}
	out := filepath.Join(dir, "out")
	summary, err := run.Run(context.Background(), sc, run.Options{Dir: out})
	if err != nil {
		log.Fatal(err)
	}
	signals, err := record.ReadColumns(out, record.SignalsFile, nil)
	if err != nil {
		log.Fatal(err)
	}
	z := signals.Column("z")
	fmt.Printf("%d steps, z = %.4f m\n", summary.Steps, z[len(z)-1])
	// Output: 10 steps, z = 0.7842 m
}
