/** Removes a secret from a provider's answer, in the forms in which a server may say it back. */

const SCRUBBED = "[removed]";

/** The secret as text, as JSON text, in a URL, in base64 (three alignments) and as hexadecimal digits. */
function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret, "utf8");
  // Base64 of the secret inside longer text depends on its place modulo 3; the outer characters mix with neighbours.
  const aligned = [0, 1, 2].map((shift) => {
    const text = Buffer.concat([Buffer.alloc(shift), bytes])
      .toString("base64")
      .replace(/=+$/, "");
    const start = Math.ceil((shift * 8) / 6);
    return text.slice(start, text.length - ((shift + bytes.length) % 3 === 0 ? 0 : 1));
  });
  const urlSafe = aligned.map((text) => text.replaceAll("+", "-").replaceAll("/", "_"));
  const forms = [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
    ...aligned,
    ...urlSafe,
    bytes.toString("hex"),
    bytes.toString("hex").toUpperCase(),
  ];
  // The longest first, so that no form is cut by a shorter one inside it.
  return [...new Set(forms)].sort((a, b) => b.length - a.length);
}

/** Shortest form that is looked for: shorter ones stand in ordinary text. */
const MIN_FORM_CHARACTERS = 6;

/** @returns the same bytes where the secret is not in them */
export function scrubSecret(body: Uint8Array, secret: string | undefined): Uint8Array {
  if (secret === undefined || secret === "") return body;
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("utf8");
  const found = formsOf(secret).filter((form) => form.length >= MIN_FORM_CHARACTERS && text.includes(form));
  if (found.length === 0) return body;
  return Buffer.from(found.reduce((rest, form) => rest.replaceAll(form, SCRUBBED), text));
}
