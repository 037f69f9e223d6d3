package study

import (
	"errors"
	"fmt"
	"math"
	"regexp"
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

// Formulas are expressions of github.com/expr-lang/expr over named values, such as
//
//	mu*(time.step + tau)*U0
//	law == "sap" ? 1 : 2
//
// with + − * / % ^, comparisons, and, or, not, in, ?: and the functions below. A dot
// selects a part of a mapping and [i] an element of a list. Arithmetic is that of
// float64 except for integer literals among each other; "/" always divides reals.

// expression is a compiled formula.
type expression struct {
	// source is the text, for messages.
	source string
	// program is what the virtual machine of the language runs.
	program *vm.Program
	// names are the first parts of the names that it uses, each once.
	names []string
}

// Names with dots are resolved step by step in nested mappings. The compiler of the expression
// language accepts any part of a mapping, so that a misspelled one would be nil at run time;
// nameCollector reports it while compiling.

// builtins are the functions of the expression language that formulas can use.
var builtins = []string{"abs", "min", "max", "floor", "ceil", "round"}

// functions are the functions of one number that formulas can use besides builtins.
var functions = map[string]func(float64) float64{
	"sqrt": math.Sqrt, "exp": math.Exp, "log": math.Log, "log10": math.Log10,
	"sin": math.Sin, "cos": math.Cos, "tan": math.Tan, "asin": math.Asin, "acos": math.Acos, "atan": math.Atan,
}

// listIndex is a name, or its last part, with a number after a dot as in paths of scenes: velocity.2.
var listIndex = regexp.MustCompile(`("[^"]*"|'[^']*')|([\pL_$][\pL\pN_$]*(?:\[\d+\])*)\.(\d+)\b`)

// indexed writes the indices of lists that follow a dot as the language has them, velocity[2]. Texts stay.
func indexed(source string) string {
	for {
		// an index may follow an index
		next := listIndex.ReplaceAllStringFunc(source, func(match string) string {
			m := listIndex.FindStringSubmatch(match)
			if m[1] != "" {
				return match
			}
			return m[2] + "[" + m[3] + "]"
		})
		if next == source {
			return source
		}
		source = next
	}
}

// compile compiles a formula. The names in env are those that it may use, with values
// of the types that they will have. A name that env lacks is an error that suggests the
// most similar one.
func compile(source string, env map[string]any, options ...expr.Option) (*expression, error) {
	e := &expression{source: source}
	// the visitor runs while compiling and sees every name of the formula
	found := &nameCollector{env: env}
	options = append(options, expr.Env(env), expr.DisableAllBuiltins(), visitor(found))
	// only functions of numbers are enabled: no texts, dates or closures
	for _, name := range builtins {
		options = append(options, expr.EnableBuiltin(name))
	}
	for name, f := range functions {
		options = append(options, ofOneNumber(name, f))
	}
	var err error
	e.program, err = expr.Compile(indexed(source), options...)
	// an unknown part is a better message than the compiler's about its type
	if found.unknown != nil {
		return nil, fmt.Errorf("%q: %w", source, found.unknown)
	}
	if err != nil {
		return nil, e.explain(err, env)
	}
	e.names = found.names
	return e, nil
}

// Functions get their arguments as values of any type, since a formula may apply them to texts
// of the scene by mistake; the message then names the function.

// ofOneNumber makes a function of one number available to a formula.
func ofOneNumber(name string, f func(float64) float64) expr.Option {
	return expr.Function(name, func(args ...any) (any, error) {
		if len(args) != 1 {
			return nil, fmt.Errorf("%s takes one number", name)
		}
		x, ok := toFloat(args[0])
		if !ok {
			return nil, fmt.Errorf("%s takes a number, not %v", name, args[0])
		}
		return f(x), nil
	})
}

// condition compiles a formula whose value must be true or false.
func condition(source string, env map[string]any) (*expression, error) {
	return compile(source, env, expr.AsBool())
}

// value evaluates the formula with the values in env.
func (e *expression) value(env map[string]any) (any, error) {
	v, err := expr.Run(e.program, env)
	if err != nil {
		return nil, e.explain(err, env)
	}
	return v, nil
}

// number evaluates the formula; a value that is no number is an error.
func (e *expression) number(env map[string]any) (float64, error) {
	v, err := e.value(env)
	if err != nil {
		return 0, err
	}
	x, ok := toFloat(v)
	if !ok {
		return 0, fmt.Errorf("%q is %v, not a number", e.source, v)
	}
	return x, nil
}

// Messages show the formula, since a study has many, and the character at which it fails:
//
//	"2*muu", character 3: unknown name muu: did you mean "mu"?

// explain turns an error of the expression language, which spans several lines, into
// one line with the formula and the character at which it fails.
func (e *expression) explain(err error, env map[string]any) error {
	// errors of the language have a position; others are shown as they are
	var f *file.Error
	if !errors.As(err, &f) {
		return fmt.Errorf("%q: %w", e.source, err)
	}
	msg := f.Message
	// suggest the most similar name
	if name, ok := strings.CutPrefix(msg, "unknown name "); ok {
		msg += kinds.Suggest(name, sortedKeys(env))
	}
	return fmt.Errorf("%q, character %d: %s", e.source, f.Column+1, msg)
}

// sortedKeys lists the keys of a map in alphabetical order.
func sortedKeys[T any](m map[string]T) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// nameCollector visits the syntax tree of a formula. It collects the names that the
// formula uses and checks that the parts selected by dots exist, which the compiler
// does not do for mappings.
type nameCollector struct {
	env     map[string]any
	names   []string // first parts, each once
	unknown error    // the first part that does not exist
}

// visitor is the option to compile that applies a visitor.
func visitor(v ast.Visitor) expr.Option {
	return func(c *conf.Config) { c.Visitors = append(c.Visitors, v) }
}

// Visit implements ast.Visitor. The tree is visited from the leaves up, so that the
// longest chain of parts comes last; the first unknown part is kept.
func (v *nameCollector) Visit(node *ast.Node) {
	switch n := (*node).(type) {
	case *ast.IdentifierNode: // a name, or the first part of one
		if !slices.Contains(v.names, n.Value) {
			v.names = append(v.names, n.Value)
		}
	case *ast.MemberNode: // a.b or a[i]
		v.nameElement(n)
		if parts, ok := nameParts(n); ok && v.unknown == nil {
			v.unknown = checkParts(v.env, parts)
		}
	}
}

// nameElement makes an index of a list of which the values of a case are some elements, by their paths, a name.
func (v *nameCollector) nameElement(n *ast.MemberNode) {
	index, ok := n.Property.(*ast.IntegerNode)
	if !ok {
		return
	}
	parts, ok := nameParts(n.Node)
	var at any = v.env
	for _, p := range parts {
		if m, mapping := at.(map[string]any); mapping {
			at = m[p]
		}
	}
	if m, mapping := at.(map[string]any); ok && mapping {
		if name := strconv.Itoa(index.Value); m[name] != nil {
			n.Property = &ast.StringNode{Value: name}
		}
	}
}

// chain returns the parts of a name such as a.b.c.
func nameParts(n ast.Node) ([]string, bool) {
	switch t := n.(type) {
	case *ast.IdentifierNode:
		return []string{t.Value}, true
	case *ast.MemberNode:
		// the parts before the dot, then the one after it; an index ends the name
		before, ok := nameParts(t.Node)
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
func checkParts(env map[string]any, parts []string) error {
	var at any = env
	for i, p := range parts {
		// only mappings have parts; lists and scalars are left to the compiler
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
func toFloat(v any) (float64, bool) {
	switch x := v.(type) {
	case float64:
		return x, true
	case int:
		return float64(x), true
	}
	return 0, false
}

// written writes the value of a formula as in YAML.
func formatValue(v any) (string, error) {
	switch x := v.(type) {
	case string:
		return x, nil
	case bool:
		return strconv.FormatBool(x), nil
	case []any:
		parts := make([]string, len(x))
		for i := range x {
			var err error
			if parts[i], err = formatValue(x[i]); err != nil {
				return "", err
			}
		}
		return "[" + strings.Join(parts, ", ") + "]", nil
	}
	// numbers are written with the fewest digits that read back as the same number
	x, ok := toFloat(v)
	switch {
	case !ok:
		return "", fmt.Errorf("the value must be a number, a text or a list, not %v", v)
	case math.IsNaN(x) || math.IsInf(x, 0):
		return "", fmt.Errorf("the value is %v", x)
	}
	return strconv.FormatFloat(x, 'g', -1, 64), nil
}
