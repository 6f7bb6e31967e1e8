/** Reads and checks the input of a route. */
import { BadRequest } from "../../ports/errors.ts";
import { bodyBytes, bodyLength, type HttpEvent } from "../../ports/http.ts";
import { bodyLimitOf, bodyTooLarge } from "./body-limit.ts";
import { Multipart, parseMultipart } from "./multipart.ts";
import type { PartDocumentation, Route, RouteInput } from "./route.ts";
import type { ApiServices } from "./services.ts";
import { check, parseJsonBody } from "./validate.ts";

/** The body as its route reads it. @throws BadRequest */
function bodyOf({ body }: Route, event: HttpEvent): unknown {
  if (body.kind === "json") return parseJsonBody(event, body.schema, body.required);
  if (body.kind !== "json-bytes") return undefined;
  const bytes = bodyBytes(event);
  if (bytes.length === 0) throw new BadRequest("Send a JSON body");
  return bytes;
}

const filePartsOf = (parts: Readonly<Record<string, PartDocumentation>>): Set<string> =>
  new Set(Object.entries(parts).flatMap(([name, { file }]) => (file ? [name] : [])));

/** Parses everything of the request that its route reads. @throws BadRequest, PayloadTooLarge */
export function inputOf(
  route: Route,
  event: HttpEvent,
  { limits }: Pick<ApiServices, "limits">,
  idempotencyKey: string | undefined,
): RouteInput<unknown, unknown, unknown> {
  const { body } = route;
  if (bodyLength(event) > bodyLimitOf(route, limits)) throw bodyTooLarge(route, limits);
  return {
    params: check(route.params, event.pathParameters ?? {}, "path"),
    query: check(route.query, event.queryStringParameters ?? {}, "query"),
    body: bodyOf(route, event),
    multipart:
      body.kind === "multipart"
        ? parseMultipart(
            event.headers["content-type"],
            bodyBytes(event),
            limits.maxDocumentBytes,
            filePartsOf(body.parts),
          )
        : new Multipart(),
    idempotencyKey,
    signature: route.signature === undefined ? undefined : event.headers[route.signature.toLowerCase()],
    newGuid: "",
  };
}
