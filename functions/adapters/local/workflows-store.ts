/** Machines, executions and their history in Records. */

import type { Clock } from "../../ports/clock.ts";
import { ConditionFailed, NotFound } from "../../ports/errors.ts";
import type { Json } from "../../ports/json.ts";
import type { RecordOperation, Records, RecordValue, StoredRecord } from "../../ports/records.ts";
import type { Execution, ExecutionStatus, HistoryEvent } from "../../ports/workflows.ts";
import { jsonBytes } from "../workflows-json.ts";
import { attempt } from "./attempt.ts";
import { END_TYPES, type HistoryPage, MAX_PAGE_EVENTS, type Outcome } from "./workflows-journal.ts";
import { type MachineStore, machineKey, machinesIn } from "./workflows-store-machines.ts";

const EXECUTIONS_PARTITION = "sys/executions";
/** Executions that have not ended; resumed at the next start. */
const RUNNING_PARTITION = "sys/running";
/** Ended executions whose end is not reported yet. */
const ENDED_PARTITION = "sys/ended";

/** Bytes of the largest payload stored in the execution's record; a larger one is stored beside it. */
const MAX_INLINE_PAYLOAD_BYTES = 65_536;
/** As in Step Functions, an execution is kept for 90 days after its end. */
const RETENTION_SECONDS = 90 * 86_400;

interface ExecutionRecord extends RecordValue {
  machine: string;
  status: ExecutionStatus;
  startedAt: string;
  stoppedAt?: string;
  error?: string;
  cause?: string;
  /** Absent: stored in a separate record. */
  input?: Json;
  output?: Json;
}

interface PayloadRecord extends RecordValue {
  payload: Json;
}

interface RunningRecord extends RecordValue {
  /** A GUID: executions are resumed in the order of their starts. */
  order: string;
  /** The group for fair turns; absent in records of an earlier release. */
  group?: string;
  /** Absent in records of an earlier release. */
  machine?: string;
}

interface HistoryRecord extends RecordValue {
  events: HistoryEvent[];
}

export interface WorkflowStore extends MachineStore {
  /** @returns false when the name was used before @throws NotFound for a removed machine */
  begin(machine: string, name: string, input: Json, group: string): Promise<boolean>;
  execution(name: string): Promise<Execution | undefined>;
  /** Records the end, once. @returns the ended execution, or undefined when it had already ended */
  finish(
    name: string,
    outcome: Outcome,
    events: readonly HistoryEvent[],
    tell: boolean,
  ): Promise<Execution | undefined>;
  /** Executions that have not ended, in the order of their starts. */
  running(): Promise<{ name: string; group: string }[]>;
  /** Names of ended executions whose end is not reported. */
  untold(): Promise<string[]>;
  told(name: string): Promise<void>;
  history(name: string, cursor: string | undefined): Promise<HistoryPage>;
}

export const unknownMachine = (): NotFound => new NotFound("There is no state machine of that name.");

const payloadKey = (name: string, what: "input" | "output") => ({
  partition: EXECUTIONS_PARTITION,
  sort: `${name}/${what}`,
});
const historyPartition = (name: string) => `sys/history/${name}`;
const pageSort = (index: number) => String(index).padStart(5, "0");

async function readPartition<T extends RecordValue>(records: Records, partition: string): Promise<StoredRecord<T>[]> {
  const items: StoredRecord<T>[] = [];
  let cursor: string | undefined;
  do {
    const page = await records.query<T>({ partition, limit: 1000, ...(cursor === undefined ? {} : { cursor }) });
    items.push(...page.items);
    cursor = page.cursor;
  } while (cursor !== undefined);
  return items;
}

function historyPuts(name: string, events: readonly HistoryEvent[], expiresAt: number): RecordOperation[] {
  const operations: RecordOperation[] = [];
  for (let start = 0; start < events.length; start += MAX_PAGE_EVENTS) {
    const key = { partition: historyPartition(name), sort: pageSort(start / MAX_PAGE_EVENTS) };
    operations.push({
      kind: "put",
      key,
      value: { v: 1, events: events.slice(start, start + MAX_PAGE_EVENTS) },
      expiresAt,
    });
  }
  return operations;
}

/** The operations that record an end. All records of an ended execution expire at the same time. */
function endOperations(
  name: string,
  { value, version }: StoredRecord<ExecutionRecord>,
  ended: Execution,
  { expiresAt, tell }: { expiresAt: number; tell: boolean },
): RecordOperation[] {
  const { input, output, name: _name, ...rest } = ended;
  const record: ExecutionRecord = { ...rest, v: 1 };
  const operations: RecordOperation[] = [];
  if (value.input !== undefined) record.input = value.input;
  else operations.push({ kind: "put", key: payloadKey(name, "input"), value: { v: 1, payload: input }, expiresAt });
  if (output !== undefined && jsonBytes(output) <= MAX_INLINE_PAYLOAD_BYTES) record.output = output;
  else if (output !== undefined) {
    operations.push({ kind: "put", key: payloadKey(name, "output"), value: { v: 1, payload: output }, expiresAt });
  }
  const key = { partition: EXECUTIONS_PARTITION, sort: name };
  operations.push({ kind: "put", key, value: record, expiresAt, condition: { ifVersion: version } });
  operations.push({ kind: "delete", key: { partition: RUNNING_PARTITION, sort: name } });
  if (tell) operations.push({ kind: "put", key: { partition: ENDED_PARTITION, sort: name }, value: { v: 1 } });
  return operations;
}

