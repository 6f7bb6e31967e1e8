import type { Organization } from "../core/organizations/organization.ts";
import type { Json, Step } from "../core/ports.ts";

/** What every step of the document machine is given; `failure` is what a Catch put there. */
export interface StepInput {
  organizationId: number;
  guid: string;
  run: number;
  failure?: { Error?: string; Cause?: string };
}

/** A step made for its platform: it binds itself to the organization that its input names. */
export type StepDefinition = (organization: (id: number) => Organization) => Step;

/** @throws TypeError for an input that no machine of ours gives */
export function defineStep(work: (org: Organization, input: StepInput) => Promise<unknown>): StepDefinition {
  return (organization) => async (input) => {
    const { organizationId, guid, run, failure } = (input ?? {}) as Partial<StepInput>;
    if (typeof organizationId !== "number" || typeof guid !== "string" || typeof run !== "number") {
      throw new TypeError("A step's input names organization, job and run");
    }
    const output = await work(organization(organizationId), {
      organizationId,
      guid,
      run,
      ...(failure ? { failure } : {}),
    });
    return output as Json;
  };
}
