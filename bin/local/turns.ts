/** Organizations take turns on this machine: whose work it is goes with it, from a step down to the process that does it. */
import { AsyncLocalStorage } from "node:async_hooks";
import type { Json, Step } from "../../functions/core/ports.ts";

/** The organization that an execution, or a step of it, works for, as the name of a group. */
export function organizationOf(input: Json): string {
  const id = typeof input === "object" && input !== null && !Array.isArray(input) ? input.organizationId : undefined;
  return typeof id === "number" ? `organization ${id}` : "";
}

export interface OrganizationTurns {
  /** The group of what is asked for now. What no step asks for is the API's: one group, whose callers wait. */
  current(this: void): string;
  /** The same steps, each marked with its organization while it works. */
  around<Name extends string>(steps: Record<Name, Step>): Record<Name, Step>;
}

export function organizationTurns(): OrganizationTurns {
  const storage = new AsyncLocalStorage<string>();
  return {
    current: () => storage.getStore() ?? "",
    around: <Name extends string>(steps: Record<Name, Step>) =>
      Object.fromEntries(
        Object.entries<Step>(steps).map(([name, step]): [string, Step] => [
          name,
          (input, context) => storage.run(organizationOf(input), () => step(input, context)),
        ]),
      ) as Record<Name, Step>,
  };
}
