package scene

// Depth of nesting of YAML. The parser takes memory and stack for each level, some tens of
// kilobytes, so that a short hostile file could take all memory of the machine. Files are
// measured before they are parsed.

import (
	"bytes"
	"fmt"
)

// maxNesting is the deepest nesting that is parsed. Scenes nest less than ten deep.
const maxNesting = 200

// CheckNesting returns an error with file and line for a YAML text that nests deeper than
// any scene or study does: by brackets, or by indicators of sequences and keys on one line.
// Brackets in quotes and comments count as well, since a text cannot be distinguished from
// YAML before it is parsed; those that are closed cancel out.
func CheckNesting(file string, text []byte) error {
	depth := 0
	for i, line := range bytes.Split(text, []byte("\n")) {
		for _, c := range line {
			switch c {
			case '[', '{':
				depth++
			case ']', '}':
				depth = max(0, depth-1)
			}
			if depth > maxNesting {
				return tooDeep(file, i+1)
			}
		}
		// levels of block style are indented by one space or more, seldom by more than four
		if indicators(line) > maxNesting || indentation(line) > 4*maxNesting {
			return tooDeep(file, i+1)
		}
	}
	return nil
}

// tooDeep is the error of CheckNesting.
func tooDeep(file string, line int) error {
	return &Error{File: file, Pos: Pos{line, 1}, Msg: fmt.Sprintf("nested more than %d deep: close brackets, and write fewer levels", maxNesting)}
}

// indicators counts the indicators - and ? that begin a line.
func indicators(line []byte) (n int) {
	for _, c := range line {
		switch c {
		case '-', '?':
			n++
		// spaces stand between indicators
		case ' ', '\t', '\r':
		default:
			return n
		}
	}
	return n
}

// indentation counts the spaces that begin a line with a content.
func indentation(line []byte) int {
	rest := bytes.TrimLeft(line, " ")
	if len(bytes.TrimSpace(rest)) == 0 || rest[0] == '#' {
		return 0
	}
	return len(line) - len(rest)
}
