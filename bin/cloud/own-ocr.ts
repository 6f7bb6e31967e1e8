/** Organizations' own text recognition in the cloud; the drivers live as long as their function. */
import { openOwnOcr } from "../../functions/adapters/providers/own-ocr.ts";
import type { OcrDrivers } from "../../functions/ports/own-providers.ts";
import { outbound } from "./outbound.ts";
import type { Stores } from "./platform.ts";

let kept: OcrDrivers | undefined;

export function ownOcr({ clock }: Stores): OcrDrivers {
  kept ??= openOwnOcr({ clock, outbound: outbound() });
  return kept;
}
