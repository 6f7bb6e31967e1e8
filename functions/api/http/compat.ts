/**
 * `/compat`: the same API for clients that expect other values than the specification's. It calls the same routes; all
 * differences are in this file.
 */

import type { HttpAnswer, HttpEvent, HttpHandler } from "../../ports/http.ts";
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

const SHOWS: Difference = { statuses: true };
const DIFFERENCES: Readonly<Record<string, Difference>> = {
  "POST /document/upload": { created: true, ...SHOWS },
  "POST /document/batch/{guid}/upload": { created: true },
  "POST /configuration/{name}": { created: true },
  "GET /job/result/{guid}": { text: true },
  "POST /document/ocr/sync": { text: true, statuses: "accepted" },
  "POST /document/upload-files/sync": { statuses: "accepted" },
  "POST /document/process/{guid}": SHOWS,
  "POST /document/process/{guid}/with-configuration/{name}": SHOWS,
  "POST /document/ocr/{guid}": SHOWS,
  "POST /document/upload-files": SHOWS,
  "POST /document/analyze": SHOWS,
  "POST /document/generate-schema": SHOWS,
  "POST /document/batch/{guid}/process": SHOWS,
  "POST /document/batch/{guid}/process/with-configuration/{name}": SHOWS,
  "POST /document/batch/{guid}/schedule": SHOWS,
  "GET /job/status/{guid}": SHOWS,
  "GET /job/list": SHOWS,
  "GET /job/dependencies/{guid}": SHOWS,
  "GET /job/pipeline/{guid}/nodes": SHOWS,
  "POST /job/{guid}/cancel": SHOWS,
  "POST /operation": SHOWS,
  "GET /operation/{jobGuid}": SHOWS,
  "GET /operation/{jobGuid}/{type}": SHOWS,
  "POST /operation/{parentJobId}/generative-task": SHOWS,
  "GET /operation/{parentJobId}/generative-task": SHOWS,
  "POST /job/{parentJobGuid}/pdf-acroform/apply": SHOWS,
  "DELETE /template/{name}": { emptied: true },
  "POST /template/fill/{name}": { ignoresUnknown: true },
};

/** Clients know ERROR as the end without a result. */
const STATUSES: Readonly<Record<string, string>> = { FAILED: "ERROR", CANCELLED: "ERROR", PARTIAL: "COMPLETED" };
/** Members of an answer that hold nested jobs, nodes or operations. */
const HOLDERS = ["content", "parentJob", "operations", "pipeline", "nodes"];

/** Returns a copy with translated statuses; visits jobs, nodes and operations only. */
function translated(value: Json): Json {
  if (Array.isArray(value)) return value.map(translated);
  if (!isObject(value)) return value;
  const told = { ...value };
  for (const name of HOLDERS) {
    const held = value[name];
    if (held !== undefined) told[name] = translated(held);
  }
  const { status } = value;
  if (typeof status !== "string" || !Object.hasOwn(STATUSES, status)) return told;
  told.status = STATUSES[status] ?? status;
  if (told.status === "ERROR" && value.error === null) {
    told.error = status === "CANCELLED" ? "Cancelled" : "Processing failed";
  }
  return told;
}

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
  const told = shows && isJson(answer) ? withJson(answer, translated(JSON.parse(answer.body))) : answer;
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
function plain(event: HttpEvent, routeKey: string): HttpEvent {
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
    const answer = await handler(plain(event, routeKey));
    if (answer.statusCode >= 400) return isJson(answer) ? withPath(answer, event.rawPath) : answer;
    return answerAs(answer, DIFFERENCES[routeKey] ?? {});
  };
}
