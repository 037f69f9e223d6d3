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
	var out, format, maxSize string
	var about strings.Builder
	for _, k := range record.Formats.Kinds() {
		fmt.Fprintf(&about, "\n  %-6s %s", k.Name, k.Doc)
	}
	fmt.Fprintf(&about, "\n  %-6s %s", htmlFormat, "One page for any browser, with all that it needs; bodies, fields, forces and signals over time.")
	cmd := &cobra.Command{
		Use:   "export RUN --to FORMAT",
		Short: "Write a run in the format of another program, or as a page",
		Long: "Write the recording of a run in the format of another program, or as a page:\n" + about.String() + `

A page of more than --max-size gives up detail in this order: fields that are not shown
first, digits of positions, every second frame, every fourth and so on.`,
		Example: `  curlfree export runs/finray-grasp --to vtk
  curlfree export runs/finray-grasp --to gltf -o web
  curlfree export runs/finray-grasp --to html -o grasp.html --max-size 20MB`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if maxSize != "" && format != htmlFormat {
				return fail(exitUsage, fmt.Errorf("--max-size is for --to %s", htmlFormat))
			}
			if out == "" {
				out = filepath.Join(args[0], format)
			}
			if format == htmlFormat {
				return a.exportHTML(args[0], out, maxSize)
			}
			return a.export(args[0], format, out)
		},
	}
	f := cmd.Flags()
	f.StringVar(&format, "to", "", "format: "+strings.Join(exportFormats(), ", "))
	f.StringVarP(&out, "output", "o", "", "folder to write into, or a .html file (default RUN/FORMAT)")
	f.StringVar(&maxSize, "max-size", "", "largest size of a page, such as 20MB")
	_ = cmd.MarkFlagRequired("to") // fails only for flags that do not exist
	return cmd
}

// exportFormats lists what export can write.
func exportFormats() []string { return append(record.Formats.Names(), htmlFormat) }

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

// export writes the recording of a run folder in a format, into the folder out.
func (a *app) export(run, format, out string) error {
	if !slices.Contains(record.Formats.Names(), format) {
		return fail(exitUsage, fmt.Errorf("--to %s: no such format%s", format, kinds.Suggest(format, exportFormats())))
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
