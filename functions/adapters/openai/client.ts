/** The `openai` client, configured for the driver: one attempt, bounded answers, no console output. */
import OpenAI, { APIError } from "openai";

/** Decompressed bytes of an answer. */
const MAX_ANSWER_BYTES = 16 * 2 ** 20;
/** Bytes read of an error's body. */
const MAX_ERROR_BYTES = 64 * 2 ** 10;

/** Thrown inside the client, which wraps it; found again as a cause. */
export class AnswerTooLarge extends Error {}

const BODYLESS_STATUSES = new Set([204, 205, 304]);

/**
 * Reads a whole body within its size limit, so that the client's timeout covers the body too.
 * @throws AnswerTooLarge; the signal's reason when it is aborted
 */
async function readBody(response: Response, signal: AbortSignal | null | undefined): Promise<Uint8Array<ArrayBuffer>> {
  if (response.body === null) return new Uint8Array();
  const most = response.ok ? MAX_ANSWER_BYTES : MAX_ERROR_BYTES;
  const reader = response.body.getReader();
  // A body that ignores the signal must not hang.
  const stop = (): void => void reader.cancel().catch(() => {});
  signal?.addEventListener("abort", stop, { once: true });
  try {
    const chunks: Uint8Array[] = [];
    let size = 0;
    for (;;) {
      const { done, value } = await reader.read();
      signal?.throwIfAborted();
      if (done) return new Uint8Array(Buffer.concat(chunks));
      size += value.length;
      chunks.push(value);
      if (size <= most) continue;
      stop();
      if (response.ok) throw new AnswerTooLarge("an answer of too many bytes");
      return new Uint8Array(Buffer.concat(chunks).subarray(0, most));
    }
  } finally {
    signal?.removeEventListener("abort", stop);
  }
}

function boundedFetch(inner: typeof fetch): typeof fetch {
  return async (url, init) => {
    // Documents go only to the operator's server: redirects are refused.
    const response = await inner(url, { ...init, redirect: "manual" });
    const bytes = await readBody(response, init?.signal);
    const { status, statusText, headers } = response;
    return new Response(BODYLESS_STATUSES.has(status) ? null : bytes, { status, statusText, headers });
  };
}

/** Keeps the whole body of an error, not its `error` member alone: other servers use other members. */
class Client extends OpenAI {
  protected override makeStatusError(
    status: number,
    body: object,
    message: string | undefined,
    headers: Headers,
  ): APIError {
    return new APIError(status, body, message, headers);
  }
}

/**
 * The base URL without trailing slashes; default: OpenAI's own.
 * @throws TypeError for a URL that is not http or https, or has a user name or password
 */
function normalizeBaseUrl(given: string | undefined): string {
  if (given === undefined || given.trim() === "") return "https://api.openai.com/v1";
  const url = URL.parse(given.trim());
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new TypeError("The base URL of the AI service must be an http or https URL, like https://api.openai.com/v1");
  }
  if (url.username !== "" || url.password !== "") {
    throw new TypeError("The base URL of the AI service must not hold a name or a password");
  }
  url.hash = "";
  const { pathname, origin, search } = url;
  let end = pathname.length;
  while (end > 0 && pathname[end - 1] === "/") end -= 1;
  return `${origin}${pathname.slice(0, end)}${search}`;
}

/** @throws TypeError for an unusable base URL or key; its message never contains the key */
export function makeClient(options: { apiKey: string; baseUrl?: string; fetch?: typeof fetch }): OpenAI {
  if (!/^[\x21-\x7e]+$/.test(options.apiKey)) {
    throw new TypeError("The key of the AI service must be printable ASCII without spaces, and not empty");
  }
  const silent = (): void => {};
  return new Client({
    apiKey: options.apiKey,
    baseURL: normalizeBaseUrl(options.baseUrl),
    fetch: boundedFetch(options.fetch ?? fetch),
    maxRetries: 0,
    // Set explicitly, so that the client does not read them from the environment.
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    logLevel: "off",
    logger: { error: silent, warn: silent, info: silent, debug: silent },
  });
}
