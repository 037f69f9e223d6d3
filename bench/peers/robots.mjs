// robots writes what MuJoCo computes of robot files, a JSON object for each, for the tests of
// package scene:
//
//	npm install --prefix out/peers @mujoco/mujoco@3.12.0, and a copy of this file in out/peers
//	node robots.mjs FOLDER FILE.xml... > scene/testdata/mujoco.json
//
// FILEs are relative to FOLDER; all files of the folder of each are given to MuJoCo. The state is
// random but repeatable: joints within their limits, at speeds up to 1, a free base at rest where
// the file puts it. Forces other than weight are switched off: actuators, springs, dampers,
// constraints and gravity compensation. Of joints with one degree of freedom, by name:
//
//	q, v     position and velocity
//	z, Mz    a vector, and the mass matrix (with armature; rows and columns of these joints) times it
//	a        acceleration M⁻¹ (−bias), of all degrees of freedom, where forces are none but weight
//	lower, upper   limits, null: none
import {readFileSync, readdirSync, statSync} from 'node:fs';
import {dirname, join} from 'node:path';
import loadMujoco from '@mujoco/mujoco';

const [folder, ...files] = process.argv.slice(2);
const mujoco = await loadMujoco();

// random is a linear congruential generator, so that vectors can be made again.
let seed = 1;
const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;

// copy gives a folder to MuJoCo.
function copy(from, to) {
  try { mujoco.FS.mkdir(to); } catch { /* it is there */ }
  for (const name of readdirSync(from)) {
    if (statSync(join(from, name)).isDirectory()) copy(join(from, name), `${to}/${name}`);
    else if (/\.(xml|urdf|stl|obj|png|msh|skn)$/i.test(name)) mujoco.FS.writeFile(`${to}/${name}`, readFileSync(join(from, name)));
  }
}

// text returns the string at an address of MuJoCo's names.
function text(names, at) {
  let end = at;
  while (names[end]) end++;
  return Buffer.from(names.slice(at, end)).toString();
}

const out = [];
for (const [n, file] of files.entries()) {
  copy(join(folder, dirname(file)), `/${n}`);
  const model = mujoco.MjModel.from_xml_path(`/${n}/${file.split('/').pop()}`);
  const dsbl = mujoco.mjtDisableBit;
  const bit = (name) => Number(dsbl[name].value ?? dsbl[name]);
  model.opt.disableflags |= bit('mjDSBL_CONSTRAINT') | bit('mjDSBL_SPRING') | bit('mjDSBL_DAMPER') | bit('mjDSBL_ACTUATION');
  model.body_gravcomp.fill(0);
  const data = new mujoco.MjData(model);
  mujoco.mj_resetData(model, data);
  const names = model.names;
  const joints = [];
  for (let j = 0; j < model.njnt; j++) {
    if (model.jnt_type[j] < 2) continue; // free and ball
    const limited = model.jnt_range[2 * j] < model.jnt_range[2 * j + 1]; // the flag itself has no binding
    const lower = limited ? model.jnt_range[2 * j] : -1, upper = limited ? model.jnt_range[2 * j + 1] : 1;
    joints.push({name: text(names, model.name_jntadr[j]), dof: model.jnt_dofadr[j], q: lower + (upper - lower) * random(), v: 2 * random() - 1, z: 2 * random() - 1,
      lower: limited ? lower : null, upper: limited ? upper : null, qpos: model.jnt_qposadr[j]});
  }
  for (const j of joints) { data.qpos[j.qpos] = j.q; data.qvel[j.dof] = j.v; }
  mujoco.mj_forward(model, data);
  const nv = model.nv;
  const full = new mujoco.DoubleBuffer(nv * nv);
  mujoco.mj_fullM(model, data, full);
  const M = full.GetView();
  out.push({
    file, dofs: nv, gravity: Array.from(model.opt.gravity),
    joints: joints.map((j) => ({name: j.name, q: j.q, v: j.v, z: j.z, Mz: joints.reduce((sum, k) => sum + M[j.dof * nv + k.dof] * k.z, 0), a: data.qacc_smooth[j.dof], lower: j.lower, upper: j.upper})),
  });
  full.delete();
  data.delete();
  model.delete();
}
console.log(`[\n${out.map((o) => JSON.stringify(o)).join(',\n')}\n]`);
