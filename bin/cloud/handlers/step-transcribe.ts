import { transcribe } from "../../../functions/steps/transcribe.ts";
import { carrying } from "../engine.ts";
import { stepHandler } from "../step.ts";
import { TASKS } from "../tasks/step-transcribe.ts";

export const handler = stepHandler(transcribe, { documents: carrying(...TASKS) });
