import { transcribe } from "../../../functions/steps/transcribe.ts";
import { documents } from "../documents.ts";
import { stepHandler } from "../step.ts";

export const handler = stepHandler(transcribe, { documents });
