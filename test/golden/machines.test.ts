/** The built-in machines against their golden files; `vitest run test/golden -u` writes the files. */
import { describe, expect, it } from "vitest";
import type { State, StateMachine } from "../../statemachines/asl.ts";
import {
  BATCH_STEPS,
  batchPartMachine,
  distributedBatchMachine,
  inlineBatchMachine,
} from "../../statemachines/batch.ts";
import { DOCUMENT_STEPS, documentMachine, MACHINE_TIMEOUT_SECONDS } from "../../statemachines/document.ts";
import { OPERATION_STEPS, operationMachine, readOperationMachine } from "../../statemachines/operation.ts";

const MACHINES: Record<string, StateMachine> = {
  "batch-distributed": distributedBatchMachine(),
  "batch-inline": inlineBatchMachine("part"),
  "batch-part": batchPartMachine(),
};

function* statesOf({ States }: Pick<StateMachine, "States">): Generator<[string, State]> {
  for (const [name, state] of Object.entries(States)) {
    yield [name, state];
    if (state.Type === "Map") yield* statesOf(state.ItemProcessor);
  }
}

describe.each(Object.entries(MACHINES))("the machine %s", (name, machine) => {
  it("equals its golden file", async () => {
    await expect(`${JSON.stringify(machine, null, 2)}\n`).toMatchFileSnapshot(`./${name}/machine.asl.json`);
  });

  it("ends every iteration well, whatever fails in it", () => {
    for (const [state, one] of statesOf(machine)) {
      if (one.Type !== "Task" || state === "settle") continue;
      expect(one.Catch?.at(-1)?.ErrorEquals, state).toEqual(["States.ALL"]);
    }
    const called = [...statesOf(machine)].flatMap(([, one]) => (one.Type === "Task" ? [one.Resource] : []));
    const steps = called.filter((resource) => resource.startsWith("${"));
    expect(BATCH_STEPS.map((step) => `\${${step}}`)).toEqual(expect.arrayContaining(steps));
  });
});

describe("documentMachine", () => {
  it("equals its golden file", async () => {
    const emitted = `${JSON.stringify(documentMachine(), null, 2)}\n`;
    await expect(emitted).toMatchFileSnapshot("./document-machine/machine.asl.json");
    expect(JSON.stringify(documentMachine())).toBe(JSON.stringify(documentMachine()));
  });

  it("catches the errors of every state but the last, and calls only its own steps", () => {
    const { States, TimeoutSeconds } = documentMachine();
    expect(TimeoutSeconds).toBe(MACHINE_TIMEOUT_SECONDS);
    const called = new Set<string>();
    for (const [name, state] of Object.entries(States)) {
      if (state.Type !== "Task" && state.Type !== "Map") continue;
      if (state.Type === "Task") called.add(state.Resource);
      else
        for (const inner of Object.values(state.ItemProcessor.States)) {
          if (inner.Type === "Task") called.add(inner.Resource);
        }
      if (name === "settle") expect(state).toMatchObject({ End: true });
      else {
        const Next = state.Type === "Map" ? "reduce" : "settle";
        expect(state.Catch?.at(-1)).toEqual({ ErrorEquals: ["States.ALL"], ResultPath: "$.failure", Next });
      }
    }
    expect([...called].sort()).toEqual(DOCUMENT_STEPS.map((step) => `\${${step}}`).sort());
  });

  it("chooses in one state, which a document of one page enters once", () => {
    const { States } = documentMachine();
    const choices = Object.entries(States).filter(([, { Type }]) => Type === "Choice");
    expect(choices.map(([name]) => name)).toEqual(["choose"]);
    expect([States.recognize, States.collect, States.enrich]).toMatchObject(Array(3).fill({ Next: "choose" }));
  });

  it("passes only keys and numbers to the iterations over chunks, and isolates a failed chunk", () => {
    const { chunks } = documentMachine().States;
    if (chunks?.Type !== "Map") throw new Error("There is no Map");
    expect(Object.keys(chunks.ItemSelector ?? {})).toEqual(["organizationId.$", "guid.$", "run.$", "share.$"]);
    expect(chunks).toMatchObject({ ResultPath: null, MaxConcurrencyPath: "$.chunk.concurrency" });
    const { [chunks.ItemProcessor.StartAt]: task } = chunks.ItemProcessor.States;
    expect(task).toMatchObject({ Catch: [{ Next: "run-over" }, { ErrorEquals: ["States.ALL"], Next: "chunk-lost" }] });
  });
});

describe("readOperationMachine", () => {
  it("equals its golden file", async () => {
    const emitted = `${JSON.stringify(readOperationMachine(), null, 2)}\n`;
    await expect(emitted).toMatchFileSnapshot("./read-operation-machine/machine.asl.json");
  });

  it("reads the document, operates, and settles after any failure", () => {
    const { States, StartAt } = readOperationMachine();
    expect(StartAt).toBe("recognize");
    expect(States.choose).toMatchObject({ Type: "Choice", Default: "operate" });
    for (const step of ["recognize", "collect", "operate"]) {
      expect(States[step]).toMatchObject({ Catch: [{ ErrorEquals: ["States.ALL"], Next: "settle" }] });
    }
  });
});

describe("operationMachine", () => {
  it("equals its golden file", async () => {
    const emitted = `${JSON.stringify(operationMachine(), null, 2)}\n`;
    await expect(emitted).toMatchFileSnapshot("./operation-machine/machine.asl.json");
  });

  it("settles after any failure", () => {
    const { States, StartAt } = operationMachine();
    expect(Object.keys(States)).toEqual([...OPERATION_STEPS, "settle"]);
    expect(States[StartAt]).toMatchObject({ Next: "settle", Catch: [{ ErrorEquals: ["States.ALL"], Next: "settle" }] });
  });
});
