package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"curlfree/scene"
	"curlfree/scene/urdf"
)

// checkResult is what check says of a file.
type checkResult struct {
	File     string   `json:"file"`
	Kind     string   `json:"kind"` // scene, robot or mesh
	OK       bool     `json:"ok"`
	Errors   []string `json:"errors"`
	Warnings []string `json:"warnings"`
	Contains string   `json:"contains,omitempty"`
}

func (a *app) checkCommand() *cobra.Command {
	var set []string
	cmd := &cobra.Command{
		Use:   "check FILE",
		Short: "Say everything that is wrong, doubtful or ignored in a scene, robot or mesh",
		Long: `Read a scene (.yaml), a robot (.urdf) or a mesh and say everything that is wrong with it,
doubtful or ignored, without simulating. Exit code 3 when it cannot be used.`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			r := checkResult{File: args[0], Errors: []string{}, Warnings: []string{}}
			var err error
			switch strings.ToLower(filepath.Ext(args[0])) {
			case ".yaml", ".yml":
				err = checkScene(&r, set)
			case ".urdf", ".xml", ".xacro":
				err = checkRobot(&r)
			default:
				return a.meshCheck(args[0])
			}
			if err != nil {
				r.Errors = strings.Split(err.Error(), "\n")
			}
			r.OK = err == nil
			if a.json {
				if perr := a.printJSON(r); perr != nil {
					return perr
				}
			} else {
				for _, e := range r.Errors {
					a.say("error: %s", e)
				}
				for _, w := range r.Warnings {
					a.say("warning: %s", w)
				}
				if r.OK {
					a.say("%s: usable %s: %s", r.File, r.Kind, r.Contains)
				}
			}
			if err != nil {
				return fail(exitInput, errSilent)
			}
			return nil
		},
	}
	cmd.Flags().StringArrayVar(&set, "set", nil, "override a value of the scene, `PATH=VALUE`; may be repeated")
	return cmd
}

func checkScene(r *checkResult, set []string) error {
	r.Kind = "scene"
	sc, err := scene.Load(r.File, set)
	if err != nil {
		return err
	}
	r.Warnings = append(r.Warnings, sc.Warnings...)
	rigid, soft := sc.Model.Dofs()
	verts, tets := 0, 0
	for _, s := range sc.Model.Soft {
		verts, tets = verts+s.NumVerts(), tets+s.NumTets()
	}
	r.Contains = fmt.Sprintf("%d rigid and %d deformable degrees of freedom, %d vertices, %d tetrahedra, %d signals, %d expectations",
		rigid, soft, verts, tets, len(sc.Signals.Names()), len(sc.Checks))
	return nil
}

func checkRobot(r *checkResult) error {
	r.Kind = "robot"
	text, err := os.ReadFile(r.File)
	if err != nil {
		if errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("%s: there is no such file", r.File)
		}
		return err
	}
	robot, warnings, err := urdf.Parse(bytes.NewReader(text), r.File)
	if err != nil {
		return err
	}
	for _, w := range warnings {
		r.Warnings = append(r.Warnings, fmt.Sprintf("%s:%d: %s", r.File, w.Line, w.Text))
	}
	r.Contains = fmt.Sprintf("%d links, %d joints, root %s", len(robot.Links), len(robot.Joints), robot.Links[robot.Root].Name)
	return nil
}

// meshCheck is mesh info without a picture.
func (a *app) meshCheck(file string) error {
	cmd := a.meshInfoCommand()
	cmd.SetArgs([]string{"--no-picture", file})
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	err := cmd.Execute()
	var e *exit
	if errors.As(err, &e) && e.code == exitCheck {
		return fail(exitInput, errSilent)
	}
	return err
}
