/**
 * Request and answer of an API Gateway HTTP API, payload format 2.0. The HTTP server on one machine makes the same.
 * Source: AWS, "Working with AWS Lambda proxy integrations for HTTP APIs".
 */
export interface HttpEvent {
  version: "2.0";
  /** `POST /document/process/{guid}`, or `$default` for a request that matches no route. */
  routeKey: string;
  rawPath: string;
  rawQueryString: string;
  /** Lower-case names; several values joined by commas. */
  headers: Record<string, string | undefined>;
  queryStringParameters?: Record<string, string | undefined>;
  pathParameters?: Record<string, string | undefined>;
  requestContext: {
    requestId: string;
    http: { method: string; path: string; sourceIp: string };
    timeEpoch: number;
  };
  body?: string;
  isBase64Encoded: boolean;
}

export interface HttpAnswer {
  statusCode: number;
  headers: Record<string, string>;
  body: string;
  isBase64Encoded: boolean;
}

export type HttpHandler = (event: HttpEvent) => Promise<HttpAnswer>;

/** The body's bytes as sent. */
export const bodyBytes = (event: HttpEvent): Buffer =>
  Buffer.from(event.body ?? "", event.isBase64Encoded ? "base64" : "utf8");

/** The body's length in bytes as sent, computed without decoding it. */
export function bodyLength({ body = "", isBase64Encoded }: HttpEvent): number {
  return Buffer.byteLength(body, isBase64Encoded ? "base64" : "utf8");
}

/**
 * The Content-Disposition of a file to save (RFC 6266): its name in ASCII for old clients, and in full as `filename*`
 * (RFC 8187) where it has other characters.
 */
export function attachment(fileName: string | undefined): string {
  if (fileName === undefined) return "attachment";
  const name = fileName.toWellFormed().replace(/[\p{Cc}/\\]/gu, "_");
  const ascii = name.replace(/[^\x20-\x7e]|["%]/gu, "_");
  if (ascii === name) return `attachment; filename="${name}"`;
  const full = encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
  return `attachment; filename="${ascii}"; filename*=UTF-8''${full}`;
}
