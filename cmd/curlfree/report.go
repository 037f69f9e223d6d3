package main

import (
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/curlfree/curlfree/internal/atomicfile"
	"github.com/curlfree/curlfree/report"
	"github.com/curlfree/curlfree/study"
)

// reportResult is the JSON object of report.
type reportResult struct {
	Files   []string `json:"files"`
	Kind    string   `json:"kind"` // run or study
	Verdict string   `json:"verdict"`
}

func (a *app) reportCommand() *cobra.Command {
	var out string
	var pdf bool
	cmd := &cobra.Command{
		Use:   "report RUN|STUDY",
		Short: "Write one file that says what a run or a study was",
		Long: `Write one HTML file, without any other file, that tells what a run was: pictures, materials and meshes,
checks with their verdicts, charts of all signals, pressure on faces of deformables, health of the solver, and
time. For a study it has the table of cases, the charts, a map over two values that vary, and the cases at the ends.

With --pdf, or -o FILE.pdf, the same is written as PDF; no browser is needed.`,
		Example: `  curlfree report runs/finray-grasp
  curlfree report runs/finray-grasp --pdf
  curlfree report runs/belt-study -o belt.html`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error { return a.writeReport(args[0], out, pdf) },
	}
	f := cmd.Flags()
	f.StringVarP(&out, "output", "o", "", "file to write, .html or .pdf (default RUN/report.html)")
	f.BoolVar(&pdf, "pdf", false, "write a PDF too, beside the page")
	return cmd
}

// writeReport writes the report of a run or study folder.
func (a *app) writeReport(dir, out string, pdf bool) error {
	if out == "" {
		out = filepath.Join(dir, "report.html")
	}
	paths := []string{out}
	if ext := filepath.Ext(out); pdf && !strings.EqualFold(ext, ".pdf") {
		paths = append(paths, strings.TrimSuffix(out, ext)+".pdf")
	}
	if err := a.mayWrite(paths...); err != nil {
		return err
	}
	document := report.Run
	if _, ok := study.FileOf(dir); ok {
		document = report.Study
	}
	d, err := document(dir)
	if err != nil {
		return fail(exitInput, err)
	}
	for _, path := range paths {
		write := d.WriteHTML
		if strings.EqualFold(filepath.Ext(path), ".pdf") {
			write = d.WritePDF
		}
		if err := atomicfile.Write(path, func(w io.Writer) error { return write(w) }); err != nil {
			return fail(exitOutput, err)
		}
	}
	if a.json {
		return a.printJSON(reportResult{paths, d.Kind, d.Verdict})
	}
	a.say("%s: %s", d.Title, d.Verdict)
	for _, path := range paths {
		a.say("%s", path)
	}
	return nil
}
