package serve

import (
	"errors"

	"github.com/curlfree/curlfree/run"
	"github.com/curlfree/curlfree/scene"
	"github.com/curlfree/curlfree/sim"
)

// inKind is an error of a kind, by which clients choose the exception.
type inKind struct {
	kind string
	error
}

// Unwrap returns the error.
func (e *inKind) Unwrap() error { return e.error }

// as gives an error a kind; nil stays nil.
func as(kind string, err error) error {
	if err == nil {
		return nil
	}
	return &inKind{kind, err}
}

// describe returns an error as answers have it. usual is its kind where nothing says another one.
func describe(err error, usual string) map[string]any {
	kind := usual
	var k *inKind
	var override *scene.OverrideError
	switch {
	case errors.Is(err, sim.ErrInterrupted), errors.Is(err, run.ErrInterrupted):
		kind = "interrupted"
	case errors.Is(err, sim.ErrNotDifferentiable):
		kind = "not_differentiable"
	case errors.As(err, &override):
		kind = "input"
	case errors.As(err, &k):
		kind = k.kind
	}
	m := map[string]any{"kind": kind, "text": err.Error()}
	if faults := faultsOf(err); len(faults) > 0 {
		m["faults"] = faults
	}
	return m
}

// faultsOf returns the faults of files among joined errors, with their places.
func faultsOf(err error) (list []any) {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		for _, e := range joined.Unwrap() {
			list = append(list, faultsOf(e)...)
		}
		return list
	}
	if fault, ok := err.(*scene.Error); ok {
		return []any{map[string]any{"file": fault.File, "line": fault.Line, "column": fault.Col, "text": fault.Msg}}
	}
	if wrapped := errors.Unwrap(err); wrapped != nil {
		return faultsOf(wrapped)
	}
	return nil
}
