import type { RecordKey, RecordOperation, Records, RecordValue } from "../../ports/records.ts";
import type { StateMachineDefinition } from "../../ports/workflows.ts";
import { attempt } from "./attempt.ts";

const MACHINES_PARTITION = "sys/machines";
const REMOVED_PARTITION = "sys/machines-removed";

/** Bytes of the largest definition stored in the machine's record; a larger one is stored in pieces beside it. */
const MAX_INLINE_DEFINITION_BYTES = 300_000;
/** UTF-16 units of a piece; as JSON within JSON at most 300 KB. */
const PIECE_UNITS = 100_000;

interface MachineRecord extends RecordValue {
  definition?: StateMachineDefinition;
  pieces?: number;
}

export interface MachineStore {
  /** The definition, also of a removed machine while an execution runs on it. */
  machine(name: string): Promise<StateMachineDefinition | undefined>;
  /** True when the machine was created and not removed since. */
  hasMachine(name: string): Promise<boolean>;
  putMachine(name: string, definition: StateMachineDefinition): Promise<void>;
  removeMachine(name: string): Promise<void>;
  /** Deletes the rest of a removed machine once no execution runs on it. */
  forgetMachine(name: string): Promise<void>;
}

export const machineKey = (name: string): RecordKey => ({ partition: MACHINES_PARTITION, sort: name });
const removedKey = (name: string): RecordKey => ({ partition: REMOVED_PARTITION, sort: name });
const pieceKey = (name: string, index: number): RecordKey => machineKey(`${name}/${String(index).padStart(5, "0")}`);

function operationsFor(name: string, definition: StateMachineDefinition): RecordOperation[] {
  const operations: RecordOperation[] = [];
  const text = JSON.stringify(definition);
  const fits = Buffer.byteLength(text) <= MAX_INLINE_DEFINITION_BYTES;
  for (let start = 0; !fits && start < text.length; start += PIECE_UNITS) {
    const value = { v: 1, text: text.slice(start, start + PIECE_UNITS) };
    operations.push({ kind: "put", key: pieceKey(name, operations.length), value });
  }
  const value = fits ? { v: 1, definition } : { v: 1, pieces: operations.length };
  return [...operations, { kind: "put", key: machineKey(name), value, condition: { ifAbsent: true } }];
}

/** @param isUsed true while an execution runs on the machine */
export function machinesIn(records: Records, isUsed: (name: string) => Promise<boolean>): MachineStore {
  const load = async (key: RecordKey) => (await records.get<MachineRecord>(key))?.value;

  async function forgetMachine(name: string): Promise<void> {
    const gone = await load(removedKey(name));
    if (gone === undefined || (await isUsed(name))) return;
    const pieces = Array.from({ length: gone.pieces ?? 0 }, (_, index): RecordOperation => {
      return { kind: "delete", key: pieceKey(name, index) };
    });
    const own: RecordOperation = { kind: "delete", key: removedKey(name) };
    const unmade: RecordOperation = { kind: "check", key: machineKey(name), condition: { ifAbsent: true } };
    // The machine was created again, so its pieces are in use.
    if (!(await attempt(records.transact([unmade, ...pieces, own])))) await records.transact([own]);
  }

  return {
    async machine(name) {
      const record = (await load(machineKey(name))) ?? (await load(removedKey(name)));
      if (record === undefined || record.definition !== undefined) return record?.definition;
      let text = "";
      for (let index = 0; index < (record.pieces ?? 0); index += 1) {
        const piece = await records.get(pieceKey(name, index));
        text += String(piece?.value.text ?? "");
      }
      return JSON.parse(text);
    },
    hasMachine: async (name) => (await load(machineKey(name))) !== undefined,
    async putMachine(name, definition) {
      await attempt(records.transact(operationsFor(name, definition)));
    },
    async removeMachine(name) {
      const value = await load(machineKey(name));
      if (value !== undefined) {
        const moved: RecordOperation[] = [
          { kind: "delete", key: machineKey(name), condition: { ifPresent: true } },
          { kind: "put", key: removedKey(name), value },
        ];
        await attempt(records.transact(moved));
      }
      await forgetMachine(name);
    },
    forgetMachine,
  };
}
