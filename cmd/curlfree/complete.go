package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	benchmarks "github.com/curlfree/curlfree/bench"
	"github.com/curlfree/curlfree/record"
	"github.com/curlfree/curlfree/reference"
	"github.com/curlfree/curlfree/render"
	"github.com/curlfree/curlfree/scene/robot"
	"github.com/curlfree/curlfree/study"
)

// Completion in shells (curlfree completion --help). Files and folders are completed by the shell;
// what only this program has is completed here: columns of a run, fields, formats, kinds, scenes
// of bench. An unreadable run has no columns, and completion then offers nothing.

// completions adds the completion of arguments and flags to the commands below root.
func completions(root *cobra.Command) {
	find := func(path ...string) *cobra.Command {
		cmd, _, err := root.Find(path)
		if err != nil {
			panic(err) // a command that was renamed
		}
		return cmd
	}
	scenes := files("yaml", "yml")
	find("run").ValidArgsFunction, find("study").ValidArgsFunction = scenes, scenes
	find("study", "plan").ValidArgsFunction = scenes
	for _, name := range []string{"exec", "status", "collect", "submit"} {
		find("study", name).ValidArgsFunction = folders
	}
	setFlag(find("study", "submit"), "engine", words(study.Engines))
	find("check").ValidArgsFunction = files(append([]string{"yaml", "yml"}, trimDots(robot.Extensions())...)...)
	for _, name := range []string{"render", "export", "view"} {
		find(name).ValidArgsFunction = folders
	}
	find("kinds").ValidArgsFunction = words(reference.Names)
	find("bench").ValidArgsFunction = words(func() (names []string) {
		for _, s := range benchmarks.Scenes() {
			names = append(names, s.Name)
		}
		return names
	})
	plot := find("plot")
	plot.ValidArgsFunction = func(cmd *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
		if len(args) == 0 {
			return nil, cobra.ShellCompDirectiveFilterDirs
		}
		return begins(columnsOf(cmd, args), begun, args[1:]), cobra.ShellCompDirectiveNoFileComp
	}
	setFlag(plot, "x", completeColumn)
	setFlag(plot, "panel", completeColumn)
	setFlag(plot, "legend", words(func() []string { return render.Legends }))
	setFlag(find("render"), "field", words(render.FieldNames))
	setFlag(find("export"), "to", words(exportFormats))
}

// completion is the function that completes a word that was begun.
type completion = func(cmd *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective)

// setFlag completes a flag.
func setFlag(cmd *cobra.Command, flag string, f completion) {
	if err := cmd.RegisterFlagCompletionFunc(flag, f); err != nil {
		panic(err) // a flag that was renamed
	}
}

// files completes files with one of the extensions, given without their dots.
func files(extensions ...string) completion {
	return func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return extensions, cobra.ShellCompDirectiveFilterFileExt
	}
}

// folders completes folders.
func folders(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveFilterDirs
}

// words completes one of some names, which are not repeated.
func words(names func() []string) completion {
	return func(_ *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
		return begins(names(), begun, args), cobra.ShellCompDirectiveNoFileComp
	}
}

// completeColumn completes the last of some columns, separated by commas.
func completeColumn(cmd *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
	before := begun[:strings.LastIndexByte(begun, ',')+1]
	names := begins(columnsOf(cmd, args), begun[len(before):], strings.Split(before, ","))
	for i := range names {
		names[i] = before + names[i]
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

// columnsOf returns the columns of the table that plot draws of the run folder among its arguments.
func columnsOf(cmd *cobra.Command, args []string) []string {
	table := record.SignalsFile
	if steps, _ := cmd.Flags().GetBool("steps"); steps {
		table = record.StepsFile
	}
	if len(args) == 0 {
		return nil
	}
	names, _ := record.ReadHeader(args[0], table) // no folder, no columns
	return names
}

// begins returns the names that begin as a word does, without those given already.
func begins(names []string, begun string, given []string) (out []string) {
	for _, n := range names {
		if strings.HasPrefix(n, begun) && !slices.Contains(given, n) {
			out = append(out, n)
		}
	}
	return out
}

// trimDots returns extensions without their dots.
func trimDots(extensions []string) []string {
	out := make([]string, len(extensions))
	for i, e := range extensions {
		out[i] = strings.TrimPrefix(e, ".")
	}
	return out
}
