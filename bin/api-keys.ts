/** The API keys in SHEAF_API_KEYS, on one machine and in the cloud. */
import { type NamedKey, SCOPES, type Scope } from "../functions/service/organizations/api-keys.ts";

/** An unusable setting; the message names it and the expected form. */
export class ConfigError extends Error {
  override name = "ConfigError";
}

/**
 * Parses keys as `organization:key:scopes`, separated by commas or line ends. Scopes are listed one by one: `write`
 * does not include `read`, which covers every GET.
 * @throws ConfigError that names the entry by its number, never by its key
 */
export function parseKeys(text: string): NamedKey[] {
  return text
    .split(/[,\r\n]/)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "")
    .map((entry, index) => {
      const place = `SHEAF_API_KEYS: entry ${index + 1}`;
      const [organization = "", key = "", scopes = ""] = entry.split(":");
      const organizationId = Number(organization);
      if (!/^\d{1,15}$/.test(organization) || organizationId < 1) {
        throw new ConfigError(`${place} must begin with an organization's number from 1, as in 1:key-a:read+write`);
      }
      if (!/^[\x21-\x7e]{4,512}$/.test(key)) {
        throw new ConfigError(`${place} must have a key of 4 to 512 printable characters, as in 1:key-a:read+write`);
      }
      const named = scopes.split("+").map((scope) => scope.trim());
      const unknown = named.find((scope) => !(SCOPES as readonly string[]).includes(scope));
      if (unknown !== undefined || entry.split(":").length !== 3) {
        throw new ConfigError(`${place} must end with scopes out of ${SCOPES.join(", ")}, as in 1:key-a:read+write`);
      }
      return { organizationId, key, scopes: named as Scope[] };
    });
}
