// Package curlfree is the root of a simulator for soft fingers, hands, gears and the
// objects that they hold: deformable bodies of tetrahedra and articulated rigid bodies, in
// frictional contact, stepped together as one convex problem per time step. It has no code
// of its own. Start from these packages:
//
//   - sim: build a model with a Builder, step it with a Stepper, read forces
//   - scene: read scene files into models; run: run a scene into a folder of results
//   - geometry: shapes; meshes: surfaces and tetrahedra, from files or generated;
//     meshes/parts: gears, screws and other machine parts
//   - rigid: joints; fem: constitutive laws; constraints: contact laws, constraints and
//     controllers; motion: functions of time
//   - ik: joint velocities and positions for poses of a robot's hand
//   - record: recordings of runs; render: pictures of them; study: scenes over tables of
//     parameters
//   - kinds: registries of shapes, joints, signals and so on, with their parameters
//
// A ball that falls for half a second:
//
//	b := sim.NewBuilder()
//	ball := sim.ShapeSpec{Spec: &geometry.SphereSpec{Radius: 0.05}} // m
//	b.AddBody("ball", sim.BodySpec{Shapes: []sim.ShapeSpec{ball}})
//	model, err := b.Build()
//	...
//	stepper, err := sim.NewStepper(model, sim.Options{})
//	...
//	defer stepper.Close()
//	for state := model.Start.Clone(); state.Step < 500; {
//		if err := stepper.Step(state, 0.001); err != nil {
//			return err
//		}
//	}
//
// The program examples/go is a tutorial of these packages, ARCHITECTURE.md a map of all of
// them, atlas.go an index of concepts of the field with the files that implement them;
// CONVENTIONS.md defines units, frames, signs and words.
package curlfree
