package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/curlfree/curlfree/check"
	"github.com/curlfree/curlfree/live"
	"github.com/curlfree/curlfree/sim"
	"github.com/curlfree/curlfree/web"
)

// liveFlags are the flags of live.
type liveFlags struct {
	set     []string
	threads int
	port    int
	listen  string
	noToken bool
	open    bool
	paused  bool
	speed   float64
	rate    float64
	log     string
}

func (a *app) liveCommand() *cobra.Command {
	var l liveFlags
	cmd := &cobra.Command{
		Use:   "live SCENE",
		Short: "Run a scene in real time, shown and changed in a browser",
		Long: `Run a scene in real time and show it in a browser: pause, single steps, drag bodies with the
mouse, move live values, steer robots that the scene gives to an operator (docs/live.md). The
address of the page is printed; it has a token, without which nothing is answered. It answers
this machine alone unless --listen names another address.

--inputs-log writes what operators do, which curlfree run --inputs repeats to the same bits.`,
		Example: `  curlfree live examples/finray-peg/live.yaml --open
  curlfree live scene.yaml --speed 0.2 --inputs-log inputs.ndjson`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.live(cmd.Context(), args[0], &l)
		},
	}
	f := cmd.Flags()
	f.StringArrayVar(&l.set, "set", nil, "override a value of the scene, `PATH=VALUE`; may be repeated")
	f.IntVar(&l.threads, "threads", 0, "worker threads; results do not depend on it (default all cores)")
	f.IntVar(&l.port, "port", 0, "port of the page (default one that is free)")
	f.StringVar(&l.listen, "listen", "", "`ADDRESS` of this machine to listen at, such as 0.0.0.0 (default this machine alone)")
	f.BoolVar(&l.noToken, "no-token", false, "answer every program and user of this machine, without a token in the address")
	f.BoolVar(&l.open, "open", false, "open the page in the browser")
	f.BoolVar(&l.paused, "paused", false, "begin paused")
	f.Float64Var(&l.speed, "speed", 1, "simulated seconds in a second; 0 is as fast as possible")
	f.Float64Var(&l.rate, "rate", 0, "frames a second (default 40)")
	f.StringVar(&l.log, "inputs-log", "", "`FILE` that gets the inputs of operators")
	return cmd
}

// live serves a session of a scene until it is interrupted.
func (a *app) live(ctx context.Context, path string, l *liveFlags) error {
	switch {
	case l.threads < 0 || l.threads > sim.MaxThreads:
		return fail(exitUsage, fmt.Errorf("--threads %d: 0 means all cores, and %d is the most", l.threads, sim.MaxThreads))
	case live.CheckSpeed(l.speed) != nil:
		return fail(exitUsage, fmt.Errorf("--speed: %w", live.CheckSpeed(l.speed)))
	case !(l.rate >= 0 && l.rate <= live.MaxFrameRate):
		return fail(exitUsage, fmt.Errorf("--rate %g: it goes from 0, the default, to %d", l.rate, live.MaxFrameRate))
	case l.noToken && l.listen != "" && !web.IsLoopback(l.listen):
		return fail(exitUsage, fmt.Errorf("--no-token with --listen %s: whoever reaches that address could steer the run; leave out one of both", l.listen))
	case l.port < 0 || l.port > 65535:
		return fail(exitUsage, fmt.Errorf("--port %d: ports go from 1 to 65535, and 0 is one that is free", l.port))
	}
	if l.log != "" {
		if err := a.mayWrite(l.log); err != nil {
			return err
		}
	}
	sc, err := loadScene(path, l.set)
	if err != nil {
		return err
	}
	if err := check.EnoughMemory(sc.Model); err != nil {
		return fail(exitInput, fmt.Errorf("%s: %w", path, err))
	}
	a.warn(sc.Warnings)
	// the port comes before the log: a run that cannot be served leaves the inputs of the one that is
	listener, err := listen(l)
	if err != nil {
		return err
	}
	defer listener.Close()
	session, err := live.NewSession(sc, live.Options{Threads: l.threads, Speed: l.speed, FrameRate: l.rate, Paused: l.paused, InputsLog: l.log})
	if err != nil {
		return fail(exitInput, fmt.Errorf("%s: %w", path, err))
	}
	return a.serveLive(ctx, session, listener, l)
}

// listen takes the port.
func listen(l *liveFlags) (net.Listener, error) {
	host := l.listen
	if host == "" {
		host = "127.0.0.1"
	}
	listener, err := net.Listen("tcp", net.JoinHostPort(host, strconv.Itoa(l.port)))
	if err != nil {
		return nil, fail(exitOutput, fmt.Errorf("%w: choose another --port or --listen", err))
	}
	return listener, nil
}

// serveLive prints the address and runs the session until it is interrupted.
func (a *app) serveLive(ctx context.Context, session *live.Session, listener net.Listener, l *liveFlags) error {
	// without a token only names of this machine are answered, whatever address it listens at
	server, err := live.NewServer(session, live.ServerOptions{Open: l.listen != "" && !l.noToken, NoToken: l.noToken})
	if err != nil {
		return fail(exitOutput, err)
	}
	httpServer := web.NewServer(server.Handler())
	served := make(chan error, 1)
	go func() { served <- httpServer.Serve(listener) }()
	address := "http://" + listener.Addr().String() + "/"
	if t := server.Token(); t != "" {
		address += "?token=" + t
	}
	if a.json {
		err = a.printJSON(viewResult{address})
	} else {
		a.say("%s (Ctrl-C ends)", address)
	}
	if l.open {
		openBrowser(address)
	}
	// the session ends first, and viewers with it
	ctx, stop := a.interruptible(ctx)
	defer stop()
	err = errors.Join(err, session.Run(ctx))
	server.Close()
	err = errors.Join(err, httpServer.Close())
	if e := <-served; !errors.Is(e, http.ErrServerClosed) {
		err = errors.Join(err, e)
	}
	return fail(exitOutput, err)
}
