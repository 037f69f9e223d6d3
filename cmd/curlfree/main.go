// Command curlfree simulates soft fingers, hands, gears and what they hold.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
)

// Exit codes.
const (
	exitOK          = 0
	exitCheck       = 1   // a check failed
	exitUsage       = 2   // wrong flags or arguments
	exitInput       = 3   // invalid scene, robot or mesh
	exitSolver      = 4   // a step failed
	exitOutput      = 5   // results could not be written
	exitInterrupted = 130 // Ctrl-C
)

// exit is an error with the code that the program ends with.
type exit struct {
	code int
	err  error
}

func (e *exit) Error() string { return e.err.Error() }
func (e *exit) Unwrap() error { return e.err }

// fail marks an error with an exit code; nil stays nil.
func fail(code int, err error) error {
	if err == nil {
		return nil
	}
	return &exit{code, err}
}

func main() {
	os.Exit(execute(context.Background(), os.Args[1:], os.Stdout, os.Stderr))
}

// execute runs the command line and returns the exit code.
func execute(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	a := &app{stdout: stdout, stderr: stderr}
	root := a.rootCommand()
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return exitOK
	}
	var e *exit
	switch {
	case !errors.As(err, &e):
		// what cobra itself refuses: unknown commands, flags and arguments
		e = &exit{exitUsage, err}
		fmt.Fprintf(stderr, "curlfree: %v\nTry 'curlfree --help'.\n", err)
	case e.err != errSilent:
		fmt.Fprintf(stderr, "curlfree: %v\n", e.err)
	}
	if (a.json || slices.Contains(args, "--json")) && !a.printed {
		_ = a.printJSON(failure{e.Error(), e.code}) // nothing is left to do if this fails
	}
	return e.code
}

// failure is the JSON object of a command that has no results.
type failure struct {
	Error    string `json:"error"`
	ExitCode int    `json:"exit_code"`
}

// interruptible returns a context that the first Ctrl-C ends, for commands that
// then save what is done; the second ends the program. Other commands end at
// once.
func interruptible(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	return ctx, stop
}

// errSilent ends a command whose output has said all there is to say.
var errSilent = errors.New("")

// app holds what all commands share.
type app struct {
	stdout, stderr io.Writer
	json           bool
	printed        bool // the JSON object is out
}

func (a *app) rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "curlfree",
		Short: "Simulate soft fingers, hands, gears and what they hold",
		Long: `curlfree simulates deformable bodies of tetrahedra and articulated rigid bodies in
frictional contact, as one convex problem per time step.

A scene file says what there is; 'curlfree run' simulates it into a run folder of
numbers and a recording, from which render, plot and export make pictures, charts
and files for other programs.`,
		Version:       version(),
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	root.SetFlagErrorFunc(flagError)
	root.PersistentFlags().BoolVar(&a.json, "json", false, "print one JSON object on standard output, all else on standard error")
	root.AddCommand(a.runCommand(), a.checkCommand(), a.meshCommand(), a.renderCommand(), a.plotCommand(), a.exportCommand(), a.studyCommand(), a.benchCommand())
	return root
}

// flagError says of a flag's value that cannot be read what is wanted instead.
func flagError(_ *cobra.Command, err error) error {
	var e *strconv.NumError
	if !errors.As(err, &e) {
		return err
	}
	where, _, _ := strings.Cut(err.Error(), ": "+e.Error())
	wanted := "a number"
	switch e.Func {
	case "ParseInt", "ParseUint", "Atoi":
		wanted = "a whole number"
	case "ParseBool":
		wanted = "true or false"
	}
	return fmt.Errorf("%s: %s is wanted", where, wanted)
}

// say prints to people: on stdout, or on stderr when stdout carries JSON.
func (a *app) say(format string, args ...any) {
	w := a.stdout
	if a.json {
		w = a.stderr
	}
	fmt.Fprintf(w, format+"\n", args...)
}

// printJSON prints the one JSON object of a command.
func (a *app) printJSON(v any) error {
	a.printed = true
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
