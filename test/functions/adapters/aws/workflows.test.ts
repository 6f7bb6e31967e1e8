/** Machines of the Step Functions driver, against exchanges written down from the service's API reference. */
import { describe, expect, it } from "vitest";
import { type Answer, answer, type Request, refusal, turn } from "./json-exchange.ts";
import {
  driver,
  LAMBDA,
  MACHINE,
  NAME,
  PLACE,
  ROLE,
  STARTED,
  scripted,
  single,
  started,
  task,
} from "./workflows.support.ts";

describe("openStepFunctions", () => {
  it("refuses invalid accounts, regions and prefixes", () => {
    for (const options of [{ accountId: "12" }, { region: "Frankfurt" }, { namePrefix: "" }, { namePrefix: "a.b" }]) {
      expect(() => driver(() => started, options)).toThrow(RangeError);
    }
  });

  it("finds the machines of other partitions", async () => {
    const { workflows, done } = scripted(
      [
        turn(
          "StartExecution",
          {
            stateMachineArn: `arn:aws-cn:states:cn-north-1:123456789012:stateMachine:${MACHINE}`,
            name: NAME,
            input: "1",
          },
          started,
        ),
      ],
      { partition: "aws-cn", region: "cn-north-1" },
    );
    await workflows.start(MACHINE, NAME, 1);
    done();
  });
});

describe("ensureMachine", () => {
  const definition = {
    StartAt: "Read",
    States: {
      Read: { ...task("read"), Next: "Fork", Comment: "${read} stays" },
      Fork: { Type: "Parallel", Branches: [single(task("settle"))], Next: "Each" },
      Each: { Type: "Map", ItemProcessor: single(task("read")), Next: "Send" },
      Send: { Type: "Task", Resource: "arn:aws:states:::sqs:sendMessage.waitForTaskToken", End: true },
    },
  };
  const filled =
    '{"StartAt":"Read","States":{' +
    `"Each":{"ItemProcessor":{"StartAt":"Only","States":{"Only":{"End":true,"Resource":"${LAMBDA}:read","Type":"Task"}}},"Next":"Send","Type":"Map"},` +
    `"Fork":{"Branches":[{"StartAt":"Only","States":{"Only":{"End":true,"Resource":"${LAMBDA}:settle","Type":"Task"}}}],"Next":"Each","Type":"Parallel"},` +
    `"Read":{"Comment":"\${read} stays","Next":"Fork","Resource":"${LAMBDA}:read","Type":"Task"},` +
    '"Send":{"End":true,"Resource":"arn:aws:states:::sqs:sendMessage.waitForTaskToken","Type":"Task"}}}';
  const made = (body: Record<string, unknown>): Answer =>
    answer({ stateMachineArn: `${PLACE}:stateMachine:${body.name}`, creationDate: STARTED / 1000 });

  it("fills the placeholders, creates a Standard machine, and creates it once", async () => {
    const requests: Request[] = [];
    const { workflows } = driver((request) => {
      requests.push(request);
      return made(request.body);
    });
    const name = await workflows.ensureMachine(definition);
    expect(name).toMatch(/^sheaf-[0-9a-f]{32}$/);
    const reordered = { States: definition.States, StartAt: definition.StartAt };
    expect(await Promise.all([workflows.ensureMachine(reordered), workflows.ensureMachine(definition)])).toEqual([
      name,
      name,
    ]);
    expect(requests).toEqual([
      { operation: "CreateStateMachine", body: { name, definition: filled, roleArn: ROLE, type: "STANDARD" } },
    ]);
  });

  it("names a machine by the hash of everything emitted: steps, role, log group", async () => {
    const names = await Promise.all(
      [
        {},
        { roleArn: `${ROLE}-2` },
        { steps: { read: `${LAMBDA}:read:2`, settle: `${LAMBDA}:settle` } },
        { logGroupArn: "arn:aws:logs:eu-central-1:123456789012:log-group:sheaf" },
      ].map((options) => driver(({ body }) => made(body), options).workflows.ensureMachine(definition)),
    );
    expect(new Set(names).size).toBe(4);
  });

  it("logs states without data when there is a log group", async () => {
    const group = "arn:aws:logs:eu-central-1:123456789012:log-group:sheaf";
    for (const logGroupArn of [group, `${group}:*`]) {
      const bodies: Record<string, unknown>[] = [];
      const { workflows } = driver(
        ({ body }) => {
          bodies.push(body);
          return made(body);
        },
        { logGroupArn },
      );
      await workflows.ensureMachine(definition);
      expect(bodies[0]?.loggingConfiguration).toEqual({
        level: "ALL",
        includeExecutionData: false,
        destinations: [{ cloudWatchLogsLogGroup: { logGroupArn: `${group}:*` } }],
      });
    }
  });

  it("does not create deployed machines, whatever the order of their members", async () => {
    const { workflows } = driver(
      () => {
        throw new Error("Nothing is asked");
      },
      { deployed: { "sheaf-read": definition } },
    );
    expect(await workflows.ensureMachine({ States: definition.States, StartAt: "Read" })).toBe("sheaf-read");
  });

  it("accepts an existing machine", async () => {
    const { workflows } = driver(() => refusal("StateMachineAlreadyExists"));
    expect(await workflows.ensureMachine(definition)).toMatch(/^sheaf-/);
  });

  it("waits while it is throttled or a namesake is deleted, longer each time", async () => {
    const busy = [
      refusal("ThrottlingException", "Rate exceeded"),
      refusal("StateMachineDeleting"),
      refusal("KmsThrottlingException"),
      { broken: "ECONNRESET" },
      refusal("InternalFailure", "", 500),
    ];
    const { workflows, clock } = driver(({ body }) => busy.shift() ?? made(body));
    await workflows.ensureMachine(definition);
    expect(clock.slept).toEqual([150, 300, 600, 1200, 2400]);
  });

  it("gives up after six attempts, retryably, and tries again on the next call", async () => {
    let requests = 0;
    let given = refusal("ThrottlingException");
    const { workflows } = driver(() => {
      requests += 1;
      return given;
    });
    await expect(workflows.ensureMachine(definition)).rejects.toMatchObject({
      kind: "ServiceUnavailable",
      retryable: true,
    });
    expect(requests).toBe(6);
    given = refusal("StateMachineAlreadyExists");
    await workflows.ensureMachine(definition);
    expect(requests).toBe(7);
  });

  it("refuses an invalid definition, without quoting the service", async () => {
    const unknown = driver(() => refusal("InternalFailure", "", 500));
    await expect(unknown.workflows.ensureMachine(single(task("absent")))).rejects.toMatchObject({
      kind: "BadRequest",
      message: 'The state "Only" calls the step "absent", which this service does not have.',
    });
    const large = single({ Type: "Pass", Result: "x".repeat(1_048_577) });
    await expect(unknown.workflows.ensureMachine(large)).rejects.toMatchObject({ kind: "BadRequest" });
    for (const [error, kind, retryable] of [
      ["InvalidDefinition", "BadRequest", false],
      ["StateMachineLimitExceeded", "ServiceUnavailable", true],
      ["AccessDeniedException", "InternalServerError", false],
    ] as const) {
      const { workflows } = driver(() => refusal(error, `${ROLE} may not`));
      const failure = await workflows.ensureMachine(definition).catch((thrown) => thrown);
      expect(failure).toMatchObject({ kind, retryable, name: expect.stringMatching(/^[A-Z][A-Za-z]+$/) });
      expect(failure.message).not.toContain("arn:");
      expect(failure.message).not.toContain(error);
    }
  });
});
