import type { RateLimit } from "../functions/service/organizations/rate-limit.ts";
import { ConfigError } from "./api-keys.ts";

/**
 * `SHEAF_RATE_LIMIT` or another rate as `60:100`, requests per minute and burst; `off` or empty for none.
 * @throws ConfigError
 */
export function parseRateLimit(
  text: string | undefined,
  name = "SHEAF_RATE_LIMIT",
  subject = "requests",
): RateLimit | null {
  const wish = (text ?? "").trim();
  if (wish === "" || wish === "off") return null;
  const [, perMinute, burst] = /^(\d{1,7}):(\d{1,7})$/.exec(wish) ?? [];
  const limit = { perMinute: Number(perMinute), burst: Number(burst) };
  if (limit.perMinute >= 1 && limit.burst >= 1) return limit;
  throw new ConfigError(`${name} must be ${subject} a minute and at once, as in 60:100, or off`);
}
