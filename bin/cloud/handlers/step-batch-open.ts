import { openReservations } from "../../../functions/adapters/aws/workflows-claims.ts";
import type { Workflows } from "../../../functions/ports/workflows.ts";
import { recordOf } from "../../../functions/service/pipelines/definitions.ts";
import { batchOpen } from "../../../functions/steps/batch-open.ts";
import { absentPort, type Stores } from "../platform.ts";
import { stepHandler } from "../step.ts";

/** The machine starts the document; the step only names the execution and its machine. */
const names = ({ records, clock }: Stores): Workflows =>
  absentPort<Workflows>("workflows", openReservations(records(), clock));

export const handler = stepHandler(batchOpen, { workflows: names, pipelines: { recordOf } });
