import { run as cells } from "../../../functions/engine/tasks/cells.run.ts";
import { run as transcribeTask } from "../../../functions/engine/tasks/transcribe.run.ts";
import { transcribe } from "../../../functions/steps/transcribe.ts";
import { carrying } from "../engine.ts";
import { stepHandler } from "../step.ts";

export const handler = stepHandler(transcribe, { documents: carrying(cells, transcribeTask) });
