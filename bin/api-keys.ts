/** The API keys in SHEAF_API_KEYS, on one machine and in the cloud. */
import { type NamedKey, SCOPES, type Scope } from "../functions/service/organizations/api-keys.ts";

/** An unusable setting; the message names it and the expected form. */
export class ConfigError extends Error {
  override name = "ConfigError";
}

/** Fewest characters of a key: with 16 random ones, guessing is hopeless at any rate. The contract's number. */
const MIN_KEY_CHARACTERS = 16;
const MAX_KEY_CHARACTERS = 512;
/** Not a key that somebody would copy. */
const KEY_EXAMPLE = "1:<a secret of 16 or more characters>:read+write";

/**
 * Parses keys as `organization:key:scopes`, separated by commas or line ends. Scopes are listed one by one: `write`
 * does not include `read`, which covers every GET.
 * @param shortKey a key that may be shorter than others
 * @throws ConfigError that names the entry by its number, never by its key
 */
export function parseKeys(text: string, shortKey?: string): NamedKey[] {
  return text
    .split(/[,\r\n]/)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "")
    .map((entry, index) => {
      const place = `SHEAF_API_KEYS: entry ${index + 1}`;
      const [organization = "", key = "", scopes = ""] = entry.split(":");
      const organizationId = Number(organization);
      if (!/^\d{1,15}$/.test(organization) || organizationId < 1) {
        throw new ConfigError(`${place} must begin with an organization's number from 1, as in ${KEY_EXAMPLE}`);
      }
      if (!/^[\x21-\x7e]+$/.test(key) || key.length > MAX_KEY_CHARACTERS) {
        throw new ConfigError(
          `${place} must have a key of ${MIN_KEY_CHARACTERS} to ${MAX_KEY_CHARACTERS} printable characters, as in ${KEY_EXAMPLE}`,
        );
      }
      if (key.length < MIN_KEY_CHARACTERS && key !== shortKey) {
        throw new ConfigError(
          `${place} has a key of fewer than ${MIN_KEY_CHARACTERS} characters, which can be guessed; give it a longer one, as in ${KEY_EXAMPLE}`,
        );
      }
      const named = scopes.split("+").map((scope) => scope.trim());
      const unknown = named.find((scope) => !(SCOPES as readonly string[]).includes(scope));
      if (unknown !== undefined || entry.split(":").length !== 3) {
        throw new ConfigError(`${place} must end with scopes out of ${SCOPES.join(", ")}, as in ${KEY_EXAMPLE}`);
      }
      return { organizationId, key, scopes: named as Scope[] };
    });
}
