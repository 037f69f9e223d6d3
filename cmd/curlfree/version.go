package main

import (
	"runtime"

	"github.com/spf13/cobra"

	"github.com/curlfree/curlfree/supernodal"
)

// versionInfo is the JSON object of version.
type versionInfo struct {
	Version  string `json:"version"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
	Kernel   string `json:"kernel"` // vector instructions of the solver
}

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version, as run.json has it, and what the program was built with",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			v := versionInfo{version(), runtime.Version(), runtime.GOOS + "/" + runtime.GOARCH, supernodal.Kernel()}
			if a.json {
				return a.printJSON(v)
			}
			a.say("curlfree %s, %s, %s, kernel %s", v.Version, v.Go, v.Platform, v.Kernel)
			return nil
		},
	}
}
