/** Requests to addresses that callers named: the one way out for them, with a guard that no driver leaves away. */
import { AppError } from "./errors.ts";

export interface OutboundRequest {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  headers: Record<string, string>;
  body?: string | Uint8Array;
  /** For all of it, from looking up the name to the answer's last byte; default 10,000. */
  timeoutMs?: number;
  /** Of the answer's body; default 65,536. */
  maxBytes?: number;
}

export interface OutboundAnswer {
  status: number;
  /** Lower-case names. */
  headers: Record<string, string>;
  body: Uint8Array;
  /** The answer was longer than `maxBytes`, and the rest was not read. */
  cut: boolean;
}

/** No answer came, or the address is one that nothing is sent to. Its message holds nothing of the network inside. */
export class OutboundFailure extends AppError {
  static override readonly name = "OutboundFailure";
  /** The other side left it unanswered for all of its time. */
  readonly timedOut: boolean;
  constructor(message: string, { cause, timedOut = false }: { cause?: unknown; timedOut?: boolean } = {}) {
    super("BadGateway", message, { cause }, true);
    this.timedOut = timedOut;
  }
}

export interface Outbound {
  /**
   * Whether a request would be sent there, now. A name that cannot be looked up passes: it may be made later, and every
   * request looks again.
   * @throws BadRequest saying why not
   */
  check(url: string): Promise<void>;
  /**
   * Sends one request: to the very addresses that were checked, without following a redirect.
   * @throws OutboundFailure
   */
  request(url: string, request: OutboundRequest): Promise<OutboundAnswer>;
}
