/**
 * A Content-Disposition that has the client save a file (RFC 6266), its name in ASCII for old clients and in full as
 * `filename*` (RFC 8187) where that says more.
 */
export function attachment(fileName: string | undefined): string {
  if (fileName === undefined) return "attachment";
  const name = fileName.toWellFormed().replace(/[\p{Cc}/\\]/gu, "_");
  const ascii = name.replace(/[^\x20-\x7e]|["%]/gu, "_");
  if (ascii === name) return `attachment; filename="${name}"`;
  const full = encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
  return `attachment; filename="${ascii}"; filename*=UTF-8''${full}`;
}
