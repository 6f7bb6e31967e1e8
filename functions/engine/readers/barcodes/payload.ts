/** The fields of a barcode of a known kind. */

export type PayloadValue = string | number | { [name: string]: PayloadValue };

export interface Payload {
  type: "swiss-qr-bill" | "epc" | "gs1";
  fields: Record<string, PayloadValue>;
  /** True when the payload breaks none of its own rules. */
  valid: boolean;
  /** Sentences, in the order of the fields. */
  faults: string[];
}

/** Makes a payload. It is valid without faults. Fields without a value are left out. */
export function payloadOf(
  type: Payload["type"],
  fields: Record<string, PayloadValue | undefined>,
  faults: string[],
): Payload {
  const stated = Object.entries(fields).flatMap(([name, value]): [string, PayloadValue][] =>
    value === undefined || value === "" ? [] : [[name, value]],
  );
  return { type, fields: Object.fromEntries(stated), valid: faults.length === 0, faults };
}
