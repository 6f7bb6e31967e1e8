/** Serves a route that needs no key. */
import type { HttpAnswer, HttpEvent } from "../../../ports/http.ts";
import { appendEntry, auditOf } from "../../../service/audit/audit-log.ts";
import { PAYMENTS } from "../../../service/audit/audit-records.ts";
import { type Reply, toAnswer } from "../reply.ts";
import { inputOf } from "../request-input.ts";
import type { PublicRoute, ServiceFacts } from "../route.ts";
import type { ApiServices } from "../services.ts";
import { receivedBody } from "./receive-body.ts";
import { maintenanceError } from "./refuse-in-maintenance.ts";

const withoutBlob = (reply: Reply): Exclude<Reply, { kind: "blob" }> => {
  if (reply.kind === "blob") throw new TypeError("A public route answers no blob");
  return reply;
};

/** Takes events of payments, and records each in the audit of the organization that it changed. */
const auditedPaymentEvent =
  (route: PublicRoute, event: HttpEvent, { facts, organization }: ApiServices): ServiceFacts["takePaymentEvent"] =>
  async (body, signature) => {
    const changed = await facts.takePaymentEvent(body, signature);
    if (changed === undefined) return undefined;
    await appendEntry(auditOf(organization(changed)), {
      keyId: PAYMENTS,
      method: route.method,
      path: route.path,
      resource: null,
      address: event.requestContext.http.sourceIp,
      status: 200,
      replayed: false,
    });
    return changed;
  };

/** Answers when all that it tells is safe. @throws ServiceUnavailable for a write during maintenance; as the route */
export async function servePublic(route: PublicRoute, event: HttpEvent, services: ApiServices): Promise<HttpAnswer> {
  const writes = route.method !== "GET";
  if (writes && services.maintenance) throw maintenanceError();
  const received = route.body.kind === "none" ? event : await receivedBody(route, event, services);
  const facts = { ...services.facts, takePaymentEvent: auditedPaymentEvent(route, event, services) };
  const reply = await route.run(inputOf(route, received, services, undefined) as never, facts);
  if (writes) await services.recorded?.();
  return toAnswer(withoutBlob(reply));
}
