// Command curlfree simulates soft fingers, hands, gears and the objects that they hold.
//
// Each command is a file: it makes a cobra.Command, whose function reads the flags, calls
// the packages of the simulator and prints the result, as text or as JSON.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/spf13/cobra"

	"github.com/curlfree/curlfree/internal/atomicfile"
	"github.com/curlfree/curlfree/internal/authorship"
	"github.com/curlfree/curlfree/internal/memory"
)

// Exit codes, the same for all commands. Scripts rely on them.
const (
	exitOK          = 0
	exitCheck       = 1   // the result does not meet an expectation
	exitUsage       = 2   // wrong flags or arguments
	exitInput       = 3   // invalid scene, robot, mesh, study or recording
	exitSolver      = 4   // a step failed
	exitOutput      = 5   // results could not be written
	exitInterrupted = 130 // Ctrl-C; other signals have codes of their own, see signals.go
)

// exit is an error with the exit code of the program.
type exit struct {
	code int
	err  error
}

// Error returns the message of the error.
func (e *exit) Error() string { return e.err.Error() }

// Unwrap returns the error without its code.
func (e *exit) Unwrap() error { return e.err }

// fail adds an exit code to an error; nil stays nil.
func fail(code int, err error) error {
	if err == nil {
		return nil
	}
	return &exit{code, err}
}

func main() {
	a := newApp(os.Stdout, os.Stderr)
	if code, ok := a.guard(os.Args[1:]); ok {
		os.Exit(code)
	}
	a.watch()
	memory.Watch(a.lacksMemory)
	code := a.execute(context.Background(), os.Args[1:])
	atomicfile.Discard() // of work that a signal ended, which await left
	os.Exit(code)
}

// newApp returns an app that writes to stdout and stderr.
func newApp(stdout, stderr io.Writer) *app {
	return &app{stdout: &printable{w: stdout}, stderr: &printable{w: stderr}}
}

// execute runs the command line and returns the exit code.
func (a *app) execute(ctx context.Context, args []string) int {
	a.args = args
	root := a.rootCommand()
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return exitOK
	}
	var e *exit
	switch {
	case !errors.As(err, &e):
		// errors of cobra: unknown commands, flags and arguments
		e = &exit{exitUsage, err}
		use, of := "", "curlfree"
		if cmd, _, none := root.Find(args); none == nil && cmd != root {
			use, of = "Usage: "+cmd.UseLine()+"\n", cmd.CommandPath()
		}
		fmt.Fprintf(a.stderr, "curlfree: %v\n%sTry '%s --help'.\n", err, use, of)
	case e.err != errSilent:
		fmt.Fprintf(a.stderr, "curlfree: %v\n", e.err)
	}
	a.printFailure(e)
	return e.code
}

// printFailure prints the JSON object of an error: with --json there is always one object on standard output.
func (a *app) printFailure(e *exit) {
	if asksJSON(a.args) && a.printed.CompareAndSwap(false, true) {
		_ = a.encodeJSON(failure{e.Error(), e.code}) // an error of printing an error is ignored
	}
}

// asksJSON reports whether arguments, which may be wrong otherwise, have --json.
func asksJSON(args []string) bool {
	return slices.ContainsFunc(args, func(arg string) bool {
		yes, err := strconv.ParseBool(strings.TrimPrefix(arg, "--json="))
		return arg == "--json" || err == nil && yes && strings.HasPrefix(arg, "--json=")
	})
}

// failure is the JSON object of a command that failed without a result.
type failure struct {
	Error    string `json:"error"`
	ExitCode int    `json:"exit_code"`
}

// errSilent is the error of a command whose output contains the reason already.
var errSilent = errors.New("")

// app has the settings that all commands share.
type app struct {
	stdout, stderr io.Writer
	json           bool
	force          bool // files that this program did not write may be replaced
	args           []string
	printed        atomic.Bool // the JSON object was printed
	signals        *signals    // nil: the caller of execute ends its context
}

