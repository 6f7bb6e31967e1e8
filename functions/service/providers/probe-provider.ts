/** Asks a provider once, in the way of a run, to tell whether it answers. */
import { AppError } from "../../ports/errors.ts";
import type { ProviderProbes } from "../../ports/own-providers.ts";
import type { Organization } from "../organizations/organization.ts";
import type { LlmProviderRecord, OcrProviderRecord } from "./provider-records.ts";
import { modelEndpoint, ocrEndpoint } from "./run-providers.ts";

/** Time for the answer, in milliseconds: an API request has 30 s. */
const PROBE_MS = 20_000;

export interface ProbeAnswer {
  ok: boolean;
  /** One sentence; never a word of the provider's. */
  message: string;
}

async function told(
  org: Organization,
  name: string,
  ask: (probes: ProviderProbes, limits: { deadline: number }) => Promise<void>,
): Promise<ProbeAnswer> {
  const { probes, clock } = org.engines;
  if (probes === undefined) throw new Error("This function has no probes of providers");
  try {
    await ask(probes, { deadline: clock.now() + PROBE_MS });
    return { ok: true, message: `${name} answered` };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { ok: false, message: error.message.replace(/^Processing failed: /, "") };
  }
}

export const probeLlmProvider = (org: Organization, record: LlmProviderRecord): Promise<ProbeAnswer> =>
  told(org, `LLM provider ${record.id}`, (probes, limits) => probes.model(modelEndpoint(org, record), limits));

export async function probeOcrProvider(org: Organization, record: OcrProviderRecord): Promise<ProbeAnswer> {
  const name = `OCR provider ${record.id}`;
  if (record.endpoint === "") return { ok: false, message: `${name} has no endpoint` };
  return told(org, name, (probes, limits) => probes.ocr(ocrEndpoint(org, record), limits));
}
