// mujoco steps MuJoCo on the scenes of the same names and times it as `curlfree bench` does:
// once to warm up, then REPEAT times from the start, every step with the quickest of its repeats.
// One line of JSON for each scene:
//
//	node mujoco.mjs REPEAT FOLDER-OF-SCENES
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import loadMujoco from '@mujoco/mujoco';

const repeat = Math.max(1, Number(process.argv[2] ?? 3));
const folder = process.argv[3];

const numbers = (...x) => x.join(' ');

// rows reads a table of comma-separated values as objects.
function rows(file) {
  const [head, ...lines] = readFileSync(file, 'utf8').trim().split('\n').map((l) => l.trim().split(','));
  return lines.map((cells) => Object.fromEntries(head.map((name, i) => [name, cells[i]])));
}

// clutter: contacts as stiff as the time step allows, friction as in the scene, elliptic cones.
function clutter() {
  const objects = rows(join(folder, 'clutter', 'objects.csv')).map((o) => {
    const shape = o.shape === 'box' ? 'type="box" size="0.05 0.05 0.05"' : 'type="sphere" size="0.05"';
    return `<body pos="${numbers(o.x, o.y, o.z)}" quat="${numbers(o.qw, o.qx, o.qy, o.qz)}"><freejoint/><geom ${shape} mass="${o.mass}"/></body>`;
  });
  const walls = [[0, 0, -0.1, 0.42, 0.42, 0.1], [0.4, 0, 0.4, 0.02, 0.42, 0.4], [-0.4, 0, 0.4, 0.02, 0.42, 0.4],
    [0, 0.4, 0.4, 0.42, 0.02, 0.4], [0, -0.4, 0.4, 0.42, 0.02, 0.4]]
    .map((w) => `<geom type="box" pos="${numbers(...w.slice(0, 3))}" size="${numbers(...w.slice(3))}"/>`);
  return `<mujoco>
    <option timestep="0.002" cone="elliptic" solver="Newton" integrator="Euler"/>
    <default><geom friction="1 0 0" condim="3" solref="0.004 1"/></default>
    <worldbody>${walls.join('')}${objects.join('')}</worldbody>
  </mujoco>`;
}

// arm: the tree of the scenes tree-panda-like-7 and, with motors, rollout-panda; poses from parent to child.
function arm(motors) {
  const links = [
    // mass, centre of mass, moments of inertia, position, turn about x, joint position
    [3.2, [0, -0.02, -0.05], [0.021, 0.019, 0.006], [0, 0, 0.333], 0, 0.3],
    [3.1, [0, -0.07, 0.03], [0.022, 0.006, 0.021], [0, 0, 0], -90, -0.6],
    [2.7, [0.04, 0.03, -0.06], [0.018, 0.016, 0.007], [0, -0.316, 0], 90, 0.2],
    [2.6, [-0.05, 0.06, 0.03], [0.017, 0.007, 0.016], [0.0825, 0, 0], 90, -1.8],
    [3.0, [0, 0.04, -0.11], [0.027, 0.024, 0.006], [-0.0825, 0.384, 0], -90, 0.1],
    [1.3, [0.05, 0.01, 0.01], [0.003, 0.005, 0.006], [0, 0, 0], 90, 1.5],
    [0.9, [0.01, 0.01, 0.08], [0.003, 0.003, 0.002], [0.088, 0, 0], 90, 0.4],
  ];
  const body = (i) => {
    if (i === links.length) return '';
    const [mass, com, inertia, pos, turn] = links[i];
    return `<body pos="${numbers(...pos)}" euler="${turn} 0 0"><inertial pos="${numbers(...com)}" mass="${mass}" diaginertia="${numbers(...inertia)}"/>
      <joint name="j${i}" axis="0 0 1" damping="0.5"/>${body(i + 1)}</body>`;
  };
  return {
    xml: `<mujoco><compiler angle="degree"/><option timestep="0.001" integrator="implicitfast"/><worldbody>${body(0)}</worldbody>
      <actuator>${motors ? links.map((_, i) => `<motor joint="j${i}"/>`).join('') : ''}</actuator></mujoco>`,
    q: links.map((l) => l[5]),
  };
}

