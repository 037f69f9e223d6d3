package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/reference"
)

func (a *app) kindsCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "kinds [NAME]",
		Short: "List the kinds of shapes, joints, laws, signals and formats, or explain one",
		Long: `List everything that scenes and commands choose by name: shapes, joints, constraints,
drives, motions, signals, laws and file formats. With the name of a kind, explain its
parameters, with units, defaults and an example; with the name of a group, list it.`,
		Example: "  curlfree kinds\n  curlfree kinds revolute\n  curlfree kinds signal",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if a.json {
				return a.printJSON(kindList(args))
			}
			if len(args) == 0 {
				fmt.Fprint(a.stdout, reference.List(""))
				return nil
			}
			text, err := reference.Help(args[0])
			if err != nil {
				return fail(exitUsage, err)
			}
			fmt.Fprint(a.stdout, text)
			return nil
		},
	}
}

// kindJSON is a kind in the output of kinds --json.
type kindJSON struct {
	Group  string      `json:"group"`
	Name   string      `json:"name"`
	Doc    string      `json:"doc"`
	Params []paramJSON `json:"parameters"`
}

type paramJSON struct {
	Key     string   `json:"key"`
	Doc     string   `json:"doc"`
	Unit    string   `json:"unit,omitempty"`
	Default string   `json:"default,omitempty"`
	Choices []string `json:"choices,omitempty"`
}

// kindList returns all kinds, or those of the given names.
func kindList(names []string) []kindJSON {
	list := []kindJSON{}
	for _, s := range kinds.All() {
		for _, k := range s.Kinds() {
			if len(names) > 0 && names[0] != k.Name && names[0] != s.Name() {
				continue
			}
			j := kindJSON{Group: s.Name(), Name: k.Name, Doc: k.Doc, Params: []paramJSON{}}
			for _, p := range k.Params {
				j.Params = append(j.Params, paramJSON{p.Key, p.Doc, p.Unit, p.Default, p.Choices})
			}
			list = append(list, j)
		}
	}
	return list
}

func (a *app) schemaCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "schema",
		Short: "Print a JSON Schema of scene files, for completion in editors",
		Long: `Print a JSON Schema (draft 2020-12) of scene files. Editors with a YAML language server,
such as VS Code with the YAML extension, then complete keys and kinds and show their
meaning. Save it, and begin a scene with

  # yaml-language-server: $schema=scene.schema.json`,
		Example: "  curlfree schema > scene.schema.json",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := a.stdout.Write(reference.Schema())
			return fail(exitOutput, err)
		},
	}
}
