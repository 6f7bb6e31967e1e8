/** The open connections of a server: at the limit the longest idle one makes room for a new one. */
import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** Connections over the limit that may still be told why they are refused; more are cut without a word. */
const MAX_TOLD = 100;
/** Milliseconds that such a connection has to read its answer. */
const TELL_MS = 1_000;

export class Connections {
  /** Connections with a request under way, with its newest answer. */
  readonly #busy = new Map<Socket, ServerResponse>();
  /** Connections without one, the longest idle first; one that has sent only a part of its headers is idle. */
  readonly #idle = new Set<Socket>();
  readonly #refused = new Set<Socket>();

  /**
   * Watches the connections of a server.
   * @param most connections that are served at once
   * @param refusal the answer, as bytes of HTTP, to one more connection when all others have requests under way
   */
  constructor(server: Server, most: number, refusal: () => string) {
    server.on("connection", (socket: Socket) => {
      if (this.#busy.size + this.#idle.size >= most && !this.#evict()) return this.#refuse(socket, refusal);
      this.#idle.add(socket);
      socket.once("close", () => {
        this.#idle.delete(socket);
        this.#busy.delete(socket);
      });
    });
  }

  /** Notes the begin of a request. @returns false for a refused connection, whose requests are not served */
  begin(response: ServerResponse): boolean {
    const { socket } = response;
    if (socket === null || this.#refused.has(socket)) return false;
    this.#idle.delete(socket);
    this.#busy.set(socket, response);
    response.once("close", () => {
      // A client may send its next request before the answer to this one.
      if (this.#busy.get(socket) !== response) return;
      this.#busy.delete(socket);
      if (!socket.destroyed) this.#idle.add(socket);
    });
    return true;
  }

  /** True when an answer has begun on a connection, so that no other one can be sent. */
  isAnswering(socket: Socket): boolean {
    return this.#busy.get(socket)?.headersSent === true;
  }

  /** Cuts the longest idle connection. @returns false when there is none */
  #evict(): boolean {
    const [longest] = this.#idle;
    if (longest === undefined) return false;
    this.#idle.delete(longest);
    longest.destroy();
    return true;
  }

  #refuse(socket: Socket, refusal: () => string): void {
    if (this.#refused.size >= MAX_TOLD) return void socket.destroy();
    this.#refused.add(socket);
    const timer = setTimeout(() => socket.destroy(), TELL_MS);
    socket.once("close", () => {
      clearTimeout(timer);
      this.#refused.delete(socket);
    });
    socket.on("error", () => undefined);
    socket.end(refusal());
  }
}
