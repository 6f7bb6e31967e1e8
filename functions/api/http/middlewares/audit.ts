/**
 * Records every request of a route that is no GET, whatever its outcome. The entry is written before the answer is sent
 * and after the work: an acknowledged change has its entry. A crash in between may leave a change whose caller got no
 * answer without one; the caller's next try has an entry of its own.
 */
import type { HttpAnswer, HttpEvent } from "../../../ports/http.ts";
import { describeError } from "../../../ports/observer.ts";
import { appendEntry, auditOf } from "../../../service/audit/audit-log.ts";
import { REPLAYED_HEADER_NAME, statusOf } from "../reply.ts";
import type { Route } from "../route.ts";
import type { CallerRequest, Middleware } from "./middleware.ts";

/** Longer answers are results, which name nothing that was made. */
const MAX_ANSWER_CHARACTERS = 20_000;
/** Members of an answer that name the made thing, the more specific first. */
const ID_MEMBERS = ["guid", "jobGuid", "id"] as const;
const ID_PATTERN = /^[A-Za-z0-9_-]{1,64}$/;

/** The id of what an answer says was made. */
function madeId({ statusCode, headers, body, stream }: HttpAnswer): string | null {
  const isJson = headers["Content-Type"] === "application/json";
  if (statusCode >= 300 || !isJson || stream !== undefined || body.length > MAX_ANSWER_CHARACTERS) return null;
  const made: unknown = JSON.parse(body);
  if (typeof made !== "object" || made === null) return null;
  for (const name of ID_MEMBERS) {
    const id = (made as Record<string, unknown>)[name];
    if ((typeof id === "string" || typeof id === "number") && ID_PATTERN.test(String(id))) return String(id);
  }
  return null;
}

/** The ids in the request's path; undefined for a path without placeholders. */
function idsOfPath(route: Pick<Route, "params">, { pathParameters = {} }: HttpEvent): string | undefined {
  const ids = Object.keys(route.params.shape).map((name) => pathParameters[name] ?? "");
  return ids.length === 0 ? undefined : ids.join("/");
}

async function append(
  { route, event, caller, org }: CallerRequest,
  status: number,
  answer: HttpAnswer | undefined,
): Promise<void> {
  await appendEntry(auditOf(org), {
    keyId: caller.keyId,
    method: route.method,
    path: route.path,
    resource: idsOfPath(route, event) ?? (answer === undefined ? null : madeId(answer)),
    address: event.requestContext.http.sourceIp,
    status,
    replayed: answer?.headers[REPLAYED_HEADER_NAME] !== undefined,
  });
}

/** Records the request. @throws the error of the request, or of a store that cannot record what was done */
export const audit: Middleware<CallerRequest> = (next) => async (request) => {
  if (request.route.method === "GET") return next(request);
  let answer: HttpAnswer;
  try {
    answer = await next(request);
  } catch (error) {
    await append(request, statusOf(error), undefined).catch((failure: unknown) => {
      const { observer, id: organization } = request.org;
      observer.log("error", "a refused request is not in the audit", { organization, ...describeError(failure) });
    });
    throw error;
  }
  await append(request, answer.statusCode, answer);
  return answer;
};