func (a *app) rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "curlfree",
		Short: "Simulate soft fingers, hands, gears and the objects that they hold",
		Long: `curlfree simulates deformable bodies of tetrahedra and articulated rigid bodies in
frictional contact, as one convex problem per time step.

A scene file describes bodies, joints, contact and signals. 'curlfree run' simulates it
into a run folder with tables and a recording; render, plot and export turn these into
pictures, charts and files for other programs.`,
		Version:       version(),
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	root.SetFlagErrorFunc(flagError)
	root.PersistentFlags().BoolVar(&a.json, "json", false, "print the result as one JSON object on standard output, and messages on standard error")
	root.PersistentFlags().BoolVar(&a.force, "force", false, "replace files that curlfree did not write")
	root.AddCommand(a.commands()...)
	completions(root)
	return root
}

// commands returns the commands in the order of the help.
func (a *app) commands() []*cobra.Command {
	return []*cobra.Command{
		a.runCommand(),
		a.liveCommand(),
		a.serveCommand(),
		a.checkCommand(),
		a.meshCommand(),
		a.renderCommand(),
		a.plotCommand(),
		a.mapCommand(),
		a.reportCommand(),
		a.exportCommand(),
		a.viewCommand(),
		a.modesCommand(),
		a.materialCommand(),
		a.gearsCommand(),
		a.kindsCommand(),
		a.schemaCommand(),
		a.studyCommand(),
		a.optimizeCommand(),
		a.gradientCommand(),
		a.benchCommand(),
		a.versionCommand(),
	}
}

// flagError replaces the message for a value of a flag that cannot be parsed by one that
// names the expected type.
func flagError(_ *cobra.Command, err error) error {
	var e *strconv.NumError
	if !errors.As(err, &e) {
		return err
	}
	where, _, _ := strings.Cut(err.Error(), ": "+e.Error())
	expected := "a number"
	switch e.Func {
	case "ParseInt", "ParseUint", "Atoi":
		expected = "a whole number"
	case "ParseBool":
		expected = "true or false"
	}
	return fmt.Errorf("%s: %s is expected", where, expected)
}

// say prints a line of text: on standard output, or on standard error when standard output
// carries JSON.
func (a *app) say(format string, args ...any) {
	w := a.stdout
	if a.json {
		w = a.stderr
	}
	fmt.Fprintf(w, format+"\n", args...)
}

// mayWrite refuses to replace files that this program did not write, unless --force is
// given. Commands ask before they begin their work.
func (a *app) mayWrite(paths ...string) error {
	if a.force {
		return nil
	}
	return fail(exitOutput, authorship.Check(paths...))
}

// printJSON prints the one JSON object of a command.
func (a *app) printJSON(v any) error {
	a.printed.Store(true)
	return a.encodeJSON(v)
}

// encodeJSON prints an object.
func (a *app) encodeJSON(v any) error {
	e := json.NewEncoder(a.stdout)
	e.SetIndent("", "  ")
	return fail(exitOutput, e.Encode(v))
}

// version is the module version, or the commit for a build from a checkout.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	v := info.Main.Version
	if v == "" || v == "(devel)" {
		v = "devel"
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && v == "devel" && len(s.Value) >= 12 {
			v = "devel-" + s.Value[:12]
		}
	}
	return v
}

// renamedFlag keeps the former name of a boolean flag for one version. The function that it
// returns warns when that name was used.
func (a *app) renamedFlag(cmd *cobra.Command, value *bool, old, name string) (warn func()) {
	f := cmd.Flags()
	f.BoolVar(value, old, false, "former name of --"+name)
	_ = f.MarkHidden(old) // fails only for flags that do not exist
	return func() {
		if f.Changed(old) {
			fmt.Fprintf(a.stderr, "warning: --%s is now called --%s\n", old, name)
		}
	}
}
