/** Limits set by the environment, on one machine and in the cloud. */
import type { Config } from "../functions/service/organizations/organization.ts";
import { DEFAULT_CONFIG } from "../functions/service/organizations/organization.ts";
import { MAX_PAGE_QUOTA } from "../functions/service/organizations/page-quota.ts";
import { ConfigError } from "./api-keys.ts";
import { parseRateLimit } from "./rate-limit.ts";

type Variables = Record<string, string | undefined>;

/** @throws ConfigError for anything but a whole number within the bounds */
export function parseWholeNumber(env: Variables, name: string, fallback: number, least: number, most: number): number {
  const text = (env[name] ?? "").trim();
  if (text === "") return fallback;
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw new ConfigError(`${name} must be a whole number from ${least} to ${most}`);
}

/** Days; `off`: for good. */
function parseDays(env: Variables, name: string, fallback: number | null): number | null {
  if ((env[name] ?? "").trim().toLowerCase() === "off") return null;
  return parseWholeNumber(env, name, fallback ?? MAX_KEPT_DAYS, 1, MAX_KEPT_DAYS);
}

/** `SHEAF_PAGE_QUOTA`: pages a day; `off` or empty for none. */
function parsePageQuota(env: Variables): number | null {
  const name = "SHEAF_PAGE_QUOTA";
  const wish = (env[name] ?? "").trim().toLowerCase();
  return wish === "" || wish === "off" ? null : parseWholeNumber(env, name, 0, 1, MAX_PAGE_QUOTA);
}

/** Ten years. */
const MAX_KEPT_DAYS = 3650;
const MAX_RUNS = 10_000_000;

/** @throws ConfigError for an unusable setting */
export function parseLimits(
  env: Variables,
): Pick<Config, "retentionDays" | "auditDays" | "maxOpenRuns" | "orgOpenRuns" | "pageQuota" | "startRate"> {
  const maxOpenRuns = parseWholeNumber(env, "SHEAF_MAX_OPEN_RUNS", DEFAULT_CONFIG.maxOpenRuns, 1, MAX_RUNS);
  const share = Math.min(DEFAULT_CONFIG.orgOpenRuns, maxOpenRuns);
  return {
    retentionDays: parseDays(env, "SHEAF_RETENTION_DAYS", DEFAULT_CONFIG.retentionDays),
    auditDays: parseDays(env, "SHEAF_AUDIT_DAYS", DEFAULT_CONFIG.auditDays),
    maxOpenRuns,
    startRate: parseRateLimit(env.SHEAF_START_RATE, "SHEAF_START_RATE", "starts of runs"),
    pageQuota: parsePageQuota(env),
    orgOpenRuns: parseWholeNumber(env, "SHEAF_ORG_OPEN_RUNS", share, 1, MAX_RUNS),
  };
}
