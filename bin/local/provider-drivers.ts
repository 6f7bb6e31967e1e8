/** Drivers of organizations' own providers on one machine. */
import type { LocalObserver } from "../../functions/adapters/local/observer.ts";
import { openOwnModels } from "../../functions/adapters/providers/own-models.ts";
import { openOwnOcr } from "../../functions/adapters/providers/own-ocr.ts";
import { openProbes } from "../../functions/adapters/providers/probes.ts";
import type { Clock } from "../../functions/ports/clock.ts";
import type { Outbound } from "../../functions/ports/outbound.ts";
import type { Engines } from "../../functions/service/organizations/engines.ts";
import { providerEvents } from "../provider-events.ts";
import type { OrganizationTurns } from "./turns.ts";

export function openProviderDrivers(
  outbound: Outbound,
  { clock, observer, turns }: { clock: Clock; observer: LocalObserver; turns: OrganizationTurns },
): Required<Pick<Engines, "ownModels" | "ownOcr" | "probes">> {
  // Others use the turn of the work that waits for a provider.
  const patient: Pick<Outbound, "request"> = {
    request: (...given) => turns.whileWaiting(() => outbound.request(...given)),
  };
  return {
    ownModels: openOwnModels({ clock, outbound: patient, onEvent: providerEvents(observer) }),
    ownOcr: openOwnOcr({ clock, outbound: patient }),
    probes: openProbes({ clock, outbound }),
  };
}
