/** Common to every function: settings, clock and observer. */
import { lambdaObserver } from "../../functions/adapters/aws/observer.ts";
import { systemClock } from "../../functions/adapters/local/clock.ts";
import type { Clock } from "../../functions/ports/clock.ts";
import type { Observer } from "../../functions/ports/observer.ts";
import { type Config, DEFAULT_CONFIG } from "../../functions/service/organizations/organization.ts";
import { engineStates } from "../engines.ts";
import { parseLimits } from "../limits.ts";
import { parseRateLimit } from "../rate-limit.ts";
import { logLevel, required, type Variables } from "./environment.ts";

/** Engine states that GET /health reports for a deployment. */
export const cloudEngines = engineStates({ name: "OCR", on: true, detail: "Amazon Textract" });

/**
 * A function receives and returns at most 6 MB (6,291,456 bytes), the event's headers included, and base64 makes four
 * bytes of three. Source: "Lambda quotas", AWS Lambda Developer Guide.
 */
const BODY_BYTES = 4_500_000;

export interface Base {
  env: Variables;
  clock: Clock;
  observer: Observer;
  config: Config;
}

/** @throws ConfigError when the function was deployed without one of its settings */
export function openBase(env: Variables): Base {
  const clock = systemClock();
  return {
    env,
    clock,
    observer: lambdaObserver({
      write: (line) => process.stdout.write(line),
      level: logLevel(env),
      now: () => clock.now(),
      namespace: required(env, "SHEAF_METRICS"),
    }),
    config: {
      ...DEFAULT_CONFIG,
      ...parseLimits(env),
      inlineAnswerBytes: BODY_BYTES,
      distributedMaps: true,
      maxRequestBytes: BODY_BYTES,
      maintenance: env.SHEAF_MAINTENANCE === "1",
      rateLimit: parseRateLimit(env.SHEAF_RATE_LIMIT),
    },
  };
}
