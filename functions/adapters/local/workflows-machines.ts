/** The machines that were made: checked and recorded once, compiled when they are first needed. */
import { createHash } from "node:crypto";
import { NotFound } from "../../core/errors.ts";
import type { StateMachineDefinition } from "../../core/ports.ts";
import { canonicalJson } from "../workflows-json.ts";
import { checkDefinition } from "./workflows-check.ts";
import { type CompiledMachine, compileDefinition, validateDefinition } from "./workflows-compile.ts";
import type { WorkflowStore } from "./workflows-store.ts";

/** Compiled machines that are kept; what was made first goes first. */
const KEPT = 200;

export interface Machines {
  /** @returns the machine's name @throws BadRequest for a definition that is not valid or not supported */
  ensure(definition: StateMachineDefinition): Promise<string>;
  /** @throws NotFound */
  load(name: string): Promise<CompiledMachine>;
}

export function openMachines(
  store: Pick<WorkflowStore, "machine" | "putMachine">,
  steps: ReadonlySet<string>,
): Machines {
  const compiled = new Map<string, Promise<CompiledMachine>>();

  function keep(name: string, machine: Promise<CompiledMachine>): Promise<CompiledMachine> {
    compiled.set(name, machine);
    machine.catch(() => compiled.delete(name));
    const [oldest] = compiled.keys();
    if (compiled.size > KEPT && oldest !== undefined) compiled.delete(oldest);
    return machine;
  }

  async function loadStored(name: string): Promise<CompiledMachine> {
    const definition = await store.machine(name);
    if (definition === undefined) throw new NotFound("There is no state machine of that name.");
    // A machine that an earlier version made may name steps that this one does not have.
    checkDefinition(definition, "", steps);
    return compileDefinition(definition);
  }

  return {
    async ensure(definition) {
      const text = canonicalJson(definition);
      const name = createHash("sha256").update(text).digest("hex");
      if (compiled.has(name)) return name;
      const copy: StateMachineDefinition = JSON.parse(text);
      checkDefinition(copy, text, steps);
      if ((await store.machine(name)) === undefined) {
        await validateDefinition(copy);
        await store.putMachine(name, copy);
      }
      await keep(name, compileDefinition(copy));
      return name;
    },
    load: (name) => compiled.get(name) ?? keep(name, loadStored(name)),
  };
}
