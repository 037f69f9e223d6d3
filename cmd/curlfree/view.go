package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os/exec"
	"runtime"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/curlfree/curlfree/web"
)

// viewResult is the JSON object of view, which is printed when the page can be opened.
type viewResult struct {
	URL string `json:"url"`
}

func (a *app) viewCommand() *cobra.Command {
	var port int
	var open bool
	cmd := &cobra.Command{
		Use:   "view RUN",
		Short: "Show a run in the browser",
		Long: `Serve the recording of a run as a page for a browser on this machine: bodies with
stresses and pressures in colours, contact forces, signals, a timeline. The address is
printed; Ctrl-C ends the program. Frames are read when the page asks for them. Other
machines and pages of other sites are refused.

'curlfree export RUN --to html' writes the same page as a file.`,
		Example: `  curlfree view runs/finray-grasp --open
  curlfree view runs/finray-grasp --port 8000`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx, stop := a.interruptible(cmd.Context())
			defer stop()
			return a.view(ctx, args[0], port, open)
		},
	}
	f := cmd.Flags()
	f.IntVar(&port, "port", 0, "port of 127.0.0.1 (default a free one)")
	f.BoolVar(&open, "open", false, "open the page in the browser")
	return cmd
}

// view serves a run folder until the context ends.
func (a *app) view(ctx context.Context, run string, port int, open bool) error {
	if port < 0 || port > 65535 {
		return fail(exitUsage, fmt.Errorf("--port %d: from 1 to 65535, or 0 for a free one", port))
	}
	rec, err := a.openRun(run)
	if err != nil {
		return err
	}
	defer rec.Close()
	r, err := web.OpenRun(run, rec)
	if err != nil {
		return fail(exitInput, err)
	}
	handler, err := web.NewView(r)
	if err != nil {
		return fail(exitInput, err)
	}
	return a.serve(ctx, handler, port, open)
}

// serve answers requests at a port of 127.0.0.1 until the context ends.
func (a *app) serve(ctx context.Context, handler http.Handler, port int, open bool) error {
	listener, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if err != nil {
		return fail(exitOutput, fmt.Errorf("%w: choose another --port", err))
	}
	url := "http://" + listener.Addr().String() + "/"
	if a.json {
		err = a.printJSON(viewResult{url})
	} else {
		a.say("%s (Ctrl-C ends)", url)
	}
	if err != nil {
		return err
	}
	if open {
		openBrowser(url)
	}
	server := web.NewServer(handler)
	end := context.AfterFunc(ctx, func() { server.Close() })
	defer end()
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return fail(exitOutput, err)
	}
	return nil
}

// openBrowser asks the system to show a page; where it cannot, the address was printed.
func openBrowser(url string) {
	command := map[string][]string{"darwin": {"open"}, "windows": {"rundll32", "url.dll,FileProtocolHandler"}}[runtime.GOOS]
	if command == nil {
		command = []string{"xdg-open"}
	}
	_ = exec.Command(command[0], append(command[1:], url)...).Start() // an address was printed for those without
}
