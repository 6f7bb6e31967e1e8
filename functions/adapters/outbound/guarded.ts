/**
 * Guarded outbound requests. A URL must be https with a public host; its name is resolved once, every address is
 * checked,
 * and the connection goes to one of the checked addresses only, so that DNS rebinding has no effect.
 */
import { lookup as systemLookup } from "node:dns/promises";
import { type ClientRequest, request as httpRequest, type IncomingMessage, type RequestOptions } from "node:http";
import { request as httpsRequest } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { AppError, BadRequest } from "../../ports/errors.ts";
import { type Outbound, type OutboundAnswer, OutboundFailure, type OutboundRequest } from "../../ports/outbound.ts";
import { isLoopback, isPublic } from "./addresses.ts";

export interface OutboundOptions {
  /** Allows this machine's loopback addresses, by http too: for one machine, never for a deployment. */
  loopback: boolean;
  /** Resolves a name to all its addresses; default: the system's resolver. */
  resolve?: (host: string) => Promise<string[]>;
}

const DEFAULT_TIMEOUT_MS = 10_000;
const DEFAULT_MAX_ANSWER_BYTES = 65_536;
const MAX_URL_CHARACTERS = 2048;
/** Time limit for checking an address without sending a request. */
const CHECK_TIMEOUT_MS = 3_000;
/** Lower ports are well-known ports of other services, which no web server needs. */
const FIRST_ALLOWED_PORT = 1024;

const systemResolve = async (host: string): Promise<string[]> =>
  (await systemLookup(host, { all: true, verbatim: true })).map(({ address }) => address);

/** Parses a URL and checks everything except its host's addresses. @throws BadRequest */
function parseUrl(text: string, loopback: boolean): URL {
  const url = text.length <= MAX_URL_CHARACTERS ? URL.parse(text) : null;
  if (url === null) throw new BadRequest(`The url must be a whole address of at most ${MAX_URL_CHARACTERS} characters`);
  if (url.protocol !== "https:" && !(loopback && url.protocol === "http:")) {
    throw new BadRequest(`The url must begin with https://${loopback ? ", or http:// to this machine itself" : ""}`);
  }
  if (url.username !== "" || url.password !== "") {
    throw new BadRequest("The url must not hold a user or a password");
  }
  if (url.port !== "" && Number(url.port) < FIRST_ALLOWED_PORT && !["80", "443"].includes(url.port)) {
    throw new BadRequest(`The url's port must be 443, or ${FIRST_ALLOWED_PORT} and above`);
  }
  return url;
}

/** The host of a URL: an IP address (a URL writes 0x7f.1 as 127.0.0.1) or a name. */
const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, "$1");

/** @throws BadRequest when any address is not allowed */
function checkAddresses(url: URL, addresses: readonly string[], loopback: boolean): void {
  const onlyLoopback = addresses.every(isLoopback);
  if (loopback && onlyLoopback) return;
  if (url.protocol === "http:")
    throw new BadRequest("The url must begin with https:// unless it leads to this machine");
  if (addresses.every(isPublic)) return;
  throw new BadRequest("The url leads to an address that is not public; name a host that is reached from anywhere");
}

async function addressesOf(url: URL, resolve: (host: string) => Promise<string[]>): Promise<string[]> {
  const host = hostOf(url);
  return isIP(host) === 0 ? resolve(host) : [host];
}

const rejectOnAbort = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });

/** A DNS lookup that returns the checked addresses for every name. */
const lookupOf =
  (addresses: readonly string[]): LookupFunction =>
  (_host, options, callback) => {
    const found = addresses.map((address) => ({ address, family: isIP(address) }));
    const [first] = found;
    if (options.all === true) callback(null, found);
    else callback(null, first?.address ?? "", first?.family ?? 0);
  };

