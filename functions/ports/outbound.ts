/** Requests to addresses that callers name. Every driver guards them against internal addresses. */
import { AppError } from "./errors.ts";

export interface OutboundRequest {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  headers: Record<string, string>;
  body?: string | Uint8Array;
  /** For the whole request, from name resolution to the answer's last byte; default 10,000. */
  timeoutMs?: number;
  /** Most bytes of the answer's body; default 65,536. */
  maxBytes?: number;
  /** Ends the request early, like its timeout. */
  signal?: AbortSignal;
}

export interface OutboundAnswer {
  status: number;
  /** Lower-case names. */
  headers: Record<string, string>;
  body: Uint8Array;
  /** The answer was longer than `maxBytes`; the rest was not read. */
  cut: boolean;
}

/** No answer came, or the address is forbidden. The message reveals nothing of the internal network. */
export class OutboundFailure extends AppError {
  static override readonly name = "OutboundFailure";
  /** The receiver gave no answer within the timeout. */
  readonly timedOut: boolean;
  /** The address is forbidden: no request was sent, and none will be. */
  readonly forbidden: boolean;
  constructor(
    message: string,
    { cause, timedOut = false, forbidden = false }: { cause?: unknown; timedOut?: boolean; forbidden?: boolean } = {},
  ) {
    super("BadGateway", message, { cause }, true);
    this.timedOut = timedOut;
    this.forbidden = forbidden;
  }
}

export interface Outbound {
  /**
   * Checks that requests to the address are allowed. An unresolvable name passes: it may be registered later, and every
   * request checks again.
   * @throws BadRequest saying why not
   */
  check(url: string): Promise<void>;
  /**
   * Sends one request to the addresses that were checked, without following redirects.
   * @throws OutboundFailure
   */
  request(url: string, request: OutboundRequest): Promise<OutboundAnswer>;
}
