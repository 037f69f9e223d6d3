package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/curlfree/curlfree/check"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/run"
	"github.com/curlfree/curlfree/scene"
	"github.com/curlfree/curlfree/scene/robot"
)

// checkResult is the JSON object of check.
type checkResult struct {
	File     string   `json:"file"`
	Kind     string   `json:"kind"` // scene, robot or mesh
	OK       bool     `json:"ok"`
	Errors   []string `json:"errors"`
	Warnings []string `json:"warnings"`
	Contains string   `json:"contains,omitempty"`

	Cost        *check.Cost                `json:"cost,omitempty"`                // of a step of a scene
	Elements    []string                   `json:"elements,omitempty"`            // finite elements of each deformable
	Contacts    []check.ContactEstimate    `json:"contacts,omitempty"`            // between rigid bodies
	Deformables []check.DeformableEstimate `json:"deformable_contacts,omitempty"` // of deformables
	Bending     []check.BendingEstimate    `json:"bending,omitempty"`
	Damping     []check.DampingEstimate    `json:"step_damping,omitempty"`
}

func (a *app) checkCommand() *cobra.Command {
	var (
		set    []string
		unit   string
		strict bool
	)
	cmd := &cobra.Command{
		Use:   "check FILE",
		Short: "Report errors and warnings of a scene, robot or mesh without simulating",
		Long: fmt.Sprintf(`Read a scene (.yaml), a robot (%s) or a mesh without simulating, and
report all errors, warnings of likely mistakes, and parts of the file that are ignored. For a
scene, also report the stiffness of its contacts, how deep bodies will sink, how far deformables
bend from the truth on their meshes, how much damping the time step adds, and estimates of
processor time and memory.

Exit codes: 0 usable, 2 usage, 3 not usable.`, strings.Join(robot.Extensions(), ", ")),
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error { return a.check(args[0], set, unit, strict) },
	}
	cmd.Flags().StringArrayVar(&set, "set", nil, "override a value of the scene, `PATH=VALUE`; may be repeated")
	cmd.Flags().StringVar(&unit, "unit", "", "unit of a mesh file (default m)")
	cmd.Flags().BoolVar(&strict, "strict", false, "refuse a robot file that has to be repaired or acts by what is left out, such as tendons around shapes, and a scene with one")
	return cmd
}

// check reads a file by its kind, which follows from its extension, and prints the result.
func (a *app) check(file string, set []string, unit string, strict bool) error {
	if st, err := os.Stat(file); err == nil && st.IsDir() {
		return fail(exitInput, fmt.Errorf("%s is a folder: name a scene, robot or mesh file in it", file))
	}
	r := checkResult{File: file, Errors: []string{}, Warnings: []string{}}
	var err error
	switch ext := strings.ToLower(filepath.Ext(file)); {
	case ext == ".yaml" || ext == ".yml":
		err = r.scene(set, strict)
	case slices.Contains(robot.Extensions(), ext):
		err = r.robot(strict)
	case ext == ".json":
		err = fmt.Errorf("%s: a scene is a .yaml file, of which JSON is a part: rename it to check it", file)
	default:
		err = r.mesh(unit)
	}
	// a wrong --set is an error of the command line, not of the scene
	var e *exit
	if errors.As(err, &e) && e.code == exitUsage {
		return err
	}
	r.OK = err == nil
	r.Errors = append(r.Errors, faults(err)...)
	return a.printCheck(&r)
}

// printCheck prints the result of check.
func (a *app) printCheck(r *checkResult) error {
	if a.json {
		if err := a.printJSON(r); err != nil {
			return err
		}
	} else {
		for _, e := range r.Errors {
			a.say("error: %s", e)
		}
		for _, w := range r.Warnings {
			a.say("warning: %s", w)
		}
		for _, e := range r.Elements {
			a.say("elements: %s", e)
		}
		for i := range r.Contacts {
			a.say("contact: %s", &r.Contacts[i])
		}
		for i := range r.Deformables {
			a.say("contact: %s", &r.Deformables[i])
		}
		for i := range r.Bending {
			a.say("bending: %s", &r.Bending[i])
		}
		for i := range r.Damping {
			a.say("damping: %s", &r.Damping[i])
		}
		if r.Cost != nil {
			a.say("cost: %s", r.Cost)
		}
		if r.OK {
			a.say("%s: usable %s: %s", r.File, r.Kind, r.Contains)
		}
	}
	if !r.OK {
		return fail(exitInput, errSilent)
	}
	return nil
}

// faults lists the messages of the errors that an error joins.
func faults(err error) []string {
	var e *exit
	if errors.As(err, &e) {
		err = e.err
	}
	if err == nil {
		return nil
	}
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		var all []string
		for _, e := range joined.Unwrap() {
			all = append(all, faults(e)...)
		}
		return all
	}
	return []string{err.Error()}
}

// scene checks a scene file.
func (r *checkResult) scene(set []string, strict bool) error {
	r.Kind = "scene"
	sc, err := loadScene(r.File, set)
	if err == nil && strict && len(sc.File.Robots.Keys) > 0 {
		// the names of robots are known now
		for _, name := range sc.File.Robots.Keys {
			set = append(set, "robots."+name+".strict=true")
		}
		sc, err = loadScene(r.File, set)
	}
	if err != nil {
		return err
	}
	r.Warnings, r.Contacts, r.Deformables = append(r.Warnings, sc.Warnings...), sc.Contacts, sc.DeformableContacts
	r.Bending, r.Damping = sc.Bending, sc.StepDamping()
	if w := run.SizeWarning(sc); w != "" {
		r.Warnings = append(r.Warnings, w)
	}
	cost := check.CostOf(sc.Model)
	r.Cost = &cost
	if err := check.EnoughMemory(sc.Model); err != nil {
		return err
	}
	rigid, deformable := sc.Model.Dofs()
	verts, tets := 0, 0
	for _, s := range sc.Model.Deformables {
		verts, tets = verts+s.NumVerts(), tets+s.NumTets()
		r.Elements = append(r.Elements, s.Name()+": "+s.ElementsNote())
	}
	r.Contains = fmt.Sprintf("%d rigid and %d deformable degrees of freedom, %d vertices, %d tetrahedra, %d signals, %d expectations",
		rigid, deformable, verts, tets, len(sc.Signals.Names()), len(sc.Checks))
	return nil
}

// robot checks a robot file and the meshes that it names.
func (r *checkResult) robot(strict bool) error {
	r.Kind = "robot"
	robot, warnings, err := scene.CheckRobot(r.File, strict)
	r.Warnings = append(r.Warnings, warnings...)
	if err != nil {
		return err
	}
	r.Contains = fmt.Sprintf("%d links, %d joints, root %s", len(robot.Links), len(robot.Joints), robot.Links[robot.Root].Name)
	if n := len(robot.Deformables); n > 0 {
		r.Contains += fmt.Sprintf(", %d deformables", n)
	}
	return nil
}

// mesh checks a mesh file by the findings of mesh info.
func (r *checkResult) mesh(unit string) error {
	r.Kind = "mesh"
	info, _, err := infoOf(r.File, unit)
	if err != nil {
		return err
	}
	for _, f := range info.Findings {
		switch f.Severity {
		case meshes.Error:
			err = errors.Join(err, fmt.Errorf("%s: %s", r.File, f.Text))
		case meshes.Warning:
			r.Warnings = append(r.Warnings, fmt.Sprintf("%s: %s", r.File, f.Text))
		}
	}
	r.Contains = info.contents()
	if err == nil && !info.Watertight {
		err = fmt.Errorf("%s: the mesh does not enclose a volume", r.File)
	}
	return err
}
