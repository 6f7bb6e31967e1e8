/** Forms made of flat PDFs: applying reviewed definitions. */
import * as z from "zod";
import { startOperation } from "../service/operations/start-operation.ts";
import { ok } from "./http/reply.ts";
import { route } from "./http/route.ts";
import { guidOf } from "./schemas/common.ts";
import { ApplyBody } from "./schemas/forms.ts";
import { OperationSubmitted } from "./schemas/operations.ts";

const TAG = "Operations";
/** Most bytes of the body: the contract's 15 MB, as of any request. A process of the engine parses it. */
const MAX_APPLY_BYTES = 15_000_000;
const APPLY = "pdf-acroform-apply";
const OPERATION_GUID = "019aa5c1-02b4-7e11-9c3f-0a51f2b6c7d8";

export const applyForm = route({
  method: "POST",
  path: "/job/{parentJobGuid}/pdf-acroform/apply",
  scope: "write",
  gate: "tokens",
  tag: TAG,
  summary: "Make a form of reviewed field definitions",
  description:
    "Takes the definitions that `pdf-acroform` found, edited, and writes the form again without looking for fields. " +
    "Definitions that are `accepted` or `edited` are written, `suggested` ones from `minConfidence`, `rejected` ones never. " +
    "A definition needs pageNumber, fieldName, fieldType and entryBbox.",
  idempotent: true,
  params: z.object({ parentJobGuid: guidOf("The GUID of the job whose document becomes a form") }),
  body: {
    kind: "json-bytes",
    schema: ApplyBody,
    examples: {
      one: {
        fieldDefinitions: [
          {
            pageNumber: 1,
            fieldName: "full_name",
            fieldType: "text",
            label: "Full name",
            entryBbox: { left: 0.2, top: 0.1, right: 0.7, bottom: 0.125 },
            reviewStatus: "accepted",
          },
        ],
        sourceOperationGuid: OPERATION_GUID,
      },
    },
  },
  bodyLimit: MAX_APPLY_BYTES,
  errors: [400, 404, 409],
  replies: {
    200: {
      description: "The operation's job",
      makes: "operation",
      schema: OperationSubmitted,
      example: {
        jobGuid: OPERATION_GUID,
        operationType: APPLY,
        status: "PENDING",
        message: `Operation ${APPLY} was started`,
      },
    },
  },
  async run({ params, body, newGuid }, { org }) {
    const request = { parent: params.parentJobGuid, type: APPLY, guid: newGuid, body };
    const { guid, type, status } = await startOperation(org, request);
    return ok({ jobGuid: guid, operationType: type, status, message: `Operation ${type} was started` });
  },
});
