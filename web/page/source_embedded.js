// Frames that are part of the page's own file: elements with base64 of gzip, which the
// browser unpacks.

import { bytesOf, unpackScene } from './decode.js'
import { Chunked } from './chunks.js'
import { unpackSignals } from './signals.js'

async function unpack(id) {
  const element = document.getElementById(id)
  const packed = bytesOf(element.textContent.trim())
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'))
  return new Uint8Array(await new Response(stream).arrayBuffer())
}

const json = async id => JSON.parse(new TextDecoder().decode(await unpack(id)))

export async function openEmbedded(config) {
  const scene = unpackScene(await json('curlfree-scene'))
  const signals = unpackSignals(await json('curlfree-signals'))
  const chunks = new Chunked(scene, config.chunk, config.times.length, j => unpack('curlfree-chunk-' + j))
  return { scene, live: false, times: config.times, signals, frame: k => chunks.get(k) }
}
