package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"testing"
	"time"
)

// A view prints where it listens, answers there with the page and the frames of the run,
// and ends with its context.
func TestViewsServeARunUntilInterrupted(t *testing.T) {
	dir := fallingBox(t)
	where, end := served(t, "view", dir, "--json")
	for path, want := range map[string]string{"": "<!doctype html>", "run.json": `{"chunk":32,"times":[0,`, "frames/0": ""} {
		answer, err := http.Get(where.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(answer.Body)
		answer.Body.Close()
		if err != nil || answer.StatusCode != http.StatusOK || !bytes.HasPrefix(body, []byte(want)) || len(body) == 0 {
			t.Errorf("%s: %s, %.40s, %v", path, answer.Status, body, err)
		}
	}
	end()
}

// served runs a command that prints where it serves pages, as JSON. It returns that, and ends the command, which
// must succeed within ten seconds.
func served(t *testing.T, args ...string) (where viewResult, end func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	reader, stdout := io.Pipe()
	var stderr bytes.Buffer
	ended := make(chan int, 1)
	go func() {
		ended <- newApp(stdout, &stderr).execute(ctx, args)
		stdout.Close()
	}()
	if err := json.NewDecoder(bufio.NewReader(reader)).Decode(&where); err != nil {
		t.Fatalf("%v: %s", err, &stderr)
	}
	go io.Copy(io.Discard, reader)
	return where, func() {
		t.Helper()
		cancel()
		select {
		case code := <-ended:
			if code != exitOK {
				t.Errorf("code %d: %s", code, &stderr)
			}
		case <-time.After(10 * time.Second):
			t.Fatal("the server did not end")
		}
	}
}
