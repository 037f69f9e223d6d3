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

// checkResult is what check says of a file.
type checkResult struct {
	File     string   `json:"file"`
	Kind     string   `json:"kind"` // scene, robot or mesh
	OK       bool     `json:"ok"`
	Errors   []string `json:"errors"`
	Warnings []string `json:"warnings"`
	Contains string   `json:"contains,omitempty"`

	Contacts    []check.ContactEstimate    `json:"contacts,omitempty"`            // between rigid bodies
	Deformables []check.DeformableEstimate `json:"deformable_contacts,omitempty"` // of deformables
}

func (a *app) checkCommand() *cobra.Command {
	var (
		set  []string
		unit string
	)
	cmd := &cobra.Command{
		Use:   "check FILE",
		Short: "Say everything that is wrong, doubtful or ignored in a scene, robot or mesh",
		Long: fmt.Sprintf(`Read a scene (.yaml), a robot (%s) or a mesh and say everything that is wrong
with it, doubtful or ignored, without simulating. Exit code 3 when it cannot be used.`, strings.Join(robot.Extensions(), ", ")),
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			r := checkResult{File: args[0], Errors: []string{}, Warnings: []string{}}
			var err error
			if st, serr := os.Stat(args[0]); serr == nil && st.IsDir() {
				return fail(exitInput, fmt.Errorf("%s is a folder: name a scene, robot or mesh file in it", args[0]))
			}
			switch ext := strings.ToLower(filepath.Ext(args[0])); {
			case ext == ".yaml" || ext == ".yml":
				err = r.scene(set)
			case slices.Contains(robot.Extensions(), ext):
				err = r.robot()
			default:
				err = r.mesh(unit)
			}
			var e *exit
			if errors.As(err, &e) && e.code == exitUsage {
				return err
			}
			r.OK = err == nil
			r.Errors = append(r.Errors, faults(err)...)
			return a.printCheck(&r)
		},
	}
	cmd.Flags().StringArrayVar(&set, "set", nil, "override a value of the scene, `PATH=VALUE`; may be repeated")
	cmd.Flags().StringVar(&unit, "unit", "", "unit of a mesh file (default m)")
	return cmd
}

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
		for i := range r.Contacts {
			a.say("contact: %s", &r.Contacts[i])
		}
		for i := range r.Deformables {
			a.say("contact: %s", &r.Deformables[i])
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

// faults lists the faults that an error joins.
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

func (r *checkResult) scene(set []string) error {
	r.Kind = "scene"
	sc, err := loadScene(r.File, set)
	if err != nil {
		return err
	}
	r.Warnings, r.Contacts, r.Deformables = append(r.Warnings, sc.Warnings...), sc.Contacts, sc.DeformableContacts
	if w := run.SizeWarning(sc); w != "" {
		r.Warnings = append(r.Warnings, w)
	}
	rigid, soft := sc.Model.Dofs()
	verts, tets := 0, 0
	for _, s := range sc.Model.Deformables {
		verts, tets = verts+s.NumVerts(), tets+s.NumTets()
	}
	r.Contains = fmt.Sprintf("%d rigid and %d deformable degrees of freedom, %d vertices, %d tetrahedra, %d signals, %d expectations",
		rigid, soft, verts, tets, len(sc.Signals.Names()), len(sc.Checks))
	return nil
}

func (r *checkResult) robot() error {
	r.Kind = "robot"
	robot, warnings, err := scene.CheckRobot(r.File)
	r.Warnings = append(r.Warnings, warnings...)
	if err != nil {
		return err
	}
	r.Contains = fmt.Sprintf("%d links, %d joints, root %s", len(robot.Links), len(robot.Joints), robot.Links[robot.Root].Name)
	return nil
}

// mesh judges a mesh by what mesh info finds.
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
		err = fmt.Errorf("%s: it bounds no solid", r.File)
	}
	return err
}
