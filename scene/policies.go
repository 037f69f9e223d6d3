package scene

// A policy is read from the JSON file that curlfree optimize writes. Its lists must fit each other, its drives and time
// step the scene; whether its states fit the model is for package sim to say, which has their sizes.

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/sim"
)

// policyFile are the entries of the file that a policy needs.
type policyFile struct {
	Step     float64     `json:"step_s"`
	Drives   []string    `json:"drives"`
	Efforts  [][]float64 `json:"efforts"`
	States   [][]float64 `json:"states"`
	Feedback [][]float64 `json:"feedback"`
}

// policy reads the policy of a drive and returns the drive with it; false: a fault is reported.
func (l *loader) policy(path string, p Pos, d *sim.PolicyDrive) (*sim.PolicyDrive, bool) {
	if d.File == "" {
		return nil, false // reported as a missing key
	}
	// relative to the scene, and part of the inputs that identify a run
	file := l.rel(d.File)
	text, err := readInput(file)
	if err != nil {
		l.fail(p, "%s.policy: %v", path, err)
		return nil, false
	}
	l.digestFile(file, text)
	var f policyFile
	if err := json.Unmarshal(text, &f); err != nil {
		l.fail(p, "%s.policy: %s: %v: give the file that curlfree optimize wrote with -o", path, file, err)
		return nil, false
	}
	for _, check := range []func() error{f.check, func() error { return l.fits(&f) }} {
		if err := check(); err != nil {
			l.fail(p, "%s.policy: %s: %v", path, file, err)
			return nil, false
		}
	}
	// a copy: the file of the scene keeps what was written
	return &sim.PolicyDrive{File: d.File, Policy: &sim.Policy{Step: f.Step, Drives: f.Drives, Efforts: f.Efforts, States: f.States, Feedback: f.Feedback}}, true
}

// fits verifies that the scene has the drives and the time step of a policy, before its first step does.
func (l *loader) fits(f *policyFile) error {
	if h := l.f.Time.Step; math.Abs(h/f.Step-1) > 1e-9 { // files have rounded numbers
		return fmt.Errorf("the policy has steps of %g s: set time.step, which is %g s, to that", f.Step, h)
	}
	// files of robots may add drives that are not known yet
	if len(l.f.Robots.Keys) > 0 {
		return nil
	}
	for _, name := range f.Drives {
		// a joint of a drive of robots is DRIVE.JOINT
		drive, _, _ := strings.Cut(name, ".")
		if l.f.Drives.Get(name) == nil && l.f.Drives.Get(drive) == nil {
			return fmt.Errorf("the policy commands the drive %q, which the scene does not have%s: keep it beside the policy", name, kinds.Suggest(name, l.f.Drives.Keys))
		}
	}
	return nil
}

// check returns the first fault of a file.
func (f *policyFile) check() error {
	n := len(f.Efforts)
	switch {
	case !(f.Step > 0) || len(f.Drives) == 0 || n == 0:
		return fmt.Errorf("step_s, drives or efforts are missing: give the file that curlfree optimize wrote with -o")
	case len(f.Feedback) != n || len(f.States) < n:
		return fmt.Errorf("it has %d efforts, %d states and %d rows of feedback: there must be one of each for every step", n, len(f.States), len(f.Feedback))
	}
	for k := range n {
		if len(f.Efforts[k]) != len(f.Drives) || len(f.States[k]) != len(f.States[0]) || len(f.Feedback[k]) != len(f.Feedback[0]) || len(f.Feedback[k])%len(f.Drives) != 0 {
			return fmt.Errorf("the lists of step %d differ in length from those of step 0, or from the number of drives", k)
		}
		for _, list := range [3][]float64{f.Efforts[k], f.States[k], f.Feedback[k]} {
			for _, x := range list {
				// JSON has no infinities, but numbers may overflow
				if math.IsInf(x, 0) {
					return fmt.Errorf("step %d has a number that is not finite", k)
				}
			}
		}
	}
	return nil
}
