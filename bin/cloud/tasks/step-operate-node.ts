/** The tasks that step-operate-node can ask for. `npm run generate` writes this file. */
import { run as analyzeErrors } from "../../../functions/engine/tasks/analyze-errors.run.ts";
import { run as chooseFigures } from "../../../functions/engine/tasks/choose-figures.run.ts";
import { run as correctPages } from "../../../functions/engine/tasks/correct-pages.run.ts";
import { run as formDetect } from "../../../functions/engine/tasks/form-detect.run.ts";
import { run as formRequest } from "../../../functions/engine/tasks/form-request.run.ts";
import { run as formWrite } from "../../../functions/engine/tasks/form-write.run.ts";
import { run as pagesToCorrect } from "../../../functions/engine/tasks/pages-to-correct.run.ts";
import { run as readPages } from "../../../functions/engine/tasks/read-pages.run.ts";
import { run as readParts } from "../../../functions/engine/tasks/read-parts.run.ts";

export const TASKS = [
  analyzeErrors,
  chooseFigures,
  correctPages,
  formDetect,
  formRequest,
  formWrite,
  pagesToCorrect,
  readPages,
  readParts,
];
