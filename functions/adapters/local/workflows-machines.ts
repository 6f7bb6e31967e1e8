/** Machines: checked and recorded when created, compiled at first use. */
import { createHash } from "node:crypto";
import type { StateMachineDefinition } from "../../ports/workflows.ts";
import { canonicalJson } from "../workflows-json.ts";
import { checkDefinition } from "./workflows-check.ts";
import { type CompiledMachine, compileDefinition, validateDefinition } from "./workflows-compile.ts";
import { unknownMachine, type WorkflowStore } from "./workflows-store.ts";

/** Compiled machines in the cache; the oldest are dropped first. */
const MAX_COMPILED_MACHINES = 200;

export interface Machines {
  /** @returns the machine's name @throws BadRequest for an invalid or unsupported definition */
  ensure(definition: StateMachineDefinition): Promise<string>;
  /** Prevents further starts on the machine. */
  remove(name: string): Promise<void>;
  /** Also loads a removed machine while an execution runs on it. @throws NotFound */
  load(name: string): Promise<CompiledMachine>;
}

export function openMachines(
  store: Pick<WorkflowStore, "machine" | "hasMachine" | "putMachine" | "removeMachine">,
  steps: ReadonlySet<string>,
): Machines {
  const compiled = new Map<string, Promise<CompiledMachine>>();
  /** Names of machines created and not removed. */
  const made = new Set<string>();

  function keep(name: string, machine: Promise<CompiledMachine>): Promise<CompiledMachine> {
    compiled.set(name, machine);
    machine.catch(() => compiled.delete(name));
    const [oldest] = compiled.keys();
    if (compiled.size > MAX_COMPILED_MACHINES && oldest !== undefined) compiled.delete(oldest);
    return machine;
  }

  async function loadStored(name: string): Promise<CompiledMachine> {
    const definition = await store.machine(name);
    if (definition === undefined) throw unknownMachine();
    // A machine created by an earlier version may name steps that this one lacks.
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
