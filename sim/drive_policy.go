package sim

// A policy is what optimal control leaves: for every step k efforts u_k of drives, the states x_k of the plan and
// feedback gains K_k. A run that tracks it applies
//
//	u = u_k + K_k (x ⊟ x_k)                                                        (1)
//
// with the tangent from the plan's state to that of the run at the start of the step, so that the run comes back to
// the plan although friction or masses differ from those of the plan. Source: Li and Todorov, "Iterative
// Linear Quadratic Regulator Design", 2004.

import (
	"errors"
	"fmt"
	"math"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/kinds"
)

var _ = Drives.Register(kinds.Kind[Drive]{
	Name: "policy",
	Doc:  "Efforts and feedback of a plan that curlfree optimize found, for the drives that it names.",
	About: "In each step the efforts of these drives are those of the plan plus feedback of how far the state is from the plan's. After the " +
		"last step of the plan the drives have their own feed_forward again. The scene needs the bodies, drives and time step of the plan; " +
		"materials and masses may differ.",
	New: func() Drive { return &PolicyDrive{} },
	Samples: func() []Drive {
		return []Drive{&PolicyDrive{File: "policy.json", Policy: &Policy{Step: 2e-3}}}
	},
})

// Policy is a plan with its feedback law. Lists have an item for each step, States one more.
type Policy struct {
	// Step is the time step, s.
	Step float64
	// Drives are the names of drives of kind joint.
	Drives []string
	// Efforts are u_k, N or N m for each drive.
	Efforts [][]float64
	// States are x_k, as Model.PutState writes them.
	States [][]float64
	// Feedback are K_k (a row for each drive), row-major: efforts by tangents of the state, see Model.TangentSize.
	Feedback [][]float64
}

// PolicyDrive tracks a policy.
type PolicyDrive struct {
	// File is the file that curlfree optimize wrote with -o, relative to the scene.
	File string `key:"policy,required" doc:"file that curlfree optimize has written with -o, relative to the scene"`
	// Policy is the content of the file, which the scene reads.
	Policy *Policy
}

// Uncommanded implements Uncommanded.
func (*PolicyDrive) Uncommanded() string {
	return "it commands the drives that it names itself: command those, in a scene without the policy"
}

// AddTo implements Drive.
func (d *PolicyDrive) AddTo(b *Builder, name string) {
	b.AddController(name, func() Controller { return &policyController{policy: d.Policy} })
}

// policyController is (1) as a Controller. It has no memory: the number of the step is part of the state.
type policyController struct {
	policy *Policy
	dx     []float64 // x ⊟ x_k
	plan   State     // x_k
}

// stepSlack is the relative difference of steps that count as equal: a file has rounded numbers.
const stepSlack = 1e-9

// Control implements Controller.
func (p *policyController) Control(c *Control) error {
	if p.policy == nil {
		return errors.New("no policy is given")
	}
	if math.Abs(c.H/p.policy.Step-1) > stepSlack {
		return fmt.Errorf("the policy has steps of %g s and the run of %g s: set time.step to that of the policy", p.policy.Step, c.H)
	}
	k, x := c.State.Step, c.State
	// after the plan, the drives are as without it
	if k >= len(p.policy.Efforts) {
		for _, drive := range p.policy.Drives {
			c.Release(drive)
		}
		return nil
	}
	m := c.Stepper.Model
	n, numbers := m.TangentSize(), m.StateNumbers()
	if len(p.policy.States[k]) != numbers || len(p.policy.Feedback[k]) != n*len(p.policy.Drives) {
		return fmt.Errorf("the policy is for states of %d numbers, this scene has %d: take the scene that was optimized", len(p.policy.States[k]), numbers)
	}
	if len(p.dx) != n {
		p.dx = make([]float64, n)
	}
	m.TakeState(p.policy.States[k], &p.plan)
	m.StateDifference(&p.plan, x, p.dx)
	for i, drive := range p.policy.Drives {
		c.setInput(drive, constraints.InputCommands, "input", p.policy.Efforts[k][i]+dot(p.policy.Feedback[k][i*n:(i+1)*n], p.dx))
	}
	return nil
}
