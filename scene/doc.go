// Package scene reads scene files and robot files and builds sim.Models from
// them. A scene is YAML, strict, in SI units with angles in radians unless a key
// ends in _deg.
//
//	sc, err := scene.Load("scene.yaml", []string{"time.step=0.002"})
//	stepper, err := sim.NewStepper(sc.Model, sim.Options{})
//	state := sc.Model.Start.Clone()
//	err = stepper.Step(state, sc.File.Time.Step)
//
// or run.Run(ctx, sc, run.Options{Dir: "out"}), which writes a folder of results.
//
// # Scenes that a program edits
//
// Open reads a scene and leaves its items in a sim.Builder, where a program finds them by their names, edits them,
// adds others and removes some; Draft.Load then builds the scene:
//
//	draft, err := scene.Open("scene.yaml", nil)
//	ball, err := draft.Builder.Body("ball")
//	ball.Mass = 0.3
//	draft.Builder.AddSignal("height", &sim.PositionSpec{Component: "z", Body: "ball"})
//	draft.File.Time.Duration = 2
//	sc, err := draft.Load()
//
// Values that a file could have as well are simpler given as overrides: "bodies.ball.mass=0.3".
//
// # What programs may rely on
//
// These names stay, or change by an entry of CHANGELOG.md that says what takes their place:
//
//	Load, Open   Draft with Builder, File, Edits, Load; CheckRobot, ReadInput, IsScene
//	Scene        Path, File, Model, Signals, Checks, Static, Warnings, Fingerprint, Files; Estimates
//	Signals      Names, Unit, Units, NewMemory, Evaluate: signals as the scene scales them
//	File         its fields, which mirror the keys of scene files, Override, Number; NewFile
//	Snapshot     Load and LoadText: several scenes of the same files
//	errors       Error with the place in a file, OverrideError, ErrChanged
//
// Other exported names serve packages of this program and may change at any time.
package scene
