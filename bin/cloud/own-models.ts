/** Organizations' own language models in the cloud; the drivers live as long as their function. */
import { openOwnModels } from "../../functions/adapters/providers/own-models.ts";
import type { ModelDrivers } from "../../functions/ports/own-providers.ts";
import { providerEvents } from "../provider-events.ts";
import { outbound } from "./outbound.ts";
import type { Stores } from "./platform.ts";

let kept: ModelDrivers | undefined;

export function ownModels({ clock, observer }: Stores): ModelDrivers {
  kept ??= openOwnModels({ clock, outbound: outbound(), onEvent: providerEvents(observer) });
  return kept;
}
