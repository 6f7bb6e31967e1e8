/** Organizations' own text recognition, over one HTTP contract (docs/providers.md). */
import type { Clock } from "../../ports/clock.ts";
import { JobFailure } from "../../ports/errors.ts";
import type { WorkLimits } from "../../ports/limits.ts";
import type { OcrEngine, OcrImage, OcrLevel, OcrPage } from "../../ports/ocr.ts";
import { type Outbound, type OutboundAnswer, OutboundFailure } from "../../ports/outbound.ts";
import { type OcrDrivers, type OcrEndpoint, providerKeyOf } from "../../ports/own-providers.ts";
import { KeptDrivers } from "./kept-drivers.ts";
import { toOcrPage, UnusableAnswer } from "./ocr-answer.ts";
import { scrubSecret } from "./scrub.ts";

export interface OwnOcrOptions {
  clock: Pick<Clock, "now" | "sleep">;
  outbound: Pick<Outbound, "request">;
}

/** Largest picture in bytes: a page at 300 dpi has 1 to 4 MB; base64 makes a third more of it. */
const MAX_IMAGE_BYTES = 8_000_000;
/** Pixels along a side: what cloud services take. */
const MAX_SIDE_PIXELS = 10_000;
/** Pictures at once: a step asks no faster, so that one document does not overrun a small server. */
const PARALLEL_PICTURES = 4;
/** Most bytes of an answer: MAX_PAGE_WORDS words at 100 bytes each have 2 MB. */
const MAX_ANSWER_BYTES = 8_000_000;
/** Most milliseconds of one try. */
const MAX_TRY_MS = 60_000;
/** Waits before the second, third and fourth try. */
const WAITS_MS = [500, 1_000, 2_000];

const mimeTypeOf = (bytes: Uint8Array): string => (bytes[0] === 0xff ? "image/jpeg" : "image/png");

function requestBody({ model, features }: OcrEndpoint, image: OcrImage, level: OcrLevel): string {
  const { bytes, frame, pageNumber } = image;
  return JSON.stringify({
    version: 1,
    level,
    model,
    features,
    page: { number: pageNumber, widthInches: frame.width, heightInches: frame.height },
    image: {
      mimeType: mimeTypeOf(bytes),
      base64: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64"),
    },
  });
}

class Provider {
  readonly #options: OwnOcrOptions;
  readonly #endpoint: OcrEndpoint;
  readonly #waits: readonly number[];

  constructor(options: OwnOcrOptions, endpoint: OcrEndpoint, waits: readonly number[]) {
    this.#options = options;
    this.#endpoint = endpoint;
    this.#waits = waits;
  }

  #fail(rest: string, cause?: unknown): JobFailure {
    return new JobFailure(`Processing failed: OCR provider ${this.#endpoint.id} ${rest}`, { cause });
  }

  /** One try. @returns undefined where another may help @throws JobFailure */
  async #send(body: string, key: string | undefined, timeoutMs: number): Promise<OutboundAnswer | undefined> {
    const headers = {
      "Content-Type": "application/json",
      Accept: "application/json",
      ...(key === undefined ? {} : { Authorization: `Bearer ${key}` }),
    };
    try {
      const request = { method: "POST" as const, headers, body, timeoutMs, maxBytes: MAX_ANSWER_BYTES };
      return await this.#options.outbound.request(this.#endpoint.url, request);
    } catch (error) {
      if (!(error instanceof OutboundFailure)) throw error;
      if (error.forbidden) throw this.#fail("has an address that is not allowed");
      return undefined;
    }
  }

  /** @throws JobFailure for an answer that another try would not change */
  #judge({ status, cut }: OutboundAnswer): "good" | "again" {
    if (status === 429 || status === 408 || status >= 500) return "again";
    if (status === 401 || status === 403) throw this.#fail("refused its key");
    if (status === 404 || status === 405) throw this.#fail("has nothing at its address");
    if (status !== 200) throw this.#fail(`refused the picture of a page (status ${status})`);
    if (cut) throw this.#fail(`gave an answer of more than ${MAX_ANSWER_BYTES / 1_000_000} MB`);
    return "good";
  }

  /** Recognises one picture. @throws JobFailure */
  async recognize(image: OcrImage, level: OcrLevel, { deadline }: WorkLimits): Promise<OcrPage> {
    const { clock } = this.#options;
    const key = await this.#endpoint.apiKey();
    const body = requestBody(this.#endpoint, image, level);
    for (let tried = 0; ; tried += 1) {
      const left = deadline - clock.now();
      if (left <= 0) throw this.#fail("gave no answer in time");
      const answer = await this.#send(body, key, Math.min(left, MAX_TRY_MS));
      if (answer !== undefined && this.#judge(answer) === "good") {
        return this.#read(scrubSecret(answer.body, key), image);
      }
      const wait = this.#waits[tried];
      if (wait === undefined || clock.now() + wait >= deadline) throw this.#fail("is unavailable");
      await clock.sleep(wait);
    }
  }

  #read(body: Uint8Array, { frame, pageNumber }: OcrImage): OcrPage {
    try {
      return toOcrPage(body, frame, pageNumber);
    } catch (error) {
      if (!(error instanceof UnusableAnswer)) throw error;
      throw this.#fail(`gave an answer that cannot be used: ${error.message}`);
    }
  }
}

/** The engine of a provider's pages. @param waits milliseconds before each further try */
export function openHttpOcr(options: OwnOcrOptions, endpoint: OcrEndpoint, waits = WAITS_MS): OcrEngine {
  const provider = new Provider(options, endpoint, waits);
  const name = providerKeyOf(endpoint.id);
  return {
    name,
    maxImageBytes: MAX_IMAGE_BYTES,
    maxSide: MAX_SIDE_PIXELS,
    parallel: PARALLEL_PICTURES,
    async recognize(image, level, limits) {
      const page = await provider.recognize(image, level, limits);
      return { page, use: { provider: name, operation: "recognize", features: [], pages: 1 } };
    },
  };
}

export function openOwnOcr(options: OwnOcrOptions): OcrDrivers {
  const kept = new KeptDrivers<OcrEngine>();
  return {
    ocr: (organizationId, endpoint) => kept.get({ organizationId, ...endpoint }, () => openHttpOcr(options, endpoint)),
  };
}
