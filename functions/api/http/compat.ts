/**
 * `/compat`: the same API for clients that expect other values than the specification's. It calls the same routes; all
 * differences are in this file.
 */

import { type HttpAnswer, type HttpEvent, type HttpHandler, wholeAnswer } from "../../ports/http.ts";
import { isObject, type Json } from "../../ports/json.ts";

const PREFIX = "/compat";

/** Returns the routes, followed by the same routes below the prefix. */
export const withCompat = <R extends { path: string }>(routes: readonly R[]): R[] => [
  ...routes,
  ...routes.map((route) => ({ ...route, path: PREFIX + route.path })),
];

/** Differences of an answer, by route key; other answers are unchanged. */
interface Difference {
  /** Answers 200 instead of 201. */
  created?: true;
  /** Answers a text as one JSON string. */
  text?: true;
  /**
   * Translates the statuses of jobs, nodes or operations. `accepted`: only in 202 answers, because the 200 is a
   * document's data.
   */
  statuses?: true | "accepted";
  /** Answers 200 with an empty list instead of 204. */
  emptied?: true;
  /** Ignores fields that a template does not have. */
  ignoresUnknown?: true;
}

const TRANSLATES_STATUSES: Difference = { statuses: true };
const DIFFERENCES: Readonly<Record<string, Difference>> = {
  "POST /document/upload": { created: true, ...TRANSLATES_STATUSES },
  "POST /document/batch/{guid}/upload": { created: true },
  "POST /configuration/{name}": { created: true },
  "GET /job/result/{guid}": { text: true },
  "POST /document/ocr/sync": { text: true, statuses: "accepted" },
  "POST /document/upload-files/sync": { statuses: "accepted" },
  "POST /document/process/{guid}": TRANSLATES_STATUSES,
  "POST /document/process/{guid}/with-configuration/{name}": TRANSLATES_STATUSES,
  "POST /document/ocr/{guid}": TRANSLATES_STATUSES,
  "POST /document/upload-files": TRANSLATES_STATUSES,
  "POST /document/analyze": TRANSLATES_STATUSES,
  "POST /document/generate-schema": TRANSLATES_STATUSES,
  "POST /document/batch/{guid}/process": TRANSLATES_STATUSES,
  "POST /document/batch/{guid}/process/with-configuration/{name}": TRANSLATES_STATUSES,
  "POST /document/batch/{guid}/schedule": TRANSLATES_STATUSES,
  "GET /job/status/{guid}": TRANSLATES_STATUSES,
  "GET /job/list": TRANSLATES_STATUSES,
  "GET /job/dependencies/{guid}": TRANSLATES_STATUSES,
  "GET /job/pipeline/{guid}/nodes": TRANSLATES_STATUSES,
  "POST /job/{guid}/cancel": TRANSLATES_STATUSES,
  "POST /operation": TRANSLATES_STATUSES,
  "GET /operation/{jobGuid}": TRANSLATES_STATUSES,
  "GET /operation/{jobGuid}/{type}": TRANSLATES_STATUSES,
  "POST /operation/{parentJobId}/generative-task": TRANSLATES_STATUSES,
  "GET /operation/{parentJobId}/generative-task": TRANSLATES_STATUSES,
  "POST /job/{parentJobGuid}/pdf-acroform/apply": TRANSLATES_STATUSES,
  "DELETE /template/{name}": { emptied: true },
  "POST /template/fill/{name}": { ignoresUnknown: true },
};

/** Clients know ERROR as the end without a result. */
const COMPAT_STATUSES: Readonly<Record<string, string>> = { FAILED: "ERROR", CANCELLED: "ERROR", PARTIAL: "COMPLETED" };
/** Members of an answer that hold nested jobs, nodes or operations. */
const NESTED_MEMBERS = ["content", "parentJob", "operations", "pipeline", "nodes"];

