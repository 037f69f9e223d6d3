package serve

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc64"
	"math"

	"github.com/curlfree/curlfree/scene"
	"github.com/curlfree/curlfree/sim"
)

// A state on its way to a client is time, steps, q and v, and memory: bytes that a client keeps and returns as they
// are, with all else that the next step depends on. They begin with a checksum that covers the scene, so that those of
// another one, or damaged ones, are refused. A state that a client has made or changed has no memory.

// stateSum is the polynomial of the checksum of memories.
var stateSum = crc64.MakeTable(crc64.ECMA)

// getState is the method that returns the state.
func getState(c *connection, a *arguments) (any, error) {
	s := c.session(a)
	wantsHash := a.truth("hash", false)
	if err := a.check(); err != nil {
		return nil, err
	}
	m := stateOf(s.sc, s.x, s.memory)
	if wantsHash {
		m["hash"] = s.x.Hash()
	}
	return m, nil
}

// stateOf returns a state as clients have it.
func stateOf(sc *scene.Scene, x *sim.State, memory []float64) map[string]any {
	return map[string]any{"time": x.Time, "steps": x.Step, "q": vector(x.Q), "v": vector(x.V), "memory": seal(sc, x, memory)}
}

// setState is the method that makes a state the present one.
func setState(c *connection, a *arguments) (any, error) {
	s := c.session(a)
	if s == nil {
		return nil, a.check()
	}
	// two states take turns, so that one that is refused leaves the other
	if s.spare == nil {
		s.spare = new(sim.State)
	}
	x, memory := stateFrom(a, s.sc, s.x, s.spare)
	if err := a.check(); err != nil {
		return nil, err
	}
	if s.recorder != nil {
		return nil, errors.New("a recording continues: end it before another state, since its times must rise")
	}
	s.x, s.spare, s.memory = x, s.x, memory
	s.moved()
	return s.where(map[string]any{}), nil
}

// stateFrom reads a state of a scene into the memory of another one; what is not given is that of the present one.
func stateFrom(a *arguments, sc *scene.Scene, present, spare *sim.State) (*sim.State, []float64) {
	m := sc.Model
	x := &sim.State{Time: a.number("time", present.Time), Step: a.whole("steps", present.Step, 0, scene.MaxSteps)}
	x.Q, x.V = a.finiteInto(spare.Q, "q", len(m.Start.Q)), a.finiteInto(spare.V, "v", len(m.Start.V))
	if x.Q == nil {
		x.Q = append(x.Q, present.Q...)
	}
	if x.V == nil {
		x.V = append(x.V, present.V...)
	}
	signals := sc.Signals.NewMemory()
	sealed := argument[[]byte](a, "memory", "bytes", nil)
	if sealed == nil {
		// what a step needs in any case, as at the start
		start := m.Start.Clone()
		x.Operator, x.Holds = start.Operator, start.Holds
		return x, signals
	}
	if err := unseal(sc, sealed, x, signals); err != nil {
		a.fail("memory: %w", err)
	}
	return x, signals
}

// seal returns the memory of a state.
func seal(sc *scene.Scene, x *sim.State, signals []float64) []byte {
	lagged := make([]float64, 0, laggedNumbers*len(x.LaggedContacts))
	for i := range x.LaggedContacts {
		l := &x.LaggedContacts[i]
		lagged = append(lagged, float64(l.Body[0]), float64(l.Body[1]), float64(l.Elem[0]), float64(l.Elem[1]))
		lagged = append(append(append(lagged, l.P[0][:]...), l.P[1][:]...), l.Force)
	}
	var controllers []any
	for _, k := range x.Controllers {
		controllers = append(controllers, map[string]any{"name": k.Controller, "data": k.Data})
	}
	var pace []float64
	if x.Pace != (sim.Pace{}) {
		pace = []float64{x.Pace.Next, x.Pace.Error}
	}
	m := map[string]any{"signals": vector(signals)}
	for name, list := range map[string][]float64{
		"energy": x.EnergyReference, "commands": x.Commands, "operator": x.Operator, "holds": x.Holds, "lagged": lagged,
		"w": x.Memory.W, "dv": x.Memory.DV, "pace": pace,
	} {
		if len(list) > 0 {
			m[name] = vector(list)
		}
	}
	if len(x.Memory.W) > 0 {
		m["h"] = x.Memory.H
	}
	if len(controllers) > 0 {
		m["controllers"] = controllers
	}
	b := encode(make([]byte, 8, 256), m)
	binary.LittleEndian.PutUint64(b, sum(sc, b[8:]))
	return b
}

