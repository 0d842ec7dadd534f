import { once } from 'node:events'
import { type AddressInfo, createServer, connect as openSocket, type Socket } from 'node:net'

const ready = 'Z'.charCodeAt(0)
const idle = 'I'.charCodeAt(0)

/** A connection to the server that is signed in and waits for somebody to use it. */
interface Backend {
  readonly socket: Socket
  client: Client | undefined
}

interface Client {
  readonly socket: Socket
  readonly waiting: Buffer[]
  backend: Backend | undefined
}

/** A pooler for tests. */
export interface TransactionPooler extends AsyncDisposable {
  readonly port: number
  /** How often a client was given another connection than the one before. */
  readonly handovers: number
}

/**
 * Stands between clients and PostgreSQL as a pooler in transaction mode does: a client has a connection of the server for one transaction,
 * and gets whichever is free for the next one. Whoever keeps something on a connection loses it, or finds that of another.
 *
 * Signs in without a password, so the server has to trust it.
 */
export async function startTransactionPooler(url: string, size: number): Promise<TransactionPooler> {
  const { hostname, port, username, pathname } = new URL(url)
  const greetings: Buffer[] = []
  const free: Backend[] = []
  const queue: Client[] = []
  const sockets = new Set<Socket>()
  let handovers = 0
  const last = new WeakMap<Client, Backend>()

  function serve(): void {
    while (free.length > 0 && queue.length > 0) {
      // The one that was free longest, so that clients change places all the time.
      const backend = free.shift() as Backend
      const client = queue.shift() as Client
      if (last.get(client) !== undefined && last.get(client) !== backend) handovers++
      last.set(client, backend)
      backend.client = client
      client.backend = backend
      for (const data of client.waiting.splice(0)) backend.socket.write(data)
    }
  }

  async function openBackend(): Promise<void> {
    const socket = openSocket(Number(port), hostname).setNoDelay(true)
    sockets.add(socket)
    const backend: Backend = { socket, client: undefined }
    const messages = new MessageReader()
    const signedIn = Promise.withResolvers<void>()
    socket.on('data', (data) => {
      for (const message of messages.read(data)) {
        if (backend.client === undefined) {
          if (free.includes(backend)) continue
          greetings.push(message)
        } else backend.client.socket.write(message)
        if (message[0] !== ready || message[5] !== idle) continue
        if (backend.client !== undefined) backend.client.backend = undefined
        backend.client = undefined
        free.push(backend)
        signedIn.resolve()
        serve()
      }
    })
    socket.on('error', signedIn.reject)
    await once(socket, 'connect')
    const text = `user\0${username}\0database\0${pathname.slice(1)}\0\0`
    const startup = Buffer.alloc(8 + text.length)
    startup.writeInt32BE(startup.length, 0)
    startup.writeInt32BE(196_608, 4)
    startup.write(text, 8)
    socket.write(startup)
    await signedIn.promise
  }

  for (let number = 0; number < size; number++) await openBackend()
  const greeting = Buffer.concat(greetings.slice(0, greetings.length / size))

  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket)
    const client: Client = { socket, waiting: [], backend: undefined }
    let greeted = false
    const messages = new MessageReader()
    socket.on('data', (data) => {
      if (!greeted) {
        greeted = true
        socket.write(greeting)
        return
      }
      for (const message of messages.read(data)) {
        // A client that leaves does not take the connection with it.
        if (message[0] === 'X'.charCodeAt(0)) socket.end()
        else if (client.backend !== undefined) client.backend.socket.write(message)
        else {
          client.waiting.push(message)
          if (!queue.includes(client)) queue.push(client)
        }
      }
      serve()
    })
    socket.on('error', () => {})
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    get handovers() {
      return handovers
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Splits what arrives into messages: a letter, a length, and what belongs to them. */
class MessageReader {
  #rest: Buffer = Buffer.alloc(0)

  read(data: Buffer): Buffer[] {
    const messages: Buffer[] = []
    this.#rest = this.#rest.length === 0 ? data : Buffer.concat([this.#rest, data])
    while (this.#rest.length >= 5) {
      const length = 1 + this.#rest.readInt32BE(1)
      if (this.#rest.length < length) break
      messages.push(this.#rest.subarray(0, length))
      this.#rest = this.#rest.subarray(length)
    }
    return messages
  }
}
