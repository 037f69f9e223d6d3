// Columns of numbers over time.

import { floatsOf } from './decode.js'

// unpackSignals turns columns from base64 into arrays of numbers, NaN into gaps.
export function unpackSignals(s) {
  const list = x => Array.from(floatsOf(x), v => (Number.isFinite(v) ? v : null))
  return { columns: s.columns, time: list(s.time), values: s.values.map(list) }
}

// groupsOf gathers the numbers of columns that share a unit: each group is a chart.
export function groupsOf(columns) {
  const groups = new Map()
  columns.forEach((c, i) => {
    if (!groups.has(c.unit)) groups.set(c.unit, [])
    groups.get(c.unit).push(i)
  })
  return [...groups].map(([unit, members]) => ({ unit, members }))
}

// prefixes of SI units that are in use for what pages show
const prefixes = [[1e9, 'G'], [1e6, 'M'], [1e3, 'k'], [1, ''], [1e-3, 'm'], [1e-6, 'µ'], [1e-9, 'n']]

// scaleOf chooses a prefix for values up to top: a value in SI is factor times the number
// shown with the unit.
export function scaleOf(top, unit) {
  if (unit === 'm²' && top > 0 && top < 0.01) return { factor: 1e-6, unit: 'mm²' }
  if (!unit || !/^(m|Pa|N|J|W|m\/s|N m|s|rad|rad\/s|N s)$/.test(unit) || !(top > 0)) return { factor: 1, unit: unit || '' }
  for (const [factor, prefix] of prefixes) {
    if (unit === 'm' && factor > 1) continue
    if (top >= factor * 0.999) return { factor, unit: prefix + unit }
  }
  return { factor: 1, unit }
}

// roundUp returns the next number of few round forms.
export function roundUp(x) {
  if (!(x > 0) || !Number.isFinite(x)) return 1
  const p = 10 ** Math.floor(Math.log10(x))
  for (const m of [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8]) if (x <= m * p * (1 + 1e-9)) return m * p
  return 10 * p
}

// power writes 1.500e+6 as 1.5×10⁶
const power = text => {
  const [m, e] = text.split('e')
  return `${Number(m)}×10${raised(String(Number(e)))}`
}
const raised = s => s.replace(/[-0-9]/g, c => '⁻⁰¹²³⁴⁵⁶⁷⁸⁹'['-0123456789'.indexOf(c)])

// shown writes a number with few digits, very large and small ones with a power of ten: 4.2×10⁻¹⁶.
export function shown(x, digits = 4) {
  if (x === null || x === undefined || !Number.isFinite(x)) return '–'
  if (x === 0) return '0'
  const a = Math.abs(x)
  const text = a >= 1e5 || a < 1e-4 ? power(x.toExponential(digits - 1)) : String(Number(x.toPrecision(digits)))
  return text.replaceAll('-', '−')
}
