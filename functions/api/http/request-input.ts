/** Reads and checks the input of a route. */
import { bodyBytes, bodyLength, type HttpEvent } from "../../ports/http.ts";
import { bodyLimitOf, bodyTooLarge } from "./body-limit.ts";
import { Multipart, parseMultipart } from "./multipart.ts";
import type { Route, RouteInput } from "./route.ts";
import type { ApiServices } from "./services.ts";
import { check, parseJsonBody } from "./validate.ts";

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
    body: body.kind === "json" ? parseJsonBody(event, body.schema, body.required) : undefined,
    multipart:
      body.kind === "multipart"
        ? parseMultipart(event.headers["content-type"], bodyBytes(event), limits.maxDocumentBytes)
        : new Multipart(),
    idempotencyKey,
    newGuid: "",
  };
}
