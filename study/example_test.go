package study_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/curlfree/curlfree/study"
)

// The height after a free fall, z = 1 − g T²/2 − g T h/2 for steps h and T = 0.2 s, has an
// error that is proportional to the step.
func Example() {
	dir, err := os.MkdirTemp("", "study")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	for name, text := range map[string]string{"scene.yaml": `
time: {step: 0.01, duration: 0.2}
bodies: {ball: {pose: {xyz: [0, 0, 1]}, shapes: [{sphere: {radius: 0.1}}]}}
signals: {z: {body: ball, position: z}}
`, "study.yaml": `
scene: scene.yaml
cases: {time.step: [0.02, 0.01, 0.005]}
measures: {error: {signal: 1 - 9.81*0.2^2/2 - z}}
`} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			log.Fatal(err)
		}
	}

	s, err := study.Load(filepath.Join(dir, "study.yaml"))
	if err != nil {
		log.Fatal(err)
	}
	rows, err := s.Run(context.Background(), study.Options{Dir: filepath.Join(dir, "out"), Jobs: 1})
	if err != nil {
		log.Fatal(err)
	}
	for _, r := range rows {
		fmt.Printf("h = %s s: error %.4f m\n", r.Case.Values[0], r.Values[0])
	}
	// Output:
	// h = 0.02 s: error 0.0196 m
	// h = 0.01 s: error 0.0098 m
	// h = 0.005 s: error 0.0049 m
}
