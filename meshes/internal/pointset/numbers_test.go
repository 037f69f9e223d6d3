package pointset

import (
	"slices"
	"testing"
)

func TestComposedMapsFollowBoth(t *testing.T) {
	a, b := []int32{4, 2, 7}, []int32{2, 0}
	if got := Compose(a, b); !slices.Equal(got, []int32{7, 4}) {
		t.Errorf("%v", got)
	}
	if !slices.Equal(Compose(nil, b), b) || !slices.Equal(Compose(a, nil), a) || Compose(nil, nil) != nil {
		t.Error("nil is not the identity")
	}
	if IdentityAsNil([]int32{0, 1, 2}, 3) != nil || IdentityAsNil([]int32{0, 1}, 3) == nil || IdentityAsNil([]int32{0, 2, 1}, 3) == nil {
		t.Error("only the identity becomes nil")
	}
}