/** Returns a copy with translated statuses; visits jobs, nodes and operations only. */
function translateStatuses(value: Json): Json {
  if (Array.isArray(value)) return value.map(translateStatuses);
  if (!isObject(value)) return value;
  const told = { ...value };
  for (const name of NESTED_MEMBERS) {
    const held = value[name];
    if (held !== undefined) told[name] = translateStatuses(held);
  }
  const { status } = value;
  if (typeof status !== "string" || !Object.hasOwn(COMPAT_STATUSES, status)) return told;
  told.status = COMPAT_STATUSES[status] ?? status;
  // Clients take any error for a failure; receipt and validationErrors still name the shortfall.
  if (status === "PARTIAL" && value.error !== undefined) told.error = null;
  if (told.status === "ERROR" && value.error === null) {
    told.error = status === "CANCELLED" ? "Cancelled" : "Processing failed";
  }
  return told;
}

/** Nothing of a streamed file differs but of texts. */
const isBinary = ({ stream, isBase64Encoded }: HttpAnswer): boolean => stream !== undefined && isBase64Encoded;

const isJson = ({ headers }: HttpAnswer): boolean => /^application\/json\b/i.test(headers["Content-Type"] ?? "");

const withJson = (answer: HttpAnswer, value: Json, statusCode = answer.statusCode): HttpAnswer => ({
  ...answer,
  statusCode,
  headers: { ...answer.headers, "Content-Type": "application/json" },
  body: JSON.stringify(value),
  isBase64Encoded: false,
});

function answerAs(answer: HttpAnswer, { created, text, statuses, emptied }: Difference): HttpAnswer {
  const { statusCode } = answer;
  if (emptied && statusCode === 204) return withJson(answer, [], 200);
  if (text && statusCode === 200 && !isJson(answer)) {
    const bytes = Buffer.from(answer.body, answer.isBase64Encoded ? "base64" : "utf8");
    return withJson(answer, bytes.toString("utf8"));
  }
  const shows = statuses === "accepted" ? statusCode === 202 : statuses === true;
  const told = shows && isJson(answer) ? withJson(answer, translateStatuses(JSON.parse(answer.body))) : answer;
  return created && statusCode === 201 ? { ...told, statusCode: 200 } : told;
}

/** Returns the event with one query parameter set. */
function withParameter(event: HttpEvent, name: string, value: string): HttpEvent {
  const query = new URLSearchParams(event.rawQueryString);
  query.set(name, value);
  const queryStringParameters = { ...event.queryStringParameters, [name]: value };
  return { ...event, rawQueryString: query.toString(), queryStringParameters };
}

/** Rewrites a request below the prefix into a request of the plain routes. */
function plainEvent(event: HttpEvent, routeKey: string): HttpEvent {
  const { authorization } = event.headers;
  const bare = authorization !== undefined && /^\s*\S+\s*$/.test(authorization);
  const asked: HttpEvent = {
    ...event,
    routeKey,
    rawPath: event.rawPath.slice(PREFIX.length),
    headers: bare ? { ...event.headers, authorization: `Bearer ${authorization.trim()}` } : event.headers,
  };
  const { status } = event.queryStringParameters ?? {};
  if (routeKey === "GET /job/list" && status?.toUpperCase() === "ERROR") {
    return withParameter(asked, "status", "FAILED,CANCELLED");
  }
  return DIFFERENCES[routeKey]?.ignoresUnknown ? withParameter(asked, "ignoreUnknown", "true") : asked;
}

/** Sets the requested path in an error body. */
function withPath(answer: HttpAnswer, path: string): HttpAnswer {
  const body: Json = JSON.parse(answer.body);
  return isObject(body) ? withJson(answer, { ...body, path }) : answer;
}

/** Wraps a handler so that it also serves the paths below the prefix. */
export function compatible(handler: HttpHandler): HttpHandler {
  return async (event) => {
    const [method, path = ""] = event.routeKey.split(" ", 2);
    if (!path.startsWith(`${PREFIX}/`)) return handler(event);
    const routeKey = `${method} ${path.slice(PREFIX.length)}`;
    const answer = await handler(plainEvent(event, routeKey));
    if (answer.statusCode >= 400) return isJson(answer) ? withPath(answer, event.rawPath) : answer;
    const difference = DIFFERENCES[routeKey];
    if (difference === undefined || isBinary(answer)) return answer;
    return answerAs(await wholeAnswer(answer), difference);
  };
}
