/** Billing set by the environment, on one machine and in the cloud. */
import { readFileSync } from "node:fs";
import {
  BILLING_MODES,
  type BillingMode,
  type BillingSettings,
} from "../functions/service/billing/billing-settings.ts";
import type { RateTable } from "../functions/service/billing/rate.ts";
import { parseRates, RateFault } from "../functions/service/billing/rate-file.ts";
import { ConfigError } from "./api-keys.ts";

type Variables = Record<string, string | undefined>;

/** Two addresses fit the environment of a Lambda function beside the other settings. */
const MAX_URL_CHARACTERS = 200;

/** @throws ConfigError for another word */
export function parseBillingMode(text: string | undefined, fallback: BillingMode): BillingMode {
  const wish = (text ?? "").trim().toLowerCase();
  if (wish === "") return fallback;
  const mode = BILLING_MODES.find((one) => one === wish);
  if (mode === undefined) throw new ConfigError(`SHEAF_BILLING must be one of ${BILLING_MODES.join(", ")}`);
  return mode;
}

/** The text of `SHEAF_RATES`: JSON, or that of the file that it names. @throws ConfigError for a file that cannot be read */
export function ratesText(setting: string): { text: string; place: string } {
  if (/^\s*[[{]/.test(setting)) return { text: setting, place: "SHEAF_RATES" };
  const file = setting.trim();
  try {
    return { text: readFileSync(file, "utf8"), place: `SHEAF_RATES: ${file}` };
  } catch {
    throw new ConfigError(`SHEAF_RATES: ${file} cannot be read; name a file of rates, or write the JSON itself`);
  }
}

/** @throws ConfigError with the line that is wrong */
export function parseRatesSetting(setting: string | undefined): RateTable {
  if (setting === undefined || setting.trim() === "") return [];
  const { text, place } = ratesText(setting);
  try {
    return parseRates(text);
  } catch (error) {
    if (error instanceof RateFault) throw new ConfigError(`${place}, ${error.message}`);
    throw error;
  }
}

/** @throws ConfigError for anything but an address of the web */
function parseAddress(env: Variables, name: string): string | null {
  const text = (env[name] ?? "").trim();
  if (text === "") return null;
  if (/^https?:\/\//.test(text) && URL.canParse(text) && text.length <= MAX_URL_CHARACTERS) return text;
  throw new ConfigError(
    `${name} must be an address of at most ${MAX_URL_CHARACTERS} characters, such as https://example.com/tokens`,
  );
}

/** @param fallback the mode without `SHEAF_BILLING` @throws ConfigError for an unusable setting */
export const parseBilling = (env: Variables, fallback: BillingMode): BillingSettings => ({
  mode: parseBillingMode(env.SHEAF_BILLING, fallback),
  rates: parseRatesSetting(env.SHEAF_RATES),
  checkoutUrl: parseAddress(env, "SHEAF_CHECKOUT_URL"),
  portalUrl: parseAddress(env, "SHEAF_PORTAL_URL"),
});
