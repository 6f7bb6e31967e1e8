import type { Json } from "../ports/json.ts";
import type { Step } from "../ports/workflows.ts";
import type { Organization } from "../service/organizations/organization.ts";
import type { PendingRecognition } from "../service/recognition/async-recognition.ts";
import { stepErrorOf } from "../service/runs/step-errors.ts";

/** Input of every step of the document machine; `failure` is set by a Catch. */
export interface StepInput {
  organizationId: number;
  guid: string;
  run: number;
  failure?: { Error?: string; Cause?: string };
  /** State of an asynchronous recognition after the last poll. */
  waiting?: PendingRecognition;
  /** First and last chunk of an iteration. */
  share?: [number, number];
  /** Pipelines: the node's id, and the status to mark it with. */
  node?: string;
  status?: string;
}

/** The machine's state, with the outputs of earlier steps. */
type MachineState = Partial<StepInput> & { recognize?: PendingRecognition; collect?: PendingRecognition };

/** Makes a step for a platform; the step binds itself to the organization of its input. */
export type StepDefinition = (organization: (id: number) => Organization) => Step;

/** Turns transient failures, also those around a step's own work, into the error that state machines retry. */
export const retryingTransientFailures =
  (step: Step): Step =>
  async (input, context) => {
    try {
      return await step(input, context);
    } catch (error) {
      throw stepErrorOf(error);
    }
  };

/** Defines a step of the document machine. Its step throws a TypeError for an input of another form. */
export function defineStep(work: (org: Organization, input: StepInput) => Promise<unknown>): StepDefinition {
  return (organization) =>
    retryingTransientFailures(async (input) => {
      const { organizationId, guid, run, failure, share, recognize, collect, node, status } = (input ??
        {}) as MachineState;
      const waiting = collect ?? recognize;
      if (typeof organizationId !== "number" || typeof guid !== "string" || typeof run !== "number") {
        throw new TypeError("A step's input names organization, job and run");
      }
      const output = await work(organization(organizationId), {
        organizationId,
        guid,
        run,
        ...(failure ? { failure } : {}),
        ...(share ? { share } : {}),
        ...(typeof node === "string" ? { node } : {}),
        ...(typeof status === "string" ? { status } : {}),
        ...(waiting?.waiting === true ? { waiting } : {}),
      });
      return output as Json;
    });
}
