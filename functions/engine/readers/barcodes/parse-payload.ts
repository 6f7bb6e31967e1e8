/** Parses the payloads of known kinds: payment slips, and goods as GS1 numbers them. */

import type { FoundSymbol } from "./barcode-engine.ts";
import { parseEpc } from "./epc-qr.ts";
import { parseElementString, parseTradeItem } from "./gs1.ts";
import { parseDigitalLink } from "./gs1-digital-link.ts";
import type { Payload } from "./payload.ts";
import { hasCheckDigit } from "./payment-references.ts";
import { parseSwissQrBill } from "./swiss-qr.ts";

/** Tells whether a text is the number of a case of goods. Other numbers of 14 digits rarely pass the check. */
const isCaseNumber = (symbology: string, text: string): boolean =>
  symbology === "ITF" && text.length === 14 && hasCheckDigit(text);

/** The payload of a symbol; undefined for unknown kinds. */
export function parsePayload({ symbology, gs1, bytes, text }: FoundSymbol): Payload | undefined {
  if (gs1) return parseElementString(Buffer.from(bytes).toString("latin1"));
  if (symbology === "EANUPC" || isCaseNumber(symbology, text)) return parseTradeItem(text);
  return parseSwissQrBill(text) ?? parseEpc(text) ?? parseDigitalLink(text);
}
