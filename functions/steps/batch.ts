/** Input of the batch machine's steps: a run of a batch, or one of its documents. */
import type { Json } from "../ports/json.ts";
import type { Organization } from "../service/organizations/organization.ts";
import type { StepDefinition } from "./step.ts";

export interface BatchInput {
  organizationId: number;
  /** Of the batch; an iteration's input calls it `batch`. */
  guid: string;
  run: number;
  /** The machine that carries out each document. */
  documentMachine?: string;
  /** Of an iteration. */
  index?: number;
  failure?: { Error?: string; Cause?: string };
}

/** @throws TypeError for an input that no machine of ours gives */
export function defineBatchStep(work: (org: Organization, input: BatchInput) => Promise<unknown>): StepDefinition {
  return (organization) => async (given) => {
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
  };
}

/** @throws TypeError where there is none */
export function indexOf({ index }: BatchInput): number {
  if (typeof index !== "number") throw new TypeError("An iteration's input names the document's index");
  return index;
}
