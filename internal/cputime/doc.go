// Package cputime returns the processor time of the process. Unlike wall-clock time, it does not grow while other
// processes use the processor.
package cputime