const median = (x) => {
  const s = Float64Array.from(x).sort();
  return s.length % 2 ? s[s.length >> 1] : (s[s.length / 2 - 1] + s[s.length / 2]) / 2;
};
const p95 = (x) => Float64Array.from(x).sort()[Math.floor(0.95 * (x.length - 1))];
const mean = (x) => x.reduce((a, b) => a + b, 0) / x.length;

// penetrations are the overlaps of the present contacts, m.
function penetrations(data) {
  const out = [];
  const contacts = data.contact;
  for (let i = 0; i < data.ncon; i++) {
    const c = contacts.get(i);
    if (c.dist < 0) out.push(-c.dist);
    c.delete();
  }
  contacts.delete();
  return out;
}

function measure(mujoco, name, xml, q, skip, steps) {
  const model = mujoco.MjModel.from_xml_string(xml);
  const data = new mujoco.MjData(model);
  const start = () => {
    mujoco.mj_resetData(model, data);
    if (q) data.qpos.set(q);
    for (let i = 0; i < skip; i++) mujoco.mj_step(model, data);
  };
  const iterations = [], contacts = [];
  start();
  for (let i = 0; i < steps; i++) {
    mujoco.mj_step(model, data);
    // each island of contacts has its own
    iterations.push(Math.max(0, ...data.solver_niter.slice(0, Math.max(1, data.nisland))));
    contacts.push(data.ncon);
  }
  const deep = contacts.some((n) => n > 0) ? penetrations(data) : [];
  const best = new Float64Array(steps).fill(Infinity);
  let cpu = Infinity;
  for (let r = 0; r < repeat; r++) {
    start();
    const before = process.cpuUsage();
    for (let i = 0; i < steps; i++) {
      const begin = process.hrtime.bigint();
      mujoco.mj_step(model, data);
      best[i] = Math.min(best[i], Number(process.hrtime.bigint() - begin) / 1e6);
    }
    const used = process.cpuUsage(before);
    cpu = Math.min(cpu, (used.user + used.system) / 1e3 / steps);
  }
  console.log(JSON.stringify({
    solver: 'MuJoCo', scene: name, dofs: model.nv, steps, median_ms: median(best), p95_ms: p95(best), mean_ms: mean(best), cpu_ms: cpu,
    newton: mean(iterations), contacts: mean(contacts), mean_penetration_m: deep.length ? mean(deep) : 0, qpos: q ? Array.from(data.qpos) : undefined,
  }));
  data.delete();
  model.delete();
}

// rollouts steps many states from the same start with random controls, held for ten steps. WebAssembly has one
// thread: states follow each other.
function rollouts(mujoco, name, xml, q, states, steps) {
  const model = mujoco.MjModel.from_xml_string(xml);
  const data = new mujoco.MjData(model);
  let seed = 1;
  const random = () => (seed = (seed * 48271) % 2147483647) / 1073741823.5 - 1;
  const controls = Float64Array.from({length: model.nu * steps / 10}, () => 2 * random());
  let fastest = Infinity, cpu = Infinity;
  for (let r = 0; r <= repeat; r++) {
    const before = process.cpuUsage(), begin = process.hrtime.bigint();
    for (let s = 0; s < states; s++) {
      mujoco.mj_resetData(model, data);
      data.qpos.set(q);
      for (let i = 0; i < steps; i++) {
        if (i % 10 === 0) data.ctrl.set(controls.subarray(i / 10 * model.nu, (i / 10 + 1) * model.nu));
        mujoco.mj_step(model, data);
      }
    }
    const used = process.cpuUsage(before);
    if (r === 0) continue; // the first one compiles
    fastest = Math.min(fastest, Number(process.hrtime.bigint() - begin) / 1e6);
    cpu = Math.min(cpu, (used.user + used.system) / 1e3);
  }
  const n = states * steps, ms = fastest / n;
  console.log(JSON.stringify({
    solver: 'MuJoCo', scene: name, dofs: model.nv, steps, median_ms: ms, p95_ms: ms, mean_ms: ms, cpu_ms: cpu / n,
    steps_per_s: 1e3 / ms, newton: 0, contacts: 0, mean_penetration_m: 0,
  }));
  data.delete();
  model.delete();
}

const mujoco = await loadMujoco();
measure(mujoco, 'clutter', clutter(), null, 0, 1500);
const {xml, q} = arm(false);
measure(mujoco, 'tree-panda-like-7', xml, q, 10, 1000);
rollouts(mujoco, 'rollout-panda', arm(true).xml, q, 64, 250);
