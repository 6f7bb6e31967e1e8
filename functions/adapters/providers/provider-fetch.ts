/**
 * `fetch` for a provider: each request goes through the guarded outbound port, with the provider's secret, and its answer
 * is scrubbed of it. The caller's own headers of authentication are dropped.
 */
import type { Outbound } from "../../ports/outbound.ts";
import type { ModelEndpoint } from "../../ports/own-providers.ts";
import { scrubSecret } from "./scrub.ts";

/** Most bytes of an answer, and longest request: the model's driver has limits of its own, which are lower. */
const MAX_ANSWER_BYTES = 17 * 2 ** 20;
const MAX_REQUEST_MS = 600_000;

const BODYLESS_STATUSES = new Set([204, 205, 304]);

/** The address of a chat completion. @throws TypeError for an address that is none */
export function completionsUrl({ url, protocol, model, apiVersion }: ModelEndpoint): string {
  const address = new URL(url);
  const path = address.pathname.replace(/\/+$/, "");
  address.hash = "";
  if (protocol === "openai") {
    address.pathname = path.endsWith("/chat/completions") ? path : `${path}/chat/completions`;
    return address.href;
  }
  // A whole deployment, the newer interface that takes the model in the body, or the resource alone.
  const base = path.replace(/\/chat\/completions$/, "");
  const isWhole = /\/openai\/(deployments\/[^/]+|v1)$/.test(base);
  const deployment = `${base.replace(/\/openai$/, "")}/openai/deployments/${encodeURIComponent(model)}`;
  address.pathname = `${isWhole ? base : deployment}/chat/completions`;
  const isNewer = base.endsWith("/openai/v1");
  if (!isNewer && !address.searchParams.has("api-version")) address.searchParams.set("api-version", apiVersion);
  return address.href;
}

const authentication = ({ protocol }: ModelEndpoint, key: string | undefined): Record<string, string> => {
  if (key === undefined) return {};
  return protocol === "azure" ? { "api-key": key } : { Authorization: `Bearer ${key}` };
};

/** The whole of a request's body, as the client gives it: text. */
const bodyOf = (body: RequestInit["body"]): string => (typeof body === "string" ? body : "");

export function providerFetch(endpoint: ModelEndpoint, outbound: Pick<Outbound, "request">): typeof fetch {
  const target = completionsUrl(endpoint);
  return async (_input, init) => {
    const key = await endpoint.apiKey();
    const signal = init?.signal ?? undefined;
    const sent = outbound.request(target, {
      method: "POST",
      headers: { "Content-Type": "application/json", Accept: "application/json", ...authentication(endpoint, key) },
      body: bodyOf(init?.body),
      timeoutMs: MAX_REQUEST_MS,
      maxBytes: MAX_ANSWER_BYTES,
      ...(signal === undefined ? {} : { signal }),
    });
    const { status, headers, body } = await sent.catch((error: unknown) => {
      // The client tells its own timeout by the reason of its signal.
      signal?.throwIfAborted();
      throw error;
    });
    const scrubbed = new Uint8Array(scrubSecret(body, key));
    const told = ["retry-after", "retry-after-ms", "x-should-retry", "content-type"].flatMap((name) => {
      const value = headers[name];
      return value === undefined ? [] : [[name, value] as [string, string]];
    });
    return new Response(BODYLESS_STATUSES.has(status) ? null : scrubbed, { status, headers: told });
  };
}
