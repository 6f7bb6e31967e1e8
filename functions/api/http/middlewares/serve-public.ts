/** Serves a route that needs no key. */
import type { HttpAnswer, HttpEvent } from "../../../ports/http.ts";
import { type Reply, toAnswer } from "../reply.ts";
import { inputOf } from "../request-input.ts";
import type { PublicRoute } from "../route.ts";
import type { ApiServices } from "../services.ts";
import { receivedBody } from "./receive-body.ts";
import { maintenanceError } from "./refuse-in-maintenance.ts";

const withoutBlob = (reply: Reply): Exclude<Reply, { kind: "blob" }> => {
  if (reply.kind === "blob") throw new TypeError("A public route answers no blob");
  return reply;
};

/** Answers when all that it tells is safe. @throws ServiceUnavailable for a write during maintenance; as the route */
export async function servePublic(route: PublicRoute, event: HttpEvent, services: ApiServices): Promise<HttpAnswer> {
  const writes = route.method !== "GET";
  if (writes && services.maintenance) throw maintenanceError();
  const received = route.body.kind === "none" ? event : await receivedBody(route, event, services);
  const reply = await route.run(inputOf(route, received, services, undefined) as never, services.facts);
  if (writes) await services.recorded?.();
  return toAnswer(withoutBlob(reply));
}
