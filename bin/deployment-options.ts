/** Options of a deployment, from the context of the CDK app: parsed once, strictly, before anything is synthesized. */
import type { DeploymentOptions } from "../lib/deployment.ts";
import { ConfigError } from "./api-keys.ts";
import { parseWholeNumber } from "./limits.ts";

/** Reads a member of the context. */
export type ReadContext = (name: string) => unknown;

export interface CloudOptions extends DeploymentOptions {
  /** Address to which alarms are sent. */
  alarmEmail?: string;
  /** Puts CloudFront before the API: requests of one address in 5 minutes. */
  edgeRateLimit?: number;
}

const EMAIL_PATTERN = /^[^@\s]{1,64}@[^@\s]{1,255}$/;
/** The longest period of DynamoDB's point-in-time recovery. */
const MAX_RECOVERY_DAYS = 35;

/** The range of a rate rule's limit. Source: "Rate-based rule high-level settings", AWS WAF Developer Guide. */
const [MIN_EDGE_RATE, MAX_EDGE_RATE] = [10, 100_000_000];

const textOf = (read: ReadContext, name: string): string => {
  const value = read(name);
  return value === undefined || value === null ? "" : String(value).trim();
};

/** `1`, `true`, `0` or `false`, as `-c` and cdk.json give them. @throws ConfigError for another value */
function switchOf(read: ReadContext, name: string): boolean {
  const text = textOf(read, name).toLowerCase();
  if (["", "0", "false"].includes(text)) return false;
  if (["1", "true"].includes(text)) return true;
  throw new ConfigError(`${name} must be 1 or 0`);
}

function emailOf(read: ReadContext, name: string): string | undefined {
  const text = textOf(read, name);
  if (text === "" || EMAIL_PATTERN.test(text)) return text === "" ? undefined : text;
  throw new ConfigError(`${name} must be an e-mail address`);
}

const numberOf = (read: ReadContext, name: string, least: number, most: number): number | undefined => {
  const text = textOf(read, name);
  return text === "" ? undefined : parseWholeNumber({ [name]: text }, name, 0, least, most);
};

/** @throws ConfigError for an unusable option */
export function parseCloudOptions(read: ReadContext): CloudOptions {
  const recoveryDays = numberOf(read, "recoveryDays", 1, MAX_RECOVERY_DAYS);
  const edgeRateLimit = numberOf(read, "edgeRateLimit", MIN_EDGE_RATE, MAX_EDGE_RATE);
  const alarmEmail = emailOf(read, "alarmEmail");
  return {
    customerKey: switchOf(read, "customerKey"),
    retainLogs: switchOf(read, "retainLogs"),
    tracing: switchOf(read, "tracing"),
    ...(recoveryDays === undefined ? {} : { recoveryDays }),
    ...(edgeRateLimit === undefined ? {} : { edgeRateLimit }),
    ...(alarmEmail === undefined ? {} : { alarmEmail }),
  };
}
