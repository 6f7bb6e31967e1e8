/** The exchange with one client: its request counted, its body received when a handler asks for it. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { TooManyRequests } from "../../ports/errors.ts";
import type { Exchange } from "../../ports/http.ts";
import { readBody } from "./arriving-body.ts";
import type { BodyRoom } from "./body-room.ts";

/** True for a request with a body, which may not have come yet. */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;

/** Lets a client send its body that waits to be asked for it (`Expect: 100-continue`). */
export function askForBody({ headers, httpVersionMinor }: IncomingMessage, response: ServerResponse): void {
  if (httpVersionMinor === 1 && /^100-continue$/i.test(headers.expect ?? "")) response.writeContinue();
}

/** Seconds after which a group with too many requests should try again. */
const RETRY_AFTER_SECONDS = 1;

/** Counts the requests under way of each group. */
export class RequestSlots {
  readonly #most: number;
  readonly #taken = new Map<string, number>();

  /** @param most requests of one group at once */
  constructor(most: number) {
    this.#most = most;
  }

  /** @returns the function that ends the request @throws TooManyRequests */
  take(group: string): () => void {
    const taken = this.#taken.get(group) ?? 0;
    if (taken >= this.#most) {
      throw new TooManyRequests(
        `Your organization has ${this.#most} requests under way, the most at once; wait for answers before you send more`,
        { retryAfter: RETRY_AFTER_SECONDS },
      );
    }
    this.#taken.set(group, taken + 1);
    return () => {
      const left = (this.#taken.get(group) ?? 0) - 1;
      if (left > 0) this.#taken.set(group, left);
      else this.#taken.delete(group);
    };
  }
}

export interface ExchangeLimits {
  slots: RequestSlots;
  room: BodyRoom;
  /** Longest silence within a body, in milliseconds. */
  silenceMs: number;
}

export class LocalExchange implements Exchange {
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #limits: ExchangeLimits;
  readonly #ends: (() => void)[] = [];
  #group = "";

  constructor(request: IncomingMessage, response: ServerResponse, limits: ExchangeLimits) {
    this.#request = request;
    this.#response = response;
    this.#limits = limits;
  }

  admit(group: string): void {
    this.#group = group;
    this.#ends.push(this.#limits.slots.take(group));
  }

  async receive(limit: { bytes: number; tooLarge(): Error }): Promise<Uint8Array> {
    const request = this.#request;
    if (!hasBody(request)) return Buffer.alloc(0);
    const told = request.headers["content-length"];
    const length = told === undefined ? undefined : Number(told);
    if (length !== undefined && length > limit.bytes) throw limit.tooLarge();
    const gone = new AbortController();
    const onClose = (): void => gone.abort();
    this.#response.once("close", onClose);
    const { room, silenceMs } = this.#limits;
    this.#ends.push(await room.enter(this.#group, length ?? limit.bytes, gone.signal));
    this.#response.off("close", onClose);
    askForBody(request, this.#response);
    return readBody(request, length, limit, silenceMs);
  }

  /** Frees all that the request holds; call it when the answer is made. */
  end(): void {
    for (const end of this.#ends.splice(0)) end();
  }
}
