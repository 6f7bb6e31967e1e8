/** The webhook of payments: its body as it was sent, byte for byte. */
import { beforeEach, describe, expect, it } from "vitest";
import { engineStates } from "../../../bin/engines.ts";
import { makeHandler } from "../../../functions/api/http/handler.ts";
import { paymentRoutes } from "../../../functions/api/payments.ts";
import { BadRequest } from "../../../functions/ports/errors.ts";
import type { HttpEvent } from "../../../functions/ports/http.ts";
import { silentObserver } from "../../../functions/ports/observer.ts";
import { DEFAULT_CONFIG } from "../../../functions/service/organizations/organization.ts";
import { manualClock } from "../../support/clock.ts";

const BODY = Buffer.from('{"id":"evt_1", "name":"Zwölf ✓"}\r\n');
let taken: { body: Buffer; signature: string | undefined }[];
let safe: number;
beforeEach(() => {
  taken = [];
  safe = 0;
});

const none = () => Promise.reject(new Error("A webhook needs no key"));
function handlerWith({ maintenance = false, error }: { maintenance?: boolean; error?: Error } = {}) {
  return makeHandler(paymentRoutes, {
    authenticate: none,
    organization: () => {
      throw new Error("The event names the organization");
    },
    fingerprint: none,
    recorded: async () => {
      safe += 1;
    },
    facts: {
      version: "1",
      engines: engineStates({ name: "OCR", on: false, detail: "none" }),
      openapi: () => "{}",
      referenceScript: async () => new Uint8Array(),
      async takePaymentEvent(body, signature) {
        if (error !== undefined) throw error;
        taken.push({ body: Buffer.from(body), signature });
      },
    },
    clock: manualClock(),
    observer: silentObserver,
    limits: DEFAULT_CONFIG,
    maintenance,
    rateLimit: null,
  });
}

const event = (body: string, isBase64Encoded: boolean): HttpEvent => ({
  version: "2.0",
  routeKey: "POST /billing/webhook",
  rawPath: "/billing/webhook",
  rawQueryString: "",
  headers: { "stripe-signature": "t=1,v1=a" },
  requestContext: { requestId: "r", http: { method: "POST", path: "/billing/webhook", sourceIp: "::1" }, timeEpoch: 0 },
  body,
  isBase64Encoded,
});

describe("POST /billing/webhook", () => {
  it("takes its bytes as they were sent, as text or in base64, and answers when they are safe", async () => {
    const handler = handlerWith();
    for (const one of [event(BODY.toString("utf8"), false), event(BODY.toString("base64"), true)])
      expect(await handler(one)).toMatchObject({ statusCode: 200, body: '{"received":true}' });
    expect(taken).toEqual(Array(2).fill({ body: BODY, signature: "t=1,v1=a" }));
    expect(safe).toBe(2);
  });

  it("refuses what its verification refuses, and nothing is waited for", async () => {
    const answer = await handlerWith({ error: new BadRequest("The event is not signed") })(event("{}", false));
    expect([answer.statusCode, safe]).toEqual([400, 0]);
  });

  it("takes no event during maintenance, and none over 1 MB", async () => {
    const answer = await handlerWith({ maintenance: true })(event("{}", false));
    expect(answer).toMatchObject({ statusCode: 503, headers: { "Retry-After": "60" } });
    expect((await handlerWith()(event("a".repeat(1_000_001), false))).statusCode).toBe(413);
    expect(taken).toEqual([]);
  });
});
