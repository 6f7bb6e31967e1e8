/** The key that tells the records of a list apart. */
import { isObject, type Json, own } from "../../../ports/json.ts";
import { canonicalText } from "../../schema/json-text.ts";

/** Names in a path such as `$.a.b`, `a[*].b` or `a['b']`. Positions in lists are dropped: they identify no record. */
export function keyPath(path: string): string[] {
  return path
    .replace(/^\s*\$/, "")
    .replaceAll(/\[\s*(?:'([^']*)'|"([^"]*)"|([^\]]*))\s*\]/g, (_, single, double, other) => {
      const name = single ?? double ?? other ?? "";
      return `.${/^(?:\*|\d+)$/.test(name) ? "" : name}`;
    })
    .split(".")
    .map((name) => name.trim())
    .filter((name) => name !== "" && name !== "*");
}

/** The value at a path; through lists, the values of all items. */
function lookUp(value: Json | undefined, path: readonly string[]): Json | undefined {
  const [name, ...rest] = path;
  if (name === undefined || value === undefined) return value;
  if (Array.isArray(value)) {
    const found = value.map((item) => lookUp(item, path)).filter((item) => item !== undefined);
    return found.length === 0 ? undefined : found;
  }
  return isObject(value) ? lookUp(own(value, name), rest) : undefined;
}

export const isBlank = (value: Json | undefined): boolean =>
  value === undefined ||
  value === null ||
  (typeof value === "string" && value.trim() === "") ||
  (Array.isArray(value) && value.every(isBlank));

/**
 * The key of a record. For `lineItems.sku` the record may be an item itself, so `sku` alone is tried too. A record without
 * a value there is identified by all its values.
 */
export function keyOf(record: Json, path: readonly string[]): string {
  for (let start = 0; start < path.length; start += 1) {
    const found = lookUp(record, path.slice(start));
    if (isBlank(found)) continue;
    return `key ${typeof found === "string" ? found.replace(/\s+/g, " ").trim() : canonicalText(found ?? null)}`;
  }
  return `record ${canonicalText(record)}`;
}
