/** The base of every function: settings, a clock and an observer. */
import { type LambdaObserver, lambdaObserver } from "../../functions/adapters/aws/observer.ts";
import { sharedClock } from "../../functions/adapters/local/clock.ts";
import type { Clock } from "../../functions/ports/clock.ts";
import { type Config, DEFAULT_CONFIG } from "../../functions/service/organizations/organization.ts";
import { parseBilling } from "../billing.ts";
import { engineStates } from "../engines.ts";
import { parseLimits } from "../limits.ts";
import { parseRateLimit } from "../rate-limit.ts";
import { logLevel, required, type Variables } from "./environment.ts";

/** The engines in the answer of GET /health. */
export const cloudEngines = engineStates({ name: "OCR", on: true, detail: "Amazon Textract" });

/**
 * The limit of a request's body. A function's request and response have at most 6 MB (6,291,456 bytes) with the event's
 * headers, and base64 turns three bytes into four. Source: "Lambda quotas", AWS Lambda Developer Guide.
 */
const MAX_BODY_BYTES = 4_500_000;

export interface Base {
  env: Variables;
  clock: Clock;
  observer: LambdaObserver;
  config: Config;
}

/** @throws ConfigError for a missing setting of the deployment */
export function openBase(env: Variables): Base {
  const clock = sharedClock();
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
      billing: { ...parseBilling(env, "record"), elsewhere: { ocr: "textract" } },
      publicUrl: () => required(env, "SHEAF_PUBLIC_URL"),
      inlineAnswerBytes: MAX_BODY_BYTES,
      // A function takes one request at a time.
      inlineCheckChars: Number.POSITIVE_INFINITY,
      inlineTableBytes: Number.POSITIVE_INFINITY,
      inlineLayoutBytes: Number.POSITIVE_INFINITY,
      distributedMaps: true,
      maxRequestBytes: MAX_BODY_BYTES,
      maintenance: env.SHEAF_MAINTENANCE === "1",
      rateLimit: parseRateLimit(env.SHEAF_RATE_LIMIT),
    },
  };
}
