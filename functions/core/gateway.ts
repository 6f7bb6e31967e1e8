/**
 * The request and answer of an API Gateway HTTP API, payload format 2.0. The front on one machine makes the same.
 * Source: AWS, "Working with AWS Lambda proxy integrations for HTTP APIs".
 */
export interface HttpEvent {
  version: "2.0";
  /** `POST /document/process/{guid}`, or `$default` for what no route matches. */
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

/** The body's bytes, as they were sent. */
export const bodyBytes = (event: HttpEvent): Buffer =>
  Buffer.from(event.body ?? "", event.isBase64Encoded ? "base64" : "utf8");

/** How many bytes were sent, counted without decoding them. */
export function bodyLength({ body = "", isBase64Encoded }: HttpEvent): number {
  return Buffer.byteLength(body, isBase64Encoded ? "base64" : "utf8");
}
