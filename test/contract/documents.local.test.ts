import { systemClock } from "../../functions/adapters/local/clock.ts";
import { openDocumentEngine } from "../../functions/adapters/local/documents.ts";
import { documentEngineSuite } from "./documents.suite.ts";

const clock = systemClock();

documentEngineSuite("pooled processes", {
  clock,
  jobTimeoutSeconds: 300,
  open: () => openDocumentEngine({ size: 2, clock, jobTimeoutSeconds: 300 }),
});
