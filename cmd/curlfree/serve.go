package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"sync"

	"github.com/spf13/cobra"

	"github.com/curlfree/curlfree/serve"
)

// serveFlags are the flags of serve.
type serveFlags struct{ socket string }

func (a *app) serveCommand() *cobra.Command {
	var f serveFlags
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Step scenes for a program in another language",
		Long: `Answer requests of another program, which loads scenes, steps them and reads and changes their states:
MessagePack frames on standard input and output, or on a Unix socket, as docs/protocol.md describes. The
Python package curlfree starts it by itself. It ends when its standard input ends.

--socket listens for any number of clients, each with scenes of its own, until a signal ends it. Whoever can
open the socket can read and write files as this user: its permissions are those of its owner alone.`,
		Example: "  curlfree serve --socket /run/user/1000/curlfree.sock",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if f.socket != "" {
				return a.serveSocket(cmd.Context(), f.socket)
			}
			return a.servePipes(cmd.Context(), os.Stdin)
		},
	}
	cmd.Flags().StringVar(&f.socket, "socket", "", "`PATH` of a Unix socket to listen at, in place of standard input and output")
	return cmd
}

// servePipes serves one client on standard input and output.
func (a *app) servePipes(ctx context.Context, in *os.File) error {
	if _, ok := terminal(in); ok {
		return fail(exitUsage, errors.New("serve talks to programs, not to people: the Python package curlfree starts it (docs/python.md), and --socket listens for clients"))
	}
	// results are frames: nothing else may be printed there
	out := a.stdout
	if p, ok := out.(*printable); ok {
		out = p.w
	}
	return fail(exitInput, serve.Serve(ctx, in, out, serve.Options{Version: version()}))
}

// serveSocket serves clients at a Unix socket until it is interrupted.
func (a *app) serveSocket(ctx context.Context, path string) error {
	ctx, stop := a.interruptible(ctx)
	defer stop()
	listener, err := listenUnix(path)
	if err != nil {
		return fail(exitOutput, err)
	}
	go func() {
		<-ctx.Done()
		_ = listener.Close() // which removes the socket
	}()
	var clients sync.WaitGroup
	for {
		conn, err := listener.Accept()
		if err != nil {
			clients.Wait()
			if ctx.Err() != nil {
				return nil
			}
			return fail(exitOutput, err)
		}
		clients.Go(func() {
			defer conn.Close()
			if err := serve.Serve(ctx, conn, conn, serve.Options{Version: version()}); err != nil && !errors.Is(err, io.EOF) && ctx.Err() == nil {
				fmt.Fprintf(a.stderr, "curlfree: a client: %v\n", err)
			}
		})
	}
}

// listenUnix listens at a socket that only its owner can open. One that a server left behind, which was killed, is
// replaced.
func listenUnix(path string) (net.Listener, error) {
	if st, err := os.Lstat(path); err == nil {
		if st.Mode()&os.ModeSocket == 0 {
			return nil, fmt.Errorf("%s is there already, and is no socket: give another path", path)
		}
		if conn, err := net.Dial("unix", path); err == nil {
			_ = conn.Close()
			return nil, fmt.Errorf("%s: another server listens there: give another path", path)
		}
		if err := os.Remove(path); err != nil {
			return nil, err
		}
	}
	listener, err := net.Listen("unix", path)
	if err != nil {
		return nil, err
	}
	if err := os.Chmod(path, 0o600); err != nil {
		_ = listener.Close()
		return nil, err
	}
	return listener, nil
}
