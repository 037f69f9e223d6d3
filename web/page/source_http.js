// Frames of a recorded run, asked for from its server in chunks.

import { unpackScene } from './decode.js'
import { Chunked } from './chunks.js'
import { unpackSignals } from './signals.js'

async function ask(path) {
  const answer = await fetch(path)
  if (!answer.ok) throw new Error(`${path}: ${(await answer.text()).trim() || answer.statusText}`)
  return answer
}

export async function openHTTP(config) {
  const [run, scene, signals] = await Promise.all(
    ['run.json', 'scene.json', 'signals.json'].map(path => ask(path).then(a => a.json())))
  unpackScene(scene)
  const chunks = new Chunked(scene, run.chunk, run.times.length,
    j => ask(`frames/${j}`).then(a => a.arrayBuffer()).then(b => new Uint8Array(b)))
  return { scene, live: false, times: run.times, signals: unpackSignals(signals), frame: k => chunks.get(k) }
}
