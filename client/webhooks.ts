/**
 * Verifies deliveries in a webhook receiver: Standard Webhooks (standardwebhooks.com). Uses only the platform's
 * cryptography, so that a receiver can copy this file.
 */
import type { JobEvent } from "./types.ts";

/** The service did not send the delivery, or sent it too long ago. */
export class WebhookVerificationError extends Error {
  override name = "WebhookVerificationError";
}

export interface WebhookDelivered {
  /** The exact bytes of the body, not parsed and serialized again. */
  payload: string | Uint8Array;
  /** The request's headers, with names in any case. */
  headers: Headers | Record<string, string | string[] | undefined>;
  /** `whsec_…`; several during the receiver's own rotation. */
  secret: string | readonly string[];
  /** Tolerance for clock differences and delivery times; default 300. Older deliveries may be replays. */
  toleranceSeconds?: number;
  /** Milliseconds since 1970; default: now. */
  now?: number;
}

const SECRET_PREFIX = "whsec_";
const encoder = new TextEncoder();

function headerOf(headers: WebhookDelivered["headers"], name: string): string {
  const value =
    headers instanceof Headers
      ? headers.get(name)
      : Object.entries(headers).find(([other]) => other.toLowerCase() === name)?.[1];
  if (typeof value === "string" && value !== "") return value;
  throw new WebhookVerificationError(`The header ${name} is missing`);
}

/** Verifies signatures with a secret, in constant time by the platform. @throws TypeError for a malformed secret */
async function verifierOf(
  secret: string,
): Promise<(signature: Uint8Array<ArrayBuffer>, signed: Uint8Array<ArrayBuffer>) => Promise<boolean>> {
  let bytes: Uint8Array<ArrayBuffer>;
  try {
    const text = atob(secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : secret);
    bytes = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
  } catch {
    throw new TypeError("A webhook's secret is whsec_ and base64");
  }
  if (bytes.length === 0) throw new TypeError("A webhook's secret is not empty");
  const key = await crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
  return (signature, signed) => crypto.subtle.verify("HMAC", key, signature, signed);
}

/** The signatures of version 1, as bytes; malformed ones are left out. */
function parseSignatures(header: string): Uint8Array<ArrayBuffer>[] {
  return header.split(" ").flatMap((one) => {
    const [version, signature = ""] = one.split(",");
    if (version !== "v1") return [];
    try {
      return [Uint8Array.from(atob(signature), (letter) => letter.charCodeAt(0))];
    } catch {
      return [];
    }
  });
}

/**
 * Verifies a delivery's signature and time. Deduplication is up to the receiver: `id` is the same in every try.
 * @returns the event
 * @throws WebhookVerificationError for a wrong signature or an old delivery; TypeError for a malformed secret
 */
export async function verifyWebhook({
  payload,
  headers,
  secret,
  toleranceSeconds = 300,
  now = Date.now(),
}: WebhookDelivered): Promise<{ id: string; event: JobEvent }> {
  const id = headerOf(headers, "webhook-id");
  const timestamp = headerOf(headers, "webhook-timestamp");
  const signatures = parseSignatures(headerOf(headers, "webhook-signature"));
  const body = typeof payload === "string" ? encoder.encode(payload) : payload;
  const signed = new Uint8Array([...encoder.encode(`${id}.${timestamp}.`), ...body]);
  const verifiers = await Promise.all((typeof secret === "string" ? [secret] : secret).map(verifierOf));
  const checks = verifiers.flatMap((verify) => signatures.map((signature) => verify(signature, signed)));
  if (!(await Promise.all(checks)).includes(true)) throw new WebhookVerificationError("The signature does not fit");
  if (!/^\d{1,15}$/.test(timestamp)) throw new WebhookVerificationError("The time is none");
  if (!(Math.abs(now / 1000 - Number(timestamp)) <= toleranceSeconds)) {
    throw new WebhookVerificationError(`The time is more than ${toleranceSeconds} s off`);
  }
  try {
    return { id, event: JSON.parse(new TextDecoder().decode(body)) };
  } catch {
    throw new WebhookVerificationError("The body is not JSON");
  }
}
