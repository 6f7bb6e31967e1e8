/** Services that the API's handlers are made with. */
import type { Clock } from "../../ports/clock.ts";
import type { Observer } from "../../ports/observer.ts";
import type { Caller } from "../../service/organizations/api-keys.ts";
import type { Organization } from "../../service/organizations/organization.ts";
import type { RateLimit } from "../../service/organizations/rate-limit.ts";
import type { Fingerprint } from "../../service/organizations/vault.ts";
import type { RequestLimits } from "./body-limit.ts";
import type { ServiceFacts } from "./route.ts";

export interface ApiServices {
  /** @param source the client's IP address @throws Unauthorized, TooManyRequests */
  authenticate(authorization: string | undefined, source: string): Promise<Caller>;
  organization(id: number): Organization;
  /** Fingerprints of requests, which may hold secrets. */
  fingerprint: Fingerprint;
  /** Does an organization's request when it has its turn. Absent: at once, as each function serves one request. */
  inTurn?<T>(organizationId: number, work: () => Promise<T>): Promise<T>;
  /** Resolves when all that an answer may tell is safe from a power failure. Absent: it is as soon as it is written. */
  recorded?(): Promise<void>;
  facts: ServiceFacts;
  clock: Clock;
  observer: Observer;
  limits: RequestLimits & { inlineAnswerBytes: number };
  maintenance: boolean;
  /** Null: requests are not counted. */
  rateLimit: RateLimit | null;
}
