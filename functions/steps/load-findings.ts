import type { StepRun } from "../service/runs/run-step.ts";
import type { ExtractionInput } from "./extraction-part.ts";

/** Loads the barcodes and form fields that the run found. */
export async function loadFindings({
  org,
  readOutcomes,
}: Pick<StepRun, "org" | "readOutcomes">): Promise<Omit<ExtractionInput, "layout">> {
  const { outputs } = await readOutcomes();
  const load = (key: string | undefined) => (key === undefined ? undefined : org.blobs.get(key));
  return { barcodes: await load(outputs.enrich?.barcodesKey), acroForm: await load(outputs.enrich?.acroFormKey) };
}
