/** Input of the batch machine's steps: a run of a batch, or one of its documents. */
import type { Json } from "../ports/json.ts";
import type { Organization } from "../service/organizations/organization.ts";
import { retryingTransientFailures, type StepDefinition } from "./define-step.ts";

export interface BatchInput {
  organizationId: number;
  /** The batch; an iteration's input calls it `batch`. */
  guid: string;
  run: number;
  /** The machine that processes each document. */
  documentMachine?: string;
  /** The document's index, in an iteration's input. */
  index?: number;
  failure?: { Error?: string; Cause?: string };
}

/** Defines a step of the batch machines. Its step throws a TypeError for an input of another form. */
export function defineBatchStep(work: (org: Organization, input: BatchInput) => Promise<unknown>): StepDefinition {
  return (organization) =>
    retryingTransientFailures(async (given) => {
      const {
        organizationId,
        guid,
        batch = guid,
        run,
        documentMachine,
        index,
        failure,
      } = (given ?? {}) as Partial<BatchInput> & {
        batch?: string;
      };
      if (typeof organizationId !== "number" || typeof batch !== "string" || typeof run !== "number") {
        throw new TypeError("A batch step's input names organization, batch and run");
      }
      const output = await work(organization(organizationId), {
        organizationId,
        guid: batch,
        run,
        ...(documentMachine === undefined ? {} : { documentMachine }),
        ...(index === undefined ? {} : { index }),
        ...(failure === undefined ? {} : { failure }),
      });
      return output as Json;
    });
}

/** The document's index. @throws TypeError for an input without one */
export function indexOf({ index }: BatchInput): number {
  if (typeof index !== "number") throw new TypeError("An iteration's input names the document's index");
  return index;
}
