package main

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/record"
)

// exportResult is the JSON object of export.
type exportResult struct {
	Format string   `json:"format"`
	Files  []string `json:"files"`
	Frames int      `json:"frames"`
}

func (a *app) exportCommand() *cobra.Command {
	var out, format string
	var about strings.Builder
	for _, k := range record.Formats.Kinds() {
		fmt.Fprintf(&about, "\n  %-6s %s", k.Name, k.Doc)
	}
	cmd := &cobra.Command{
		Use:   "export RUN --to FORMAT",
		Short: "Write a run in the format of another program",
		Long:  "Write the recording of a run in the format of another program:\n" + about.String(),
		Example: `  curlfree export runs/finray-grasp --to vtk
  curlfree export runs/finray-grasp --to gltf -o web`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error { return a.export(args[0], format, out) },
	}
	f := cmd.Flags()
	f.StringVar(&format, "to", "", "format: "+strings.Join(record.Formats.Names(), ", "))
	f.StringVarP(&out, "output", "o", "", "folder to write into (default RUN/FORMAT)")
	_ = cmd.MarkFlagRequired("to") // fails only for flags that do not exist
	return cmd
}

// exportedFiles lists the files of a folder that have names of a format's files.
func exportedFiles(format, dir string) []string {
	entries, _ := os.ReadDir(dir) // a folder that cannot be read has nothing to replace
	var paths []string
	files := record.Formats.Entry(format).New().Files()
	for _, e := range entries {
		for _, f := range files {
			if ok, _ := path.Match(f.Name, e.Name()); ok {
				paths = append(paths, filepath.Join(dir, e.Name()))
			}
		}
	}
	return paths
}

// export writes the recording of a run folder in a format, into the folder out or, if that
// is empty, into a folder of the format's name in the run folder.
func (a *app) export(run, format, out string) error {
	if !slices.Contains(record.Formats.Names(), format) {
		return fail(exitUsage, fmt.Errorf("--to %s: no such format%s", format, kinds.Suggest(format, record.Formats.Names())))
	}
	if out == "" {
		out = filepath.Join(run, format)
	}
	rec, err := a.openRun(run)
	if err != nil {
		return err
	}
	defer rec.Close()
	if err := a.mayWrite(exportedFiles(format, out)...); err != nil {
		return err
	}
	names, err := record.Export(rec, format, out)
	if err != nil {
		return fail(exitOf(rec, exitOutput), err)
	}
	files := make([]string, len(names))
	for i, n := range names {
		files[i] = filepath.Join(out, n)
		if !a.json {
			a.say("%s", files[i])
		}
	}
	if a.json {
		return a.printJSON(exportResult{format, files, rec.Len()})
	}
	return nil
}
