/** The server's requested wait: RFC 9110, section 10.2.3, and OpenAI's finer header. */

/** @param now milliseconds since 1970 @returns milliseconds, or undefined when absent or past */
export function retryAfter(headers: Headers, now: number): number | undefined {
  const fine = Number.parseFloat(headers.get("retry-after-ms") ?? "");
  if (Number.isFinite(fine) && fine > 0) return fine;
  const value = headers.get("retry-after")?.trim() ?? "";
  const wait = /^\d+(\.\d+)?$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now;
  return Number.isFinite(wait) && wait > 0 ? wait : undefined;
}
