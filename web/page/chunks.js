// Frames of a recording in chunks. A chunk is a run of messages, each with its length as
// uint32 before it, whose first is a key frame; so any frame is found by decoding at most
// one chunk from its start.

import { Decoder } from './decode.js'

// messagesOf splits a chunk.
export function messagesOf(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const out = []
  for (let at = 0; at < bytes.length;) {
    const n = view.getUint32(at, true)
    out.push(bytes.subarray(at + 4, at + 4 + n))
    at += 4 + n
  }
  return out
}

const KEPT = 8 // chunks in memory

// Chunked gives frames by their number. load(j) is a promise of the bytes of chunk j.
export class Chunked {
  constructor(scene, size, count, load) {
    Object.assign(this, { size, count, load })
    this.decoder = new Decoder(scene)
    this.chunks = new Map() // promises of messages, the least recently used first
    this.last = -1 // number of the frame that the decoder read last
    this.frame = null
    this.queue = Promise.resolve()
  }

  chunk(j) {
    let c = this.chunks.get(j)
    this.chunks.delete(j)
    if (!c) {
      c = this.load(j).then(messagesOf)
      c.catch(() => this.chunks.delete(j)) // a failed request may be repeated
    }
    this.chunks.set(j, c)
    while (this.chunks.size > KEPT) this.chunks.delete(this.chunks.keys().next().value)
    return c
  }

  // get returns a promise of frame k. Requests are answered in their order, because the
  // decoder has a state.
  get(k) {
    const answer = this.queue.then(() => this.read(k))
    this.queue = answer.catch(() => {})
    return answer
  }

  async read(k) {
    if (k === this.last) return this.frame
    const j = Math.floor(k / this.size)
    const messages = await this.chunk(j)
    // the next chunk is on its way while this one plays
    if (k % this.size > this.size / 2 && (j + 1) * this.size < this.count) this.chunk(j + 1).catch(() => {})
    const first = j * this.size
    const from = this.last >= first && this.last < k ? this.last + 1 : first
    for (let i = from; i <= k; i++) this.frame = this.decoder.decode(messages[i - first])
    this.last = k
    return this.frame
  }
}
