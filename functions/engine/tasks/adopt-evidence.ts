import * as z from "zod";
import type { Json } from "../../ports/json.ts";
import type { AdoptedEvidence, EvidenceRequest, OtherPages } from "../analysis/other-documents.ts";
import { defineTask } from "./define-task.ts";
import { bytes, typed } from "./shapes.ts";

/** Tries pages of other documents as evidence. Layouts, result and sources are UTF-8 JSON. */
export const adoptEvidenceTask = defineTask({
  name: "adoptEvidence",
  input: z.object({
    result: bytes,
    sources: bytes,
    others: z.array(z.object({ document: typed<OtherPages["document"]>(), layout: bytes })),
    request: typed<Omit<EvidenceRequest, "schema"> & { schema?: Json }>(),
  }),
  output: z.object({ result: bytes, sources: bytes, adopted: typed<AdoptedEvidence["adopted"]>() }),
});
