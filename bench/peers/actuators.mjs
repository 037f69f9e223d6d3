// actuators writes the forces that MuJoCo computes of a file's actuators at random states, for the test of
// package mjcf:
//
//	npm install --prefix out/peers @mujoco/mujoco@3.12.0, and a copy of this file in out/peers
//	node actuators.mjs FILE.xml > scene/mjcf/testdata/actuators.json
//
// For each state: q, v of the joints (one degree of freedom each), ctrl, act, and the results force of each
// actuator and effort of each joint.
import {readFileSync} from 'node:fs';
import loadMujoco from '@mujoco/mujoco';

const mujoco = await loadMujoco();
const model = mujoco.MjModel.from_xml_string(readFileSync(process.argv[2], 'utf8'));
const data = new mujoco.MjData(model);

// random is a linear congruential generator, so that states can be made again.
let seed = 7;
const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
const fill = (x, by) => { for (let i = 0; i < x.length; i++) x[i] = by * (2 * random() - 1); return Array.from(x); };

const out = [];
for (let n = 0; n < 8; n++) {
  mujoco.mj_resetData(model, data);
  const state = {q: fill(data.qpos, 0.5), v: fill(data.qvel, 2), ctrl: fill(data.ctrl, 2), act: fill(data.act, 0.4)};
  mujoco.mj_forward(model, data);
  out.push({...state, force: Array.from(data.actuator_force), effort: Array.from(data.qfrc_actuator)});
}
console.log(`[\n${out.map((o) => JSON.stringify(o)).join(',\n')}\n]`);
