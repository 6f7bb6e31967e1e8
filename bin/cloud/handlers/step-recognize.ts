import { recognize } from "../../../functions/steps/recognize.ts";
import { documents } from "../documents.ts";
import { stepHandler } from "../step.ts";

export const handler = stepHandler(recognize, { documents });
