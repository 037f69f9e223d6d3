package meshes_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/meshes"
)

func TestFindingsCountFilterAndPrint(t *testing.T) {
	var f meshes.Findings
	if f.Err() != nil || f.String() != "" || f.Count("x") != 0 || f.Warnings() != nil {
		t.Error("an empty list finds something")
	}
	f.Addf(meshes.Note, "weld", 3, "%d vertices welded", 3)
	f.Addf(meshes.Warning, "hole", 2, "two holes")
	f.Addf(meshes.Error, "flat", 1, "a flat tet")
	var more meshes.Findings
	more.Addf(meshes.Error, "flat", 4, "more of them")
	f.Append(more)
	if f.Count("flat") != 5 || f.Count("weld") != 3 || len(f.Warnings()) != 3 || f.Warnings()[0].String() != "two holes" {
		t.Errorf("%+v", f)
	}
	if err := f.Err(); err == nil || err.Error() != "meshes: a flat tet; more of them" {
		t.Errorf("%v", err)
	}
	if want := "note: 3 vertices welded\nwarning: two holes\nerror: a flat tet\nerror: more of them\n"; f.String() != want {
		t.Errorf("%q", f.String())
	}
	data, err := json.Marshal(f)
	if err != nil || !strings.HasPrefix(string(data), `{"findings":[{"severity":"note","kind":"weld","count":3,"text":"3 vertices welded"},`) {
		t.Errorf("%s, %v", data, err)
	}
}
