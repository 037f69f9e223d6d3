// Frames of a live run over a WebSocket: the first message is the scene as text, each
// binary message a frame. Texts after the first are {status}, {error}, and {ping}, which is
// answered at once: a page that does not is taken to be frozen. See package live.

import { Decoder, unpackScene } from './decode.js'
import { addControls } from './live_controls.js'

export function openLive(config) {
  const url = new URL(config.path || 'ws', location.href)
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  url.search = location.search // holds the token, if there is one
  const socket = new WebSocket(url)
  socket.binaryType = 'arraybuffer'
  const link = new Link(socket)
  let decoder, source, first = true, status
  return new Promise((resolve, reject) => {
    socket.onerror = () => reject(new Error('The live run does not answer: start it again.'))
    socket.onclose = () => link.onStatus({ closed: true })
    socket.onmessage = event => {
      if (typeof event.data !== 'string') {
        link.received(event.data.byteLength)
        const frame = decoder.decode(new Uint8Array(event.data))
        if (first) begin(frame)
        else source.show(frame)
        return
      }
      const text = JSON.parse(event.data)
      if (text.ping) {
        link.send({ do: 'pong' })
        return
      }
      if (source) {
        if (text.status) link.onStatus(status = text.status)
        if (text.error) link.onError(text.error)
        return
      }
      const scene = unpackScene(text)
      decoder = new Decoder(scene)
      const signals = { columns: scene.signals, time: [], values: scene.signals.map(() => []) }
      source = {
        scene, signals, live: true, times: [], show() {},
        frame: () => Promise.reject(new Error('a live run has no earlier frames')),
        listen: f => { source.show = f },
        controls: app => addControls(app, link),
      }
    }
    // the page begins with the first frame, so that charts have a point to begin with
    function begin(frame) {
      first = false
      source.signals.time.push(frame.time)
      source.signals.values.forEach((v, i) => v.push(Number.isFinite(frame.signals[i]) ? frame.signals[i] : null))
      resolve(source)
      setTimeout(() => {
        source.show(frame)
        if (status) link.onStatus(status)
      })
    }
  })
}

// Link is the connection to the run, as panels use it.
class Link {
  constructor(socket) {
    this.socket = socket
    this.bytes = this.frames = 0
    this.onStatus = this.onError = () => {}
  }

  received(bytes) {
    this.bytes += bytes
    this.frames++
  }

  // send sends a command, unless the run is gone.
  send(command) {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(command))
  }
}
