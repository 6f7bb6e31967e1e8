/** The end of the middleware chain: runs the route and answers. */
import { Readable } from "node:stream";
import { NotFound } from "../../../ports/errors.ts";
import type { HttpAnswer } from "../../../ports/http.ts";
import { admitTokens } from "../../../service/charges/run-holds.ts";
import type { Organization } from "../../../service/organizations/organization.ts";
import { dispositionOf, type Reply, toAnswer } from "../reply.ts";
import type { CheckedRequest, Middleware, Serve } from "./middleware.ts";

/**
 * Admits a request that opens a run, unless too many runs are open or no tokens are left.
 * @throws ServiceUnavailable, PaymentRequired
 */
export const admitRun: Middleware<CheckedRequest> = (next) => async (request) => {
  if (request.route.gate !== undefined) {
    await request.org.openRuns.admit();
    await admitTokens(request.org);
  }
  return next(request);
};

/** Runs the route. @throws any error of the route */
export const runRoute: Serve<CheckedRequest> = async ({ event, route, input, caller, org, services }) => {
  const reply = await route.run(input as never, { caller, org });
  const streams = event.exchange !== undefined;
  if (reply.kind === "bytes" && streams && reply.body.length > MAX_WHOLE_BYTES) return streamedBytes(reply);
  if (reply.kind !== "blob") return toAnswer(reply);
  const { inlineAnswerBytes } = services.limits;
  return blobAnswer(org, reply, { inlineAnswerBytes, streams });
};

/** Longer bodies are streamed over an open exchange: a whole one is held, and copied, on the thread of all requests. */
const MAX_WHOLE_BYTES = 256 * 1024;

/** The answer of a body that is streamed; the reply's own is not read. */
function streamedAnswer(reply: Reply & { kind: "bytes" }, size: number, stream: Readable): HttpAnswer {
  const { headers, ...rest } = toAnswer({ ...reply, body: new Uint8Array() });
  return { ...rest, headers: { ...headers, "Content-Length": String(size) }, stream };
}

const streamedBytes = (reply: Reply & { kind: "bytes" }): HttpAnswer =>
  streamedAnswer(reply, reply.body.length, Readable.from([reply.body]));

/** Answers a stored blob in the body, as a stream, or by a redirect to a presigned GET when it is larger than a body may be. */
async function blobAnswer(
  org: Organization,
  reply: Reply & { kind: "blob" },
  { inlineAnswerBytes, streams }: { inlineAnswerBytes: number; streams: boolean },
): Promise<HttpAnswer> {
  const { key, contentType } = reply.blob;
  const head = await org.blobs.head(key);
  if (head === undefined) throw new NotFound("The result's file is gone");
  if (head.size > inlineAnswerBytes) {
    const { url } = await org.blobs.presignGet(key, {
      expiresInSeconds: 300,
      ...(reply.fileName === undefined ? {} : { fileName: reply.fileName }),
    });
    return toAnswer({
      kind: "json",
      status: 303,
      body: { location: url },
      headers: { ...reply.headers, Location: url },
    });
  }
  const headers = { ...dispositionOf(reply), ...reply.headers };
  const stream = streams && head.size > MAX_WHOLE_BYTES ? await org.blobs.stream(key) : undefined;
  if (stream !== undefined) {
    const answer = { kind: "bytes" as const, status: reply.status, body: new Uint8Array(), contentType, headers };
    return streamedAnswer(answer, head.size, stream);
  }
  const body = (await org.blobs.get(key)) ?? new Uint8Array();
  return toAnswer({ kind: "bytes", status: reply.status, body, contentType, headers });
}
