/** What a barcode of a known kind says, taken apart into fields. */

export type FieldValue = string | number | { [name: string]: FieldValue };

export interface Payload {
  type: "swiss-qr-bill" | "epc" | "gs1";
  fields: Record<string, FieldValue>;
  /** Nothing is wrong with it by its own rules. */
  valid: boolean;
  /** Sentences, in the order of the fields. */
  faults: string[];
}

/** A payload is valid when it has no faults. Fields without a value are left out. */
export function payloadOf(
  type: Payload["type"],
  fields: Record<string, FieldValue | undefined>,
  faults: string[],
): Payload {
  const stated = Object.entries(fields).flatMap(([name, value]): [string, FieldValue][] =>
    value === undefined || value === "" ? [] : [[name, value]],
  );
  return { type, fields: Object.fromEntries(stated), valid: faults.length === 0, faults };
}
