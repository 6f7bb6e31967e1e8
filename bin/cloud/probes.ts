/** Probes of organizations' own providers in the cloud. */
import { openProbes } from "../../functions/adapters/providers/probes.ts";
import type { ProviderProbes } from "../../functions/ports/own-providers.ts";
import { outbound } from "./outbound.ts";
import type { Stores } from "./platform.ts";

export const probes = ({ clock }: Stores): ProviderProbes => openProbes({ clock, outbound: outbound() });
