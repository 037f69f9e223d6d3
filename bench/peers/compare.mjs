// compare prints medians over the rounds of run.sh, and ratios: how many times the peer takes what
// curlfree takes.
//
//	node compare.mjs OURS.json THEIRS.json
import {readFileSync} from 'node:fs';

const lines = (file) => readFileSync(file, 'utf8').trim().split('\n').map((l) => JSON.parse(l));
const median = (x) => {
  const s = [...x].sort((a, b) => a - b);
  const m = s.length >> 1;
  return s.length % 2 ? s[m] : (s[m - 1] + s[m]) / 2;
};
const over = (results, of) => median(results.map(of));
const short = (x) => (x === 0 ? '0' : x >= 100 ? x.toFixed(0) : Number(x.toPrecision(3)).toString());

// table prints rows with aligned columns.
function table(title, head, rows) {
  const all = [head, ...rows.map((r) => r.map(String))];
  const width = head.map((_, k) => Math.max(...all.map((r) => r[k].length)));
  console.log(`\n${title}`);
  for (const r of all) console.log(r.map((c, k) => (k < 2 ? c.padEnd(width[k]) : c.padStart(width[k]))).join('  '));
}

// group sorts a list into lists by a key.
function group(list, by) {
  const m = new Map();
  for (const x of list) m.set(by(x), [...(m.get(by(x)) ?? []), x]);
  return m;
}

const all = lines(process.argv[2]);
const ours = group(all, (r) => r.scene);
const theirs = lines(process.argv[3]);
const anyone = all[0];
console.log(`${anyone.machine.cpu}, ${anyone.threads} threads, kernel ${anyone.kernel}; largest noise of a round ${Math.round(100 * Math.max(...all.map((r) => r.noise)))} %`);

// clock is processor time for one thread, which other work of the machine does not add to; several are
// measured by the clock.
const clock = (r, cpu, wall) => (r.threads === 1 && cpu > 0 ? cpu : wall);

const factors = [];
for (const [scene, mine] of ours) {
  const peers = group(theirs.filter((t) => t.matrix === scene), (t) => `${t.solver} ${t.ordering}`);
  if (peers.size === 0) continue;
  const f = {ms: over(mine, (r) => clock(r, r.factor.cpu_ms, r.factor.ms)), analyze: over(mine, (r) => r.factor.analyze_ms), solve: over(mine, (r) => r.factor.solve_ms)};
  factors.push([scene, 'curlfree', mine[0].factor.size, short(f.analyze), short(f.ms), mine[0].contacts.mean > 0 ? short(over(mine, (r) => r.factor.refactor_ms)) : '', short(f.solve), '1', '1',
    mine[0].factor.residual.toExponential(0)]);
  for (const [name, t] of peers) {
    const ms = over(t, (r) => clock(mine[0], r.factor_cpu_ms, r.factor_ms)), solve = over(t, (r) => r.solve_ms);
    factors.push(['', name, '', short(over(t, (r) => r.analyze_ms)), short(ms), '', short(solve), short(ms / f.ms), short(solve / f.solve), t[0].residual.toExponential(0)]);
  }
}
table('Factorization of the Newton matrix, ms', ['matrix', 'by', 'size', 'analyze', 'factor', 'again', 'solve', 'ratio', 'solve ratio', 'residual'], factors);

const steps = [];
for (const [scene, mine] of ours) {
  const t = theirs.filter((r) => r.scene === scene);
  if (t.length === 0) continue;
  const ms = over(mine, (r) => clock(r, r.cpu_ms, r.step_ms.mean)), peer = over(t, (r) => clock(mine[0], r.cpu_ms, r.mean_ms));
  steps.push([scene, 'curlfree', mine[0].dofs, short(ms), short(over(mine, (r) => r.step_ms.median)), short(over(mine, (r) => r.step_ms.p95)),
    short(mine[0].newton_iterations.mean), short(mine[0].contacts.mean), '1']);
  steps.push(['', 'MuJoCo (WASM)', t[0].dofs, short(peer), short(over(t, (r) => r.median_ms)), short(over(t, (r) => r.p95_ms)),
    short(t[0].newton), short(t[0].contacts), short(peer / ms)]);
}
table('A step, ms', ['scene', 'by', 'dofs', 'mean', 'median', 'p95', 'Newton', 'contacts', 'ratio'], steps);
