/** The tasks that step-chunk can ask for. `npm run generate` writes this file. */
import { run as adoptEvidence } from "../../../functions/engine/tasks/adopt-evidence.run.ts";
import { run as extract } from "../../../functions/engine/tasks/extract.run.ts";
import { run as openFields } from "../../../functions/engine/tasks/open-fields.run.ts";
import { run as planChunks } from "../../../functions/engine/tasks/plan-chunks.run.ts";
import { run as receipt } from "../../../functions/engine/tasks/receipt.run.ts";
import { run as shareRecords } from "../../../functions/engine/tasks/share-records.run.ts";
import { run as withhold } from "../../../functions/engine/tasks/withhold.run.ts";

export const TASKS = [adoptEvidence, extract, openFields, planChunks, receipt, shareRecords, withhold];
