/** The end of the middleware chain: runs the route and answers. */
import { NotFound } from "../../../ports/errors.ts";
import { attachment, type HttpAnswer } from "../../../ports/http.ts";
import type { Organization } from "../../../service/organizations/organization.ts";
import { type Reply, toAnswer } from "../reply.ts";
import type { CheckedRequest, Middleware, Serve } from "./middleware.ts";

/** Admits a request that opens a run, unless too many runs are open. @throws ServiceUnavailable */
export const admitRun: Middleware<CheckedRequest> = (next) => async (request) => {
  if (request.route.gate !== undefined) await request.org.openRuns.admit();
  return next(request);
};

/** Runs the route. @throws any error of the route */
export const runRoute: Serve<CheckedRequest> = async ({ route, input, caller, org, services }) => {
  const reply = await route.run(input as never, { caller, org });
  return reply.kind === "blob" ? blobAnswer(org, reply, services.limits.inlineAnswerBytes) : toAnswer(reply);
};

/** Answers a stored blob in the body, or by a redirect to a presigned GET when it is larger than a body may be. */
async function blobAnswer(
  org: Organization,
  reply: Reply & { kind: "blob" },
  inlineBytes: number,
): Promise<HttpAnswer> {
  const { key, contentType } = reply.blob;
  const head = await org.blobs.head(key);
  if (head === undefined) throw new NotFound("The result's file is gone");
  if (head.size > inlineBytes) {
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
  const body = (await org.blobs.get(key)) ?? new Uint8Array();
  const named = reply.fileName === undefined ? {} : { "Content-Disposition": attachment(reply.fileName) };
  const headers = { ...named, ...reply.headers };
  return toAnswer({ kind: "bytes", status: reply.status, body, contentType, headers });
}