const REASONS: Record<string, string> = {
  ECONNREFUSED: "The connection was refused",
  ECONNRESET: "The connection was cut",
  EPIPE: "The connection was cut",
  ENOTFOUND: "There is no host of that name",
  EAI_AGAIN: "The host's name could not be looked up",
  ETIMEDOUT: "The connection timed out",
  EHOSTUNREACH: "There is no way to the host",
  ENETUNREACH: "There is no way to the host",
};

function failureOf(error: unknown, timeoutMs: number): OutboundFailure {
  if (error instanceof OutboundFailure) return error;
  if (error instanceof AppError) return new OutboundFailure(error.message, { cause: error, forbidden: true });
  const { name, code = "" } = error as { name?: string; code?: string };
  if (name === "TimeoutError" || name === "AbortError") {
    return new OutboundFailure(`No answer within ${timeoutMs / 1000} s`, { cause: error, timedOut: true });
  }
  const known = Object.hasOwn(REASONS, code) ? REASONS[code] : undefined;
  const certificate = /CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO/.test(code) ? "Its certificate cannot be trusted" : undefined;
  return new OutboundFailure(known ?? certificate ?? "The connection failed", { cause: error });
}

/** @throws OutboundFailure for a redirect */
async function readAnswer(response: IncomingMessage, maxBytes: number): Promise<OutboundAnswer> {
  const status = response.statusCode ?? 0;
  if (status >= 300 && status < 400) {
    response.destroy();
    throw new OutboundFailure(`The answer is a redirect (${status}), which is not followed`);
  }
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response) {
    chunks.push(chunk as Buffer);
    size += (chunk as Buffer).length;
    // Leaving the loop closes the connection.
    if (size > maxBytes) break;
  }
  const headers = Object.entries(response.headers).map(([name, value]) => [name, String(value)]);
  return {
    status,
    headers: Object.fromEntries(headers),
    body: Buffer.concat(chunks).subarray(0, maxBytes),
    cut: size > maxBytes,
  };
}

function sendRequest(
  url: URL,
  { method, headers, body }: OutboundRequest,
  options: RequestOptions,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const start = url.protocol === "https:" ? httpsRequest : httpRequest;
    const length = body === undefined ? 0 : Buffer.byteLength(body);
    // A new connection: a kept one would outlive the check of its address.
    const request: ClientRequest = start(url, {
      ...options,
      method,
      agent: false,
      headers: { ...headers, "Content-Length": length, "Accept-Encoding": "identity" },
    });
    request.once("response", resolve);
    request.on("error", reject);
    request.end(body);
  });
}

/** Opens guarded outbound requests. */
export function openOutbound({ loopback, resolve = systemResolve }: OutboundOptions): Outbound {
  return {
    async check(text) {
      const url = parseUrl(text, loopback);
      const looking = addressesOf(url, resolve).catch(() => undefined);
      const found = await Promise.race([
        looking,
        rejectOnAbort(AbortSignal.timeout(CHECK_TIMEOUT_MS)).catch(() => undefined),
      ]);
      // http is allowed only for hosts known to be this machine.
      const known = found !== undefined && found.length > 0;
      if (known || url.protocol === "http:") checkAddresses(url, known ? found : [""], loopback);
    },
    async request(text, request) {
      const { timeoutMs = DEFAULT_TIMEOUT_MS, maxBytes = DEFAULT_MAX_ANSWER_BYTES } = request;
      const timeout = AbortSignal.timeout(timeoutMs);
      const signal = request.signal === undefined ? timeout : AbortSignal.any([timeout, request.signal]);
      const over = rejectOnAbort(signal);
      over.catch(() => undefined);
      try {
        const url = parseUrl(text, loopback);
        const addresses = await Promise.race([addressesOf(url, resolve), over]);
        if (addresses.length === 0) throw new OutboundFailure("There is no host of that name");
        checkAddresses(url, addresses, loopback);
        const response = await sendRequest(url, request, { lookup: lookupOf(addresses), signal });
        return await Promise.race([readAnswer(response, maxBytes), over]);
      } catch (error) {
        throw failureOf(error, timeoutMs);
      }
    },
  };
}
