/** Definitions that the local driver refuses instead of running them wrongly. */
import { afterAll, describe, expect, it } from "vitest";
import { systemClock } from "../../../../functions/adapters/local/clock.ts";
import { openRecords } from "../../../../functions/adapters/local/records.ts";
import { openWorkflows } from "../../../../functions/adapters/local/workflows.ts";
import type { Json } from "../../../../functions/ports/json.ts";
import type { StateMachineDefinition } from "../../../../functions/ports/workflows.ts";
import { row, single, task } from "../../../contract/workflows.machines.ts";

const clock = systemClock();
const records = openRecords(":memory:", { clock });
const workflows = openWorkflows({ records, clock, steps: { known: async () => null }, concurrency: 1 });
afterAll(async () => {
  await workflows.close();
  records.close();
});

type Members = { [member: string]: Json };
const pass = { StartAt: "Item", States: { Item: { Type: "Pass", End: true } } };
const map = (members: Members, processor: Members = {}) =>
  single({ Type: "Map", ItemProcessor: { ...pass, ...processor }, ...members });

const refused: [feature: string, definition: StateMachineDefinition, sentence: RegExp][] = [
  [
    "a distributed Map",
    map({}, { ProcessorConfig: { Mode: "DISTRIBUTED", ExecutionType: "STANDARD" } }),
    /DISTRIBUTED/,
  ],
  ["ItemReader", map({ ItemReader: { Resource: "arn:aws:states:::s3:getObject" } }), /ItemReader/],
  ["ItemBatcher", map({ ItemBatcher: { MaxItemsPerBatch: 2 } }), /ItemBatcher/],
  ["ResultWriter", map({ ResultWriter: { Resource: "arn:aws:states:::s3:putObject" } }), /ResultWriter/],
  ["ToleratedFailureCount", map({ ToleratedFailureCount: 1 }), /ToleratedFailureCount/],
  ["ToleratedFailurePercentagePath", map({ ToleratedFailurePercentagePath: "$.p" }), /ToleratedFailurePercentagePath/],
  ["JSONata for the machine", { QueryLanguage: "JSONata", ...single({ Type: "Pass" }) }, /QueryLanguage/],
  ["JSONata for a state", single({ Type: "Pass", QueryLanguage: "JSONata" }), /QueryLanguage/],
  ["Assign", single({ Type: "Pass", Assign: { a: 1 } }), /Assign/],
  [
    "Assign in a catcher",
    single(task("known", { Catch: [{ ErrorEquals: ["E"], Next: "Only", Assign: {} }] })),
    /Assign/,
  ],
  ["HeartbeatSeconds", single(task("known", { TimeoutSeconds: 9, HeartbeatSeconds: 3 })), /HeartbeatSeconds/],
  ["Credentials", single(task("known", { Credentials: { RoleArn: "arn" } })), /Credentials/],
  ["a missing step", single(task("missing")), /step "missing"/],
  ["an inherited member as a step", single(task("toString")), /step "toString"/],
  ["an ARN", single({ Type: "Task", Resource: "arn:aws:lambda:us-east-1:1:function:f" }), /arn:aws:lambda/],
  [
    "a token's pattern",
    single({ Type: "Task", Resource: `${task("known").Resource}.waitForTaskToken` }),
    /waitForTaskToken/,
  ],
  ["$$.State", single({ Type: "Pass", Parameters: { "name.$": "$$.State.Name" } }), /\$\$\.State/],
  [
    "$$.Task in a function",
    single(task("known", { Parameters: { "t.$": "States.Array($$.Task.Token)" } })),
    /\$\$\.Task/,
  ],
  ["the whole context", single({ Type: "Pass", InputPath: "$$" }), /context in InputPath/],
  ["$$.Map outside of a selector", single({ Type: "Pass", Parameters: { "i.$": "$$.Map.Item.Index" } }), /\$\$\.Map/],
  [
    "a function as CausePath",
    { StartAt: "No", States: { No: { Type: "Fail", CausePath: "States.Format('{}', $.a)" } } },
    /CausePath/,
  ],
  [
    "States.JsonToString",
    single({ Type: "Pass", Parameters: { "text.$": "States.JsonToString($.a)" } }),
    /JsonToString/,
  ],
  ["an endless wait", row({ Rest: { Type: "Wait", Seconds: 3_000_000 } }), /waits/],
  [
    "two states of one name",
    single({ Type: "Parallel", Branches: [single({ Type: "Pass" })] }),
    /two states named "Only"/,
  ],
  ["an inner timeout", map({}, { TimeoutSeconds: 5 }), /TimeoutSeconds/],
  ["a transition to nowhere", { StartAt: "A", States: { A: { Type: "Pass", Next: "B" } } }, /not valid.*B/],
  ["no states", { StartAt: "A" }, /not valid/],
];

describe("ensureMachine refuses an unsupported feature", () => {
  it.each(refused)("%s", async (_feature, definition, sentence) => {
    await expect(workflows.ensureMachine(definition)).rejects.toMatchObject({
      kind: "BadRequest",
      message: expect.stringMatching(sentence),
    });
  });

  it("in every state of the inner machines", async () => {
    const inner = { StartAt: "Deep", States: { Deep: task("missing", { End: true }) } };
    const middle = { StartAt: "Each", States: { Each: { Type: "Map", Iterator: inner, End: true } } };
    const definition = single({ Type: "Parallel", Branches: [pass, middle] });
    await expect(workflows.ensureMachine(definition)).rejects.toThrow(/"Deep" calls the step "missing"/);
  });

  it("but accepts quoted names and fixed texts that resemble paths", async () => {
    const parameters = {
      fixed: "$$.State",
      "quoted.$": "$['$$.Execution']",
      "text.$": "States.Format('$$.Task {}', $.a)",
    };
    const machine = await workflows.ensureMachine(row({ Read: { Type: "Pass", Parameters: parameters } }));
    await workflows.start(machine, "quoted", { a: 1, "$$.Execution": 2 });
    for (;;) {
      const execution = await workflows.describe("quoted");
      if (execution?.status !== "RUNNING") {
        expect(execution?.output).toEqual({ fixed: "$$.State", quoted: 2, text: "$$.Task 1" });
        return;
      }
      await clock.sleep(5);
    }
  });
});
