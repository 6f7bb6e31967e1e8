/** The environment of one machine, parsed once and strictly. */
import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import type { StripeSettings } from "../../functions/adapters/stripe/stripe-payments.ts";
import type { LogLevel } from "../../functions/ports/observer.ts";
import type { BillingSettings } from "../../functions/service/billing/billing-settings.ts";
import { type NamedKey, SCOPES } from "../../functions/service/organizations/api-keys.ts";
import type { RateLimit } from "../../functions/service/organizations/rate-limit.ts";
import { ConfigError, parseKeys } from "../api-keys.ts";
import { parseBilling } from "../billing.ts";
import { parseLimits, parseWholeNumber } from "../limits.ts";
import { type ModelConfig, parseModel } from "../models.ts";
import { parsePayments, parsePublicUrl } from "../payments.ts";
import { parseRateLimit } from "../rate-limit.ts";
import { isLoopback, parseAllowedHosts } from "./hosts.ts";

export interface LocalConfig {
  host: string;
  port: number;
  dataDir: string;
  keys: NamedKey[];
  /** The key of the first start is in use: only loopback may reach the service. */
  defaultKey: boolean;
  /** Names besides those of this machine that requests may have in `Host` while the default key is in use. */
  allowedHosts: string[];
  /** Webhooks may lead to this machine itself. */
  loopbackWebhooks: boolean;
  maintenance: boolean;
  /** Null: no rate limit. */
  rateLimit: RateLimit | null;
  logLevel: LogLevel;
  ocr: {
    /** `native`: this machine's program tesseract; `off`: text layers only. */
    engine: "embedded" | "native" | "off";
    /** ISO 639-2 codes, like the names of tesseract's data. */
    languages: string[];
    /** Doubtful pictures are read by a second recogniser too. */
    secondLook: boolean;
  };
  /** Pages may be drawn by LibreOffice, where it is installed. */
  office: boolean;
  /** Null: none is configured. */
  model: ModelConfig | null;
  limits: ReturnType<typeof parseLimits>;
  billing: BillingSettings;
  /** Null: payments are not configured. */
  payments: StripeSettings | null;
  /** The service's address, as its callers know it; null: the one on which it listens. */
  publicUrl: string | null;
  /** The most steps of one organization at once. */
  orgConcurrency: number;
}

export { ConfigError };

export const DEFAULT_KEY = "sheaf-local";

/** True unless a part, which is used by default, is turned off. */
function parseAuto(env: Record<string, string | undefined>, name: string): boolean {
  const wish = (env[name] ?? "").trim();
  if (wish !== "" && wish !== "auto" && wish !== "off") throw new ConfigError(`${name} must be auto or off`);
  return wish !== "off";
}

const OCR_ENGINES = ["embedded", "native", "off"] as const;

function parseOcr(env: Record<string, string | undefined>): LocalConfig["ocr"] {
  const wish = (env.SHEAF_OCR_ENGINE ?? "").trim() || "embedded";
  const engine = OCR_ENGINES.find((one) => one === wish);
  if (engine === undefined) throw new ConfigError("SHEAF_OCR_ENGINE must be embedded, native or off");
  const languages = (env.SHEAF_OCR_LANGS ?? "").split(/[+,\s]+/).filter((language) => language !== "");
  const wrong = languages.find((language) => !/^[a-z][a-z_]{1,15}$/i.test(language));
  if (wrong !== undefined) {
    throw new ConfigError(`SHEAF_OCR_LANGS names '${wrong}'; write codes like eng+deu`);
  }
  const secondLook = parseAuto(env, "SHEAF_OCR_SECOND_LOOK");
  return { engine, languages: languages.length === 0 ? ["eng"] : [...new Set(languages)], secondLook };
}

/** By default, webhooks may lead to this machine while only this machine reaches the service. */
function parseLoopbackWebhooks(text: string | undefined, host: string): boolean {
  const wish = (text ?? "").trim();
  if (wish === "") return isLoopback(host);
  if (wish === "0" || wish === "1") return wish === "1";
  throw new ConfigError("SHEAF_LOOPBACK_WEBHOOKS must be 0 or 1");
}

/** Billing and payments: with both and a public address, callers without tokens are told where to buy some. */
function parseSales(env: Record<string, string | undefined>): Pick<LocalConfig, "billing" | "payments" | "publicUrl"> {
  const [billing, payments, publicUrl] = [parseBilling(env, "off"), parsePayments(env), parsePublicUrl(env)];
  if (payments === null || publicUrl === null) return { billing, payments, publicUrl };
  const { checkoutUrl, portalUrl } = billing;
  const own = {
    checkoutUrl: checkoutUrl ?? `${publicUrl}/billing/checkout`,
    portalUrl: portalUrl ?? `${publicUrl}/billing/portal`,
  };
  return { billing: { ...billing, ...own }, payments, publicUrl };
}

/** @throws ConfigError for an unusable setting */
export function parseConfig(env: Record<string, string | undefined>): LocalConfig {
  const port = Number(env.PORT ?? 3000);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new ConfigError("PORT must be a number from 0 to 65535");
  const host = env.HOST ?? "127.0.0.1";
  const named = env.SHEAF_API_KEYS === undefined || env.SHEAF_API_KEYS.trim() === "" ? undefined : env.SHEAF_API_KEYS;
  const keys =
    named === undefined ? [{ organizationId: 1, key: DEFAULT_KEY, scopes: SCOPES }] : parseKeys(named, DEFAULT_KEY);
  if (keys.length === 0)
    throw new ConfigError(
      "SHEAF_API_KEYS names no key; write it like 1:<a secret of 16 or more characters>:read+write",
    );
  const defaultKey = keys.some(({ key }) => key === DEFAULT_KEY);
  if (defaultKey && !isLoopback(host)) {
    throw new ConfigError(
      `HOST=${host} can be reached by others, and the key '${DEFAULT_KEY}' is known to all: set SHEAF_API_KEYS first, for example SHEAF_API_KEYS="1:<a long secret>:read+write"`,
    );
  }
  const logLevel = env.SHEAF_LOG ?? "info";
  if (!["debug", "info", "warn", "error"].includes(logLevel)) {
    throw new ConfigError("SHEAF_LOG must be debug, info, warn or error");
  }
  return {
    host,
    port,
    dataDir: resolve(env.SHEAF_DATA_DIR ?? ".sheaf"),
    keys,
    defaultKey,
    allowedHosts: parseAllowedHosts(env.SHEAF_ALLOWED_HOSTS),
    loopbackWebhooks: parseLoopbackWebhooks(env.SHEAF_LOOPBACK_WEBHOOKS, host),
    maintenance: env.SHEAF_MAINTENANCE === "1",
    rateLimit: parseRateLimit(env.SHEAF_RATE_LIMIT),
    logLevel: logLevel as LogLevel,
    ocr: parseOcr(env),
    office: parseAuto(env, "SHEAF_OFFICE"),
    model: parseModel(env),
    limits: parseLimits(env),
    ...parseSales(env),
    orgConcurrency: parseWholeNumber(env, "SHEAF_ORG_CONCURRENCY", availableParallelism(), 1, 1000),
  };
}
