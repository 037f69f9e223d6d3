package study

import "testing"

// Formulas take indices of lists as paths of scenes do, and as the language does.
func TestFormulasTakeIndicesOfLists(t *testing.T) {
	env := map[string]any{"bodies": map[string]any{"ball": map[string]any{"velocity": []any{0.0, 0.0, -2.0}, "table": []any{[]any{1.0, 2.0}, []any{3.0, 4.0}}}}, "some": map[string]any{"list": map[string]any{"2": 7.0}}, "x1": 5.0, "law": "a.1"}
	for source, want := range map[string]float64{
		"3/bodies.ball.velocity.2":                         -1.5,
		"3/bodies.ball.velocity[2]":                        -1.5,
		"bodies.ball.table.1.0 + bodies.ball.table[0].1":   5,
		"some.list.2 + some.list[2]":                       14,
		"x1*.5 + 1.5":                                      4,
		`law == "a.1" ? 1 : 2`:                             1,
		"2.5*bodies.ball.velocity.2-bodies.ball.table.0.1": -7,
	} {
		e, err := compile(source, env)
		if err != nil {
			t.Errorf("%s: %v", source, err)
			continue
		}
		if got, err := e.number(env); err != nil || got != want {
			t.Errorf("%s = %g (%v), want %g", source, got, err, want)
		}
	}
}
