import type { Json } from "../ports/json.ts";
import type { Step } from "../ports/workflows.ts";
import type { Organization } from "../service/organizations/organization.ts";
import type { Waiting } from "../service/recognition/async-recognition.ts";

/** What every step of the document machine is given; `failure` is what a Catch put there. */
export interface StepInput {
  organizationId: number;
  guid: string;
  run: number;
  failure?: { Error?: string; Cause?: string };
  /** What the look before left of a recognition that goes on elsewhere. */
  waiting?: Waiting;
  /** First and last chunk that an iteration works off. */
  share?: [number, number];
  /** Of a pipeline: the node, and what its mark says. */
  node?: string;
  status?: string;
}

/** The machine's state, with what its steps put there. */
type MachineState = Partial<StepInput> & { recognize?: Waiting; collect?: Waiting };

/** A step made for its platform: it binds itself to the organization that its input names. */
export type StepDefinition = (organization: (id: number) => Organization) => Step;

/** @throws TypeError for an input that no machine of ours gives */
export function defineStep(work: (org: Organization, input: StepInput) => Promise<unknown>): StepDefinition {
  return (organization) => async (input) => {
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
  };
}
