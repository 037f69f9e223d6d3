// Frames of a live run over a WebSocket: the first message is the scene as text, each
// binary message a frame.

import { Decoder, unpackScene } from './decode.js'
import { addControls } from './live_controls.js'

export function openLive(config) {
  const url = new URL(config.path || 'ws', location.href)
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  url.search = location.search // holds the token, if there is one
  const socket = new WebSocket(url)
  socket.binaryType = 'arraybuffer'
  let decoder, listener = () => {}
  return new Promise((resolve, reject) => {
    socket.onerror = () => reject(new Error('The live run does not answer: start it again.'))
    socket.onmessage = event => {
      if (typeof event.data === 'string') {
        const scene = unpackScene(JSON.parse(event.data))
        decoder = new Decoder(scene)
        const signals = { columns: scene.signals, time: [], values: scene.signals.map(() => []) }
        resolve({
          scene, signals, live: true, times: [], socket,
          frame: () => Promise.reject(new Error('a live run has no earlier frames')),
          listen: f => { listener = f },
          controls: app => addControls(app, socket),
        })
        return
      }
      listener(decoder.decode(new Uint8Array(event.data)))
    }
  })
}
