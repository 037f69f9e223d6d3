package lint

import (
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

var (
	recordDate  = regexp.MustCompile(`^20\d\d-\d\d-\d\d$`)
	recordField = regexp.MustCompile(`^- \*\*(Context|Choice|Consequence|Not taken|Figures)\*\*: `)
	indexEntry  = regexp.MustCompile(`^- \[(.+)\]\(#[^)]+\): \S`)
	release     = regexp.MustCompile(`^(Unreleased|\d+\.\d+ · 20\d\d-\d\d-\d\d)$`)
)

// Records of docs/decisions.md have a date, Context, Choice and Consequence in 4 to 12 lines of at most 120 columns,
// and the index has each of them, once.
func TestDecisionsAreShortRecords(t *testing.T) {
	index, records, _ := strings.Cut(read(t, "../../docs/decisions.md"), "\n### ")
	listed := map[string]int{}
	for line := range strings.Lines(index) {
		if m := indexEntry.FindStringSubmatch(line); m != nil {
			listed[m[1]]++
		}
	}
	for _, record := range strings.Split(records, "\n### ") {
		record, _, _ = strings.Cut(record, "\n## ")
		title, body, _ := strings.Cut(record, "\n")
		if listed[title] != 1 {
			t.Errorf("decisions: the index has %d entries for the record %q: write one", listed[title], title)
		}
		delete(listed, title)
		for _, fault := range faultsOfRecord(body) {
			t.Errorf("decisions: record %q: %s", title, fault)
		}
	}
	for title := range listed {
		t.Errorf("decisions: the index lists %q, which is no record", title)
	}
}

// faultsOfRecord returns what a record lacks or has too much of.
func faultsOfRecord(body string) (faults []string) {
	found := map[string]bool{}
	lines, dated := 0, false
	for line := range strings.Lines(body) {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		lines++
		if recordDate.MatchString(line) {
			dated = true
		}
		if m := recordField.FindStringSubmatch(line); m != nil {
			found[m[1]] = true
		}
		if utf8.RuneCountInString(line) > 120 {
			faults = append(faults, "a line has more than 120 columns: "+line)
		}
	}
	if !dated {
		faults = append(faults, "no line with its date (2026-11-30)")
	}
	if lines < 4 || lines > 12 {
		faults = append(faults, "it has not 4 to 12 lines: shorten it, or divide it")
	}
	for _, name := range []string{"Context", "Choice", "Consequence"} {
		if !found[name] {
			faults = append(faults, "no line \"- **"+name+"**: …\"")
		}
	}
	return faults
}

// Releases of CHANGELOG.md have a version and a date and at most 30 lines, one line an entry.
func TestReleasesAreShort(t *testing.T) {
	_, releases, _ := strings.Cut(read(t, "../../CHANGELOG.md"), "\n## ")
	for _, text := range strings.Split(releases, "\n## ") {
		title, body, _ := strings.Cut(text, "\n")
		if !release.MatchString(title) {
			t.Errorf("CHANGELOG: %q is no heading of a release: write Unreleased, or 0.11 · 2026-12-01", title)
		}
		lines := 0
		for line := range strings.Lines(body) {
			line = strings.TrimSpace(line)
			if line == "" {
				continue
			}
			lines++
			if !strings.HasPrefix(line, "- ") {
				t.Errorf("CHANGELOG %s: an entry is one line that begins with \"- \": %s", title, line)
			}
			if n := utf8.RuneCountInString(line); n > 320 {
				t.Errorf("CHANGELOG %s: an entry has %d of 320 characters: move reasons and figures to docs/decisions.md: %.60s…", title, n, line)
			}
		}
		if lines > 30 {
			t.Errorf("CHANGELOG %s: %d lines of 30: make a release of it, or join entries", title, lines)
		}
	}
}
