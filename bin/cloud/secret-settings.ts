/** Settings in a secret, in the form of one machine's environment. */
import { ConfigError } from "../api-keys.ts";

/**
 * The secret's settings as environment variables. Null is unset; settings that are JSON on one machine, such as a
 * model's facts, may be plain JSON here.
 * @param what the secret is of @param example of the object
 * @throws ConfigError for a text that is not a JSON object
 */
export function settingsOfSecret(text: string, what: string, example: string): Record<string, string> {
  const malformed = (): ConfigError =>
    new ConfigError(`The secret of the ${what} must be a JSON object, as in ${example}`);
  let settings: unknown;
  try {
    settings = JSON.parse(text);
  } catch {
    // The parser's own error would quote the secret.
    throw malformed();
  }
  if (typeof settings !== "object" || settings === null || Array.isArray(settings)) throw malformed();
  const texts = Object.entries(settings).flatMap(([name, value]) => {
    if (value === null) return [];
    return [[name, typeof value === "string" ? value : JSON.stringify(value)]];
  });
  return Object.fromEntries(texts);
}
