/** The machines that were made: checked and recorded once, compiled when they are first needed. */
import { createHash } from "node:crypto";
import type { StateMachineDefinition } from "../../ports/workflows.ts";
import { canonicalJson } from "../workflows-json.ts";
import { checkDefinition } from "./workflows-check.ts";
import { type CompiledMachine, compileDefinition, validateDefinition } from "./workflows-compile.ts";
import { unknownMachine, type WorkflowStore } from "./workflows-store.ts";

/** Compiled machines that are kept; what was made first goes first. */
const KEPT = 200;

export interface Machines {
  /** @returns the machine's name @throws BadRequest for a definition that is not valid or not supported */
  ensure(definition: StateMachineDefinition): Promise<string>;
  /** Nothing starts on it from here on. */
  remove(name: string): Promise<void>;
  /** Of a machine that was removed, too, while something runs on it. @throws NotFound */
  load(name: string): Promise<CompiledMachine>;
}

export function openMachines(
  store: Pick<WorkflowStore, "machine" | "hasMachine" | "putMachine" | "removeMachine">,
  steps: ReadonlySet<string>,
): Machines {
  const compiled = new Map<string, Promise<CompiledMachine>>();
  /** Made, and not removed. */
  const made = new Set<string>();

  function keep(name: string, machine: Promise<CompiledMachine>): Promise<CompiledMachine> {
    compiled.set(name, machine);
    machine.catch(() => compiled.delete(name));
    const [oldest] = compiled.keys();
    if (compiled.size > KEPT && oldest !== undefined) compiled.delete(oldest);
    return machine;
  }

  async function loadStored(name: string): Promise<CompiledMachine> {
    const definition = await store.machine(name);
    if (definition === undefined) throw unknownMachine();
    // A machine that an earlier version made may name steps that this one does not have.
    checkDefinition(definition, "", steps);
    return compileDefinition(definition);
  }

  return {
    async ensure(definition) {
      const text = canonicalJson(definition);
      const name = createHash("sha256").update(text).digest("hex");
      if (made.has(name)) return name;
      const copy: StateMachineDefinition = JSON.parse(text);
      checkDefinition(copy, text, steps);
      if (!(await store.hasMachine(name))) {
        await validateDefinition(copy);
        await store.putMachine(name, copy);
      }
      await keep(name, compileDefinition(copy));
      made.add(name);
      return name;
    },
    async remove(name) {
      made.delete(name);
      await store.removeMachine(name);
      compiled.delete(name);
    },
    load: (name) => compiled.get(name) ?? keep(name, loadStored(name)),
  };
}
