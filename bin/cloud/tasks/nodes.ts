/** The tasks that nodes can ask for. `npm run generate` writes this file. */
import { run as addRows } from "../../../functions/engine/tasks/add-rows.run.ts";
import { run as adoptEvidence } from "../../../functions/engine/tasks/adopt-evidence.run.ts";
import { run as concludeData } from "../../../functions/engine/tasks/conclude-data.run.ts";
import { run as correctData } from "../../../functions/engine/tasks/correct-data.run.ts";
import { run as extract } from "../../../functions/engine/tasks/extract.run.ts";
import { run as halveBatch } from "../../../functions/engine/tasks/halve-batch.run.ts";
import { run as locate } from "../../../functions/engine/tasks/locate.run.ts";
import { run as missingRows } from "../../../functions/engine/tasks/missing-rows.run.ts";
import { run as openFields } from "../../../functions/engine/tasks/open-fields.run.ts";
import { run as picture } from "../../../functions/engine/tasks/picture.run.ts";
import { run as planModel } from "../../../functions/engine/tasks/plan-model.run.ts";
import { run as read } from "../../../functions/engine/tasks/read.run.ts";
import { run as readAnswers } from "../../../functions/engine/tasks/read-answers.run.ts";
import { run as receipt } from "../../../functions/engine/tasks/receipt.run.ts";
import { run as unlock } from "../../../functions/engine/tasks/unlock.run.ts";
import { run as withhold } from "../../../functions/engine/tasks/withhold.run.ts";

export const TASKS = [
  addRows,
  adoptEvidence,
  concludeData,
  correctData,
  extract,
  halveBatch,
  locate,
  missingRows,
  openFields,
  picture,
  planModel,
  read,
  readAnswers,
  receipt,
  unlock,
  withhold,
];
