/**
 * Sessions of clients that speak a revision of the protocol before 2026-07-28. Their connection may break without
 * ending a call, and a call is cancelled by another message: both need a server that lives longer than a request.
 */
import { createHash, randomUUID, timingSafeEqual } from "node:crypto";
import { type McpServer, WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import { SheafError } from "../errors.ts";

/** Sessions of a key at once; a further one ends the one that was not used for longest. */
const MAX_KEY_SESSIONS = 20;
/** Sessions at once, of 25 keys that have all of theirs. */
const MAX_SESSIONS = 500;
/** Minutes without a request after which a session ends; its client begins another one. */
const IDLE_MINUTES = 30;

interface Session {
  transport: WebStandardStreamableHTTPServerTransport;
  server: McpServer;
  keyHash: Buffer;
  usedAt: number;
}

const hashOf = (key: string): Buffer => createHash("sha256").update(key).digest();

function refusal(status: number, message: string): Response {
  const body = JSON.stringify({ jsonrpc: "2.0", error: { code: -32000, message }, id: null });
  return new Response(body, { status, headers: { "Content-Type": "application/json" } });
}

export interface SessionOptions {
  /** A key that the service does not know gets no session. @throws SheafError, as of a service that is away */
  knows(key: string): Promise<boolean>;
  make(key: string): McpServer;
  maxRequestBytes: number;
  /** Milliseconds, as `performance.now`. */
  now?: () => number;
}

export class Sessions {
  readonly #sessions = new Map<string, Session>();
  readonly #options: SessionOptions;
  readonly #now: () => number;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  get size(): number {
    return this.#sessions.size;
  }

  /** Answers a request of a session, or one that begins a session. @param key the request's own */
  async handle(request: Request, key: string): Promise<Response> {
    await this.#endIdle();
    // Nothing is told unasked, so there is no stream to open.
    if (request.method === "GET") return refusal(405, "This server opens no stream of its own");
    const id = request.headers.get("mcp-session-id");
    if (id === null) return this.#begin(request, key);
    const session = this.#sessions.get(id);
    // A session of another key is told from none by nobody.
    if (session === undefined || !timingSafeEqual(session.keyHash, hashOf(key))) {
      return refusal(404, "There is no such session; begin another one with initialize");
    }
    session.usedAt = this.#now();
    return session.transport.handleRequest(request);
  }

  /** Ends all sessions with their calls. */
  async close(): Promise<void> {
    await Promise.all([...this.#sessions.keys()].map((id) => this.#end(id)));
  }

  async #begin(request: Request, key: string): Promise<Response> {
    const refused = await this.#refusalOf(key);
    if (refused !== undefined) return refused;
    const keyHash = hashOf(key);
    const own = [...this.#sessions].filter(([, session]) => session.keyHash.equals(keyHash));
    const [oldest] = own.sort(([, a], [, b]) => a.usedAt - b.usedAt);
    if (own.length >= MAX_KEY_SESSIONS && oldest !== undefined) await this.#end(oldest[0]);
    if (this.#sessions.size >= MAX_SESSIONS) return refusal(503, "The server has too many sessions; try again later");
    const server = this.#options.make(key);
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      maxRequestBodySize: this.#options.maxRequestBytes,
      onsessioninitialized: (id) => {
        this.#sessions.set(id, { transport, server, keyHash, usedAt: this.#now() });
      },
      onsessionclosed: (id) => void this.#sessions.delete(id),
    });
    await server.connect(transport);
    const answer = await transport.handleRequest(request);
    // It was no initialize: the answer says so.
    if (transport.sessionId === undefined) await server.close();
    return answer;
  }

  async #refusalOf(key: string): Promise<Response | undefined> {
    try {
      return (await this.#options.knows(key)) ? undefined : refusal(401, "The service does not know this key");
    } catch (error) {
      if (error instanceof SheafError) return refusal(502, error.message);
      throw error;
    }
  }

  async #endIdle(): Promise<void> {
    const before = this.#now() - IDLE_MINUTES * 60_000;
    const idle = [...this.#sessions].filter(([, { usedAt }]) => usedAt < before);
    await Promise.all(idle.map(([id]) => this.#end(id)));
  }

  async #end(id: string): Promise<void> {
    const session = this.#sessions.get(id);
    this.#sessions.delete(id);
    await session?.server.close();
  }
}
