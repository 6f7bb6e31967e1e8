/** Replies of the operation routes. */
import * as z from "zod";
import { JOB_STATUSES } from "../../service/runs/job-records.ts";

const guid = z.string().meta({ openapi: { type: "string", format: "uuid" } });
const status = z.enum(JOB_STATUSES);
const time = z.iso.datetime();

export const OperationSubmitted = z.looseObject({
  jobGuid: guid.meta({ openapi: { type: "string", format: "uuid", description: "Of the operation's own job" } }),
  operationType: z.string(),
  status,
  message: z.string(),
});

const Operation = z.looseObject({
  jobGuid: guid,
  operationType: z.string(),
  status,
  createdAt: time,
  updatedAt: time,
  error: z.string().nullable(),
  resultAvailable: z.boolean(),
  result: z.string().nullable().meta({ description: "JSON text" }),
});

export const OperationList = z.looseObject({
  parentJobGuid: guid,
  operations: z.array(Operation),
  totalOperations: z.int(),
});

export const OperationResult = Operation.extend({ parentJobGuid: guid });
