import { describe, expect, it } from "vitest";
import * as z from "zod";
import { inputOf } from "../../../../functions/api/http/request-input.ts";
import { route } from "../../../../functions/api/http/route.ts";
import type { HttpEvent } from "../../../../functions/ports/http.ts";

const fill = route({
  method: "POST",
  path: "/fill",
  scope: "write",
  tag: "Tests",
  summary: "Fill",
  body: { kind: "json-bytes", schema: z.object({ fields: z.looseObject({}) }), examples: {} },
  replies: {},
  run: async () => ({ kind: "empty" }),
});
const limits = { maxDocumentBytes: 100, maxRequestBytes: 100, inlineAnswerBytes: 100 };
const event = (bytes: Uint8Array): HttpEvent => ({
  version: "2.0",
  routeKey: "POST /fill",
  rawPath: "/fill",
  rawQueryString: "",
  headers: {},
  requestContext: { requestId: "r", http: { method: "POST", path: "/fill", sourceIp: "" }, timeEpoch: 0 },
  isBase64Encoded: false,
  bytes,
});

describe("a body of JSON bytes", () => {
  it("is passed on as it came, and not parsed", () => {
    const bytes = Buffer.from('{"fields": no JSON');
    const { body } = inputOf(fill, event(bytes), { limits }, undefined) as { body: Buffer };
    expect(body.buffer).toBe(bytes.buffer);
    expect(body).toEqual(bytes);
  });

  it("is required, and has the route's limit", () => {
    expect(() => inputOf(fill, event(new Uint8Array()), { limits }, undefined)).toThrow("Send a JSON body");
    expect(() => inputOf(fill, event(Buffer.alloc(101)), { limits }, undefined)).toThrow(
      "The request is over 0.0001 MB (100 bytes), the most that is taken here at once; send less",
    );
  });
});
