package lint

import (
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

// maxCommentColumns is the width of comment lines, a tab counted as four columns.
const maxCommentColumns = 120

// wideComments is the number of comment lines that are wider. It may only fall: lower it where comments are reflowed.
const wideComments = 10

// Lines of comments alone are at most 120 columns wide.
func TestCommentsAreNarrow(t *testing.T) {
	wide, widest := 0, map[string]int{}
	eachFile(t, ".go", func(path string) {
		for line := range strings.Lines(read(t, path)) {
			line = strings.TrimRight(strings.ReplaceAll(line, "\t", "    "), "\n")
			if text := strings.TrimSpace(line); strings.HasPrefix(text, "//") && !strings.HasPrefix(text, "//go:") &&
				utf8.RuneCountInString(line) > maxCommentColumns {
				wide++
				widest[filepath.Dir(path)]++
			}
		}
	})
	if wide > wideComments {
		t.Errorf("%d comment lines have more than %d columns, %d are accepted: break new ones (by folder: %v)", wide, maxCommentColumns, wideComments, widest)
	}
	t.Logf("%d comment lines have more than %d columns", wide, maxCommentColumns)
}
