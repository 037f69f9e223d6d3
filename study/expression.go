package study

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/conf"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/vm"

	"github.com/curlfree/curlfree/kinds"
)

// expression is a formula over named values, such as "mu*(time.step + tau)*U0".
// Dots step into values that have parts.
type expression struct {
	source  string
	program *vm.Program
	names   []string // first parts of the names that it uses
}

// functions of formulas, beside the built-in abs, min, max, floor, ceil and round.
var functions = map[string]func(float64) float64{
	"sqrt": math.Sqrt, "exp": math.Exp, "log": math.Log, "log10": math.Log10,
	"sin": math.Sin, "cos": math.Cos, "tan": math.Tan, "asin": math.Asin, "acos": math.Acos, "atan": math.Atan,
}

// compile reads a formula. The names in env are those that it may use, with
// values of the kinds that they will have; an unknown one is an error that names
// the nearest.
func compile(source string, env map[string]any, options ...expr.Option) (*expression, error) {
	e := &expression{source: source}
	found := &namesOf{env: env}
	options = append(options, expr.Env(env), expr.DisableAllBuiltins(), visitor(found))
	for _, name := range []string{"abs", "min", "max", "floor", "ceil", "round"} {
		options = append(options, expr.EnableBuiltin(name))
	}
	for name, f := range functions {
		options = append(options, expr.Function(name, func(args ...any) (any, error) {
			if len(args) != 1 {
				return nil, fmt.Errorf("%s takes one number", name)
			}
			x, ok := float(args[0])
			if !ok {
				return nil, fmt.Errorf("%s takes a number, not %v", name, args[0])
			}
			return f(x), nil
		}))
	}
	var err error
	e.program, err = expr.Compile(source, options...)
	if found.unknown != nil {
		return nil, fmt.Errorf("%q: %w", source, found.unknown)
	}
	if err != nil {
		return nil, e.explain(err, env)
	}
	e.names = found.names
	return e, nil
}

// condition is compile for formulas that are true or false.
func condition(source string, env map[string]any) (*expression, error) {
	return compile(source, env, expr.AsBool())
}

// value evaluates the formula.
func (e *expression) value(env map[string]any) (any, error) {
	v, err := expr.Run(e.program, env)
	if err != nil {
		return nil, e.explain(err, env)
	}
	return v, nil
}

// number evaluates the formula to a number.
func (e *expression) number(env map[string]any) (float64, error) {
	v, err := e.value(env)
	if err != nil {
		return 0, err
	}
	x, ok := float(v)
	if !ok {
		return 0, fmt.Errorf("%q is %v, not a number", e.source, v)
	}
	return x, nil
}

// explain makes one line of a fault.
func (e *expression) explain(err error, env map[string]any) error {
	var f *file.Error
	if !errors.As(err, &f) {
		return fmt.Errorf("%q: %w", e.source, err)
	}
	msg := f.Message
	if name, ok := strings.CutPrefix(msg, "unknown name "); ok {
		msg += kinds.Suggest(name, sortedKeys(env))
	}
	return fmt.Errorf("%q, character %d: %s", e.source, f.Column+1, msg)
}

func sortedKeys[T any](m map[string]T) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// namesOf collects the names of a formula and checks that their parts exist.
type namesOf struct {
	env     map[string]any
	names   []string
	unknown error
}

func visitor(v ast.Visitor) expr.Option {
	return func(c *conf.Config) { c.Visitors = append(c.Visitors, v) }
}

// Visit implements ast.Visitor.
func (v *namesOf) Visit(node *ast.Node) {
	switch n := (*node).(type) {
	case *ast.IdentifierNode:
		if !slices.Contains(v.names, n.Value) {
			v.names = append(v.names, n.Value)
		}
	case *ast.MemberNode:
		if parts, ok := chain(n); ok && v.unknown == nil {
			v.unknown = lookup(v.env, parts)
		}
	}
}

// chain returns the parts of a name such as a.b.c.
func chain(n ast.Node) ([]string, bool) {
	switch t := n.(type) {
	case *ast.IdentifierNode:
		return []string{t.Value}, true
	case *ast.MemberNode:
		before, ok := chain(t.Node)
		part, text := t.Property.(*ast.StringNode)
		if !ok || !text {
			return nil, false
		}
		return append(before, part.Value), true
	}
	return nil, false
}

// lookup reports the first part of a name that does not exist. A first part that
// does not is left to the compiler.
func lookup(env map[string]any, parts []string) error {
	var at any = env
	for i, p := range parts {
		m, ok := at.(map[string]any)
		if !ok {
			return nil
		}
		if at, ok = m[p]; !ok && i > 0 {
			return fmt.Errorf("%s has no %q%s", strings.Join(parts[:i], "."), p, kinds.Suggest(p, sortedKeys(m)))
		}
	}
	return nil
}

// float reads a number of a formula.
func float(v any) (float64, bool) {
	switch x := v.(type) {
	case float64:
		return x, true
	case int:
		return float64(x), true
	}
	return 0, false
}

// written writes the value of a formula as in YAML.
func written(v any) (string, error) {
	switch x := v.(type) {
	case string:
		return x, nil
	case bool:
		return strconv.FormatBool(x), nil
	case []any:
		parts := make([]string, len(x))
		for i := range x {
			var err error
			if parts[i], err = written(x[i]); err != nil {
				return "", err
			}
		}
		return "[" + strings.Join(parts, ", ") + "]", nil
	}
	x, ok := float(v)
	switch {
	case !ok:
		return "", fmt.Errorf("a number, a text or a list is wanted, not %v", v)
	case math.IsNaN(x) || math.IsInf(x, 0):
		return "", fmt.Errorf("the value is %v", x)
	}
	return strconv.FormatFloat(x, 'g', -1, 64), nil
}