// laggedNumbers is the number of numbers of a lagged contact.
const laggedNumbers = 11

// sum returns the checksum of a memory.
func sum(sc *scene.Scene, b []byte) uint64 {
	return crc64.Update(crc64.Checksum([]byte(sc.Fingerprint), stateSum), stateSum, b)
}

// unseal reads the memory of a state.
func unseal(sc *scene.Scene, b []byte, x *sim.State, signals []float64) error {
	if len(b) < 8 || binary.LittleEndian.Uint64(b) != sum(sc, b[8:]) {
		return errors.New("it is that of another scene, of other overrides, or damaged: give q and v alone, which forgets what bodies remember of the last step")
	}
	v, err := decode(b[8:])
	if err != nil {
		return err
	}
	m, ok := v.(map[string]any)
	list := func(name string) []float64 {
		k, ok := m[name].(array)
		if !ok || k.kind != typeFloat64 {
			return nil
		}
		numbers, _ := k.appendFloats(nil)
		return numbers
	}
	if !ok || len(list("signals")) != len(signals) || len(list("lagged"))%laggedNumbers != 0 {
		return errors.New("it has not the form of a memory")
	}
	copy(signals, list("signals"))
	x.EnergyReference, x.Commands, x.Operator, x.Holds = list("energy"), list("commands"), list("operator"), list("holds")
	x.Memory.W, x.Memory.DV = list("w"), list("dv")
	x.Memory.H, _ = m["h"].(float64)
	if pace := list("pace"); len(pace) == 2 {
		x.Pace = sim.Pace{Next: pace[0], Error: pace[1]}
	}
	all := list("lagged")
	for i := 0; i < len(all); i += laggedNumbers {
		n := all[i : i+laggedNumbers]
		l := sim.LaggedContact{Body: [2]int32{int32(n[0]), int32(n[1])}, Elem: [2]int32{int32(n[2]), int32(n[3])}, Force: n[10]}
		copy(l.P[0][:], n[4:7])
		copy(l.P[1][:], n[7:10])
		x.LaggedContacts = append(x.LaggedContacts, l)
	}
	controllers, _ := m["controllers"].([]any)
	for _, k := range controllers {
		one, _ := k.(map[string]any)
		name, _ := one["name"].(string)
		data, _ := one["data"].([]byte)
		x.Controllers = append(x.Controllers, sim.ControllerMemory{Controller: name, Data: data})
	}
	return nil
}

// jacobian is the method that returns the derivatives of the next step.
func jacobian(c *connection, a *arguments) (any, error) {
	s := c.session(a)
	drives := a.texts("drives")
	u := a.finite("inputs", len(drives))
	if err := a.check(); err != nil {
		return nil, err
	}
	if s.sc.File.Time.Equilibrium {
		return nil, as("not_differentiable", errors.New("time.equilibrium: states at rest are found by pseudo-steps: take steps with inertia"))
	}
	nx, nu := 2*len(s.x.V), len(drives)
	if nx*(nx+nu) > MaxFrame/16 {
		return nil, fmt.Errorf("a Jacobian of %d × %d numbers: a frame has room for %d; take gradient for the derivatives of one number", nx, nx+nu, MaxFrame/16)
	}
	// inputs are of this derivative alone: the session's drives keep their own
	if err := s.stepper.UseInputs(drives...); err != nil {
		return nil, err
	}
	defer func() { _ = s.stepper.UseInputs() }()
	if u == nil {
		u = make([]float64, nu)
	}
	s.stepper.SetInputs(u)
	s.moved()
	l, err := s.stepper.Linearize(s.x, s.h)
	if err != nil {
		return nil, as("step", err)
	}
	fx, fu := make([]float64, nx*nx), make([]float64, nx*nu)
	if err := l.Jacobian(fx, fu); err != nil {
		return nil, as("step", err)
	}
	for _, x := range fx {
		if math.IsNaN(x) {
			return nil, as("not_differentiable", errors.New("the Jacobian is not finite"))
		}
	}
	return map[string]any{
		"state": array{dims: []int{nx, nx}, floats: fx}, "inputs": array{dims: []int{nx, nu}, floats: fu},
	}, nil
}
