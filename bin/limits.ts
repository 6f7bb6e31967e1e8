/** Limits that the environment sets, on one machine and in the cloud alike. */
import type { Config } from "../functions/service/organizations/organization.ts";
import { DEFAULT_CONFIG } from "../functions/service/organizations/organization.ts";
import { ConfigError } from "./api-keys.ts";

type Variables = Record<string, string | undefined>;

/** @throws ConfigError for what is no whole number within the bounds */
export function wholeNumber(env: Variables, name: string, fallback: number, least: number, most: number): number {
  const text = (env[name] ?? "").trim();
  if (text === "") return fallback;
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw new ConfigError(`${name} must be a whole number from ${least} to ${most}`);
}

const LONGEST_DAYS = 3650;
const MOST_RUNS = 10_000_000;

/** @throws ConfigError for a setting that cannot be used */
export function parseLimits(env: Variables): Pick<Config, "retentionDays" | "maxOpenRuns" | "orgOpenRuns"> {
  const keep = (env.SHEAF_RETENTION_DAYS ?? "").trim().toLowerCase() === "off";
  const days = (): number =>
    wholeNumber(env, "SHEAF_RETENTION_DAYS", DEFAULT_CONFIG.retentionDays ?? LONGEST_DAYS, 1, LONGEST_DAYS);
  const maxOpenRuns = wholeNumber(env, "SHEAF_MAX_OPEN_RUNS", DEFAULT_CONFIG.maxOpenRuns, 1, MOST_RUNS);
  const share = Math.min(DEFAULT_CONFIG.orgOpenRuns, maxOpenRuns);
  return {
    retentionDays: keep ? null : days(),
    maxOpenRuns,
    orgOpenRuns: wholeNumber(env, "SHEAF_ORG_OPEN_RUNS", share, 1, MOST_RUNS),
  };
}