function indexesIn(records: Records): Pick<WorkflowStore, "running" | "untold" | "told"> {
  return {
    async running() {
      const items = await readPartition<RunningRecord>(records, RUNNING_PARTITION);
      return items
        .sort((a, b) => (a.value.order < b.value.order ? -1 : 1))
        .map(({ key, value }) => ({ name: key.sort, group: value.group ?? "" }));
    },
    untold: async () => (await readPartition(records, ENDED_PARTITION)).map((item) => item.key.sort),
    told: (name) => records.delete({ partition: ENDED_PARTITION, sort: name }),
  };
}

function historiesIn(records: Records): Pick<WorkflowStore, "history"> {
  return {
    async history(name, cursor) {
      const index = Number(cursor ?? 0);
      const page = await records.get<HistoryRecord>({ partition: historyPartition(name), sort: pageSort(index) });
      const events = page?.value.events ?? [];
      // Pages after the end event belong to a run that was interrupted while writing them.
      const last = events.at(-1)?.type ?? "ExecutionAborted";
      return END_TYPES.has(last) ? { events } : { events, cursor: String(index + 1) };
    },
  };
}

const beginIn =
  (records: Records, clock: Clock, now: () => string): WorkflowStore["begin"] =>
  async (machine, name, input, group) => {
    const value: ExecutionRecord = { v: 1, machine, status: "RUNNING", startedAt: now() };
    const order = clock.guid();
    const key = { partition: EXECUTIONS_PARTITION, sort: name };
    const operations: RecordOperation[] = [
      { kind: "check", key: machineKey(machine), condition: { ifPresent: true } },
      { kind: "put", key: { partition: RUNNING_PARTITION, sort: name }, value: { v: 1, order, group, machine } },
    ];
    if (jsonBytes(input) <= MAX_INLINE_PAYLOAD_BYTES) value.input = input;
    else operations.push({ kind: "put", key: payloadKey(name, "input"), value: { v: 1, payload: input } });
    operations.push({ kind: "put", key, value, condition: { ifAbsent: true } });
    try {
      await records.transact(operations);
      return true;
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      if (error.failed.includes(operations.length - 1)) return false;
      throw unknownMachine();
    }
  };

export function openWorkflowStore(records: Records, clock: Clock): WorkflowStore {
  const now = () => new Date(clock.now()).toISOString();
  const load = (name: string) => records.get<ExecutionRecord>({ partition: EXECUTIONS_PARTITION, sort: name });
  const payload = async (name: string, what: "input" | "output") =>
    (await records.get<PayloadRecord>(payloadKey(name, what)))?.value.payload;

  async function executionOf(name: string, record: StoredRecord<ExecutionRecord>): Promise<Execution> {
    const { v: _v, ...execution } = record.value;
    const input = execution.input === undefined ? await payload(name, "input") : execution.input;
    const apart = execution.output === undefined && execution.status === "SUCCEEDED";
    const output = apart ? await payload(name, "output") : execution.output;
    return { ...execution, name, input: input ?? null, ...(output === undefined ? {} : { output }) };
  }

  /** Records of an earlier release do not name their machine, so any machine may be in use. */
  const isUsed = async (name: string): Promise<boolean> =>
    (await readPartition<RunningRecord>(records, RUNNING_PARTITION)).some(
      ({ value: { machine = name } }) => machine === name,
    );

  return {
    ...machinesIn(records, isUsed),
    ...indexesIn(records),
    ...historiesIn(records),
    begin: beginIn(records, clock, now),
    async execution(name) {
      const record = await load(name);
      return record === undefined ? undefined : executionOf(name, record);
    },
    async finish(name, outcome, events, tell) {
      const record = await load(name);
      if (record === undefined || record.value.status !== "RUNNING" || outcome.status === "LEFT") return undefined;
      const begun = await executionOf(name, record);
      const ended: Execution = { ...begun, ...outcome, status: outcome.status, stoppedAt: now() };
      const expiresAt = Math.floor(clock.now() / 1000) + RETENTION_SECONDS;
      const pages = historyPuts(name, events, expiresAt);
      const last = pages.splice(-1);
      for (const page of pages) await records.transact([page]);
      const end = endOperations(name, record, ended, { expiresAt, tell });
      const done = await attempt(records.transact([...last, ...end]));
      return done ? ended : undefined;
    },
  };
}
