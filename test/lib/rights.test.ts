/** The rights of every function in the deployed stack: none that it does not use, and no wildcard without a reason. */
import { describe, expect, it } from "vitest";
import { ACTIONS_WITHOUT_RESOURCE, WILDCARDS, wildcardsOf } from "../../lib/wildcards.ts";
import { STEPS } from "../../statemachines/steps.ts";
import {
  functionOf,
  functions,
  list,
  resources,
  type Statement,
  stack,
  statementsOf,
  text,
} from "../support/template.ts";

/** The actions that a function's role allows, besides writing its log. */
const actionsOf = (ending: string): string[] =>
  [...new Set(functionOf(ending).rights.flatMap(({ Action }) => list(Action)))]
    .filter((action) => !action.startsWith("logs:"))
    .sort();

describe("rights", () => {
  const RECORDS = ["GetItem", "PutItem", "UpdateItem", "DeleteItem", "ConditionCheckItem", "Query"].map(
    (action) => `dynamodb:${action}`,
  );
  const SECRET = ["secretsmanager:DescribeSecret", "secretsmanager:GetSecretValue"];
  const WRITE = ["s3:AbortMultipartUpload", "s3:PutObject"];
  const RECOGNITION = ["DocumentText", "DocumentAnalysis"]
    .flatMap((what) => [`Start${what}`, `Get${what}`])
    .map((action) => action.replace("DocumentText", "DocumentTextDetection"))
    .concat(["DetectDocumentText", "AnalyzeDocument"])
    .map((action) => `textract:${action}`);
  const END = ["states:DescribeExecution", "states:StopExecution"];
  const START = ["iam:PassRole", "states:CreateStateMachine", "states:StartExecution"];

  it.each<[string, string[]]>([
    ["the API's service", []],
    ["and pictures of pages", [...WRITE, "s3:GetObject"]],
    ["the API's pages", [...RECORDS, ...SECRET, ...WRITE, "s3:GetObject", "s3:DeleteObject", "lambda:InvokeFunction"]],
    ["the API's jobs", [...RECORDS, ...SECRET, ...WRITE, ...END, "s3:GetObject", "sqs:SendMessage"]],
    [
      "the API's batches",
      [...RECORDS, ...SECRET, ...WRITE, ...START, "s3:GetObject", "s3:DeleteObject", "lambda:InvokeFunction"],
    ],
    ...["the API's documents", "the API's cases"].map((ending): [string, string[]] => [
      ending,
      [
        ...RECORDS,
        ...SECRET,
        ...WRITE,
        ...START,
        "s3:GetObject",
        "s3:DeleteObject",
        "lambda:InvokeFunction",
        "sqs:SendMessage",
      ],
    ]),
    // A function of its own reads sent definitions, through files that expire.
    [
      "the API's operations",
      [...RECORDS, ...SECRET, ...WRITE, ...START, "s3:GetObject", "s3:DeleteObject", "lambda:InvokeFunction"],
    ],
    ["the API's configurations", [...RECORDS, ...SECRET]],
    [
      "the API's templates",
      [...RECORDS, ...SECRET, ...WRITE, "s3:GetObject", "s3:DeleteObject", "lambda:InvokeFunction", "sqs:SendMessage"],
    ],
    ["reads and fills templates", [...WRITE, "s3:GetObject"]],
    ["the API's settings", [...RECORDS, ...SECRET, "sqs:SendMessage"]],
    [
      "works off the queue",
      [
        ...RECORDS,
        ...START,
        ...SECRET,
        ...WRITE,
        "s3:GetObject",
        "s3:DeleteObject",
        "s3:ListBucket",
        "lambda:InvokeFunction",
        "sqs:SendMessage",
        "sqs:ReceiveMessage",
        "sqs:DeleteMessage",
        "sqs:ChangeMessageVisibility",
        "sqs:GetQueueAttributes",
        "sqs:GetQueueUrl",
        "states:SendTaskSuccess",
        "states:SendTaskFailure",
        "states:SendTaskHeartbeat",
      ],
    ],
    [
      "sends webhooks",
      [
        ...RECORDS,
        ...SECRET,
        "sqs:SendMessage",
        "sqs:ReceiveMessage",
        "sqs:DeleteMessage",
        "sqs:ChangeMessageVisibility",
        "sqs:GetQueueAttributes",
        "sqs:GetQueueUrl",
      ],
    ],
    // The key of documents' passwords.
    ["the step recognize of a run", [...RECORDS, ...WRITE, ...RECOGNITION, ...SECRET, "s3:GetObject", "s3:ListBucket"]],
    ["the step collect of a run", [...RECORDS, ...WRITE, ...RECOGNITION, ...SECRET, "s3:GetObject", "s3:ListBucket"]],
    ["the step extract of a run", [...RECORDS, ...WRITE, ...SECRET, "s3:GetObject"]],
    ["the step enrich of a run", [...RECORDS, ...WRITE, ...SECRET, "s3:GetObject"]],
    ["the step describe of a run", [...RECORDS, ...WRITE, ...SECRET, "s3:GetObject"]],
    ["the step operate of a run", [...RECORDS, ...WRITE, ...SECRET, "s3:GetObject"]],
    ["the step transcribe of a run", [...RECORDS, ...WRITE, "s3:GetObject"]],
    ["the step settle of a run", [...RECORDS, ...WRITE, "s3:GetObject", "sqs:SendMessage"]],
    ["the step compute-node of a run", [...RECORDS, ...WRITE, "s3:GetObject"]],
    ["the step mark-node of a run", [...RECORDS, ...WRITE, "s3:GetObject"]],
    ["the step extract-node of a run", [...RECORDS, ...SECRET, ...WRITE, "s3:GetObject"]],
    // Stores the answers of the model, and looks for stored ones.
    ["the step correct-node of a run", [...RECORDS, ...SECRET, ...WRITE, "s3:GetObject"]],
    ["the step extract-chunk of a run", [...RECORDS, ...SECRET, ...WRITE, "s3:GetObject"]],
    [
      "works off the nodes of the tier nano",
      [
        ...RECORDS,
        ...SECRET,
        ...WRITE,
        "s3:GetObject",
        "sqs:ReceiveMessage",
        "sqs:DeleteMessage",
        "sqs:ChangeMessageVisibility",
        "sqs:GetQueueAttributes",
        "sqs:GetQueueUrl",
        "states:SendTaskSuccess",
        "states:SendTaskFailure",
        "states:SendTaskHeartbeat",
      ],
    ],
    ["the step batch-plan of a run", [...RECORDS, ...WRITE]],
    ["the step batch-open of a run", [...RECORDS, "s3:GetObject"]],
    ["the step batch-close of a run", [...RECORDS, ...WRITE, ...END, "s3:GetObject"]],
    ["the step batch-settle of a run", [...RECORDS, ...WRITE, ...END, "s3:GetObject", "sqs:SendMessage"]],
    ["the run of an execution that ended badly", [...RECORDS, ...WRITE, ...END, "s3:GetObject", "sqs:SendMessage"]],
    [
      "keeps the API keys",
      [
        ...RECORDS,
        ...SECRET,
        ...WRITE,
        "s3:GetObject",
        "s3:DeleteObject",
        ...START,
        ...END,
        "states:DeleteStateMachine",
        "sqs:SendMessage",
      ],
    ],
  ])("of %s are the ones it uses", (ending, expected) => {
    expect(actionsOf(ending)).toEqual([...expected].sort());
  });

  it("on files are limited by prefix: the inspection of an upload cannot read organizations' files", () => {
    const objects = (ending: string): Record<string, string[]> =>
      Object.fromEntries(
        functionOf(ending)
          .rights.filter(({ Action }) => list(Action).includes("s3:GetObject"))
          .map(({ Action, Resource }) => [text(Resource).replace(/^[^/]*/, ""), list(Action)]),
      );
    for (const ending of ["and pictures of pages", "reads and fills templates"]) {
      expect(objects(ending)).toEqual({ "/tmp/*": ["s3:AbortMultipartUpload", "s3:GetObject", "s3:PutObject"] });
    }
    const documents = objects("the API's documents");
    expect(Object.keys(documents).sort()).toEqual(["/org/*", "/tmp/*"]);
    expect(documents["/org/*"]).not.toContain("s3:DeleteObject");
  });

  const writtenBy = (ending: string): string[] => {
    const written = functionOf(ending).rights.filter(({ Action }) => list(Action).includes("s3:PutObject"));
    return written.flatMap(({ Resource }) => list(Resource).map((one) => text(one).replace(/^[^/]*/, ""))).sort();
  };

  it("of the work queue's function to write files are limited to traces, templates' facts, taken uploads, knowledge bases, and files that expire", () => {
    const expected = ["jobs/*/commands/*", "jobs/*/source", "knowledge/*", "pipeline/trace-*", "templates/*.json"];
    expect([...new Set(writtenBy("works off the queue"))]).toEqual([
      ...expected.map((one) => `/org/*/${one}`),
      "/tmp/*",
    ]);
  });

  it.each(["the run of an execution that ended badly", "keeps the API keys"])(
    "of %s to write files are limited to the traces of pipelines' runs",
    (ending) => {
      expect(writtenBy(ending)).toEqual(["/org/*/pipeline/trace-*"]);
    },
  );

  it("to list files belong to the deletion of jobs and to recognition, below the organizations' prefix", () => {
    const listing = Object.values(resources("AWS::IAM::Policy")).flatMap(({ Properties }) =>
      (Properties.PolicyDocument as { Statement: Statement[] }).Statement.filter(({ Action }) =>
        list(Action).some((action) => /^s3:List/.test(action)),
      ),
    );
    const listers = ["works off the queue", "the step recognize of a run", "the step collect of a run"];
    const own = listers.map((lister) =>
      functionOf(lister).rights.find(({ Action }) => list(Action).includes("s3:ListBucket")),
    );
    expect(new Set(listing)).toEqual(new Set(own));
    expect(own).toHaveLength(listing.length);
    for (const one of own)
      expect(one).toMatchObject({ Action: "s3:ListBucket", Condition: { StringLike: { "s3:prefix": "org/*" } } });
  });

  it("on the queues of work and webhooks are sending for senders, and receiving for one function each", () => {
    const [work = "", webhooks = ""] = Object.entries(resources("AWS::SQS::Queue")).flatMap(([id, { Properties }]) =>
      Properties.RedrivePolicy === undefined || !id.startsWith("Work") ? [] : [`${id}.Arn`],
    );
    expect([work, webhooks]).toEqual([expect.stringMatching(/^WorkQueue/), expect.stringMatching(/^WorkWebhooks/)]);
    const mayDo = (action: string, queue: string): string[] =>
      functions
        .filter(({ rights }) =>
          rights.some(
            ({ Action, Resource }) => list(Action).includes(action) && list(Resource).map(text).includes(queue),
          ),
        )
        .map(({ description }) => description)
        .sort();
    const senders = [
      "Sheaf: settles the run of an execution that ended badly",
      "Sheaf: starts what was not started, settles what is late, keeps the API keys",
      "Sheaf: the API's cases",
      "Sheaf: the API's documents",
      "Sheaf: the API's jobs",
      "Sheaf: the API's settings",
      "Sheaf: the API's templates",
      "Sheaf: the step batch-settle of a run",
      "Sheaf: the step operate-node of a run",
      "Sheaf: the step settle of a run",
      "Sheaf: works off the queue",
    ];
    expect(mayDo("sqs:SendMessage", work)).toEqual(senders);
    expect(mayDo("sqs:SendMessage", webhooks)).toEqual(["Sheaf: sends webhooks", ...senders]);
    expect(mayDo("sqs:ReceiveMessage", work)).toEqual(["Sheaf: works off the queue"]);
    expect(mayDo("sqs:ReceiveMessage", webhooks)).toEqual(["Sheaf: sends webhooks"]);
  });

  it("of the machines are to call steps, start each other, read lists, send work and be traced; no other role can be passed", () => {
    const passed = functions.flatMap(({ rights }) =>
      rights.filter(({ Action }) => list(Action).includes("iam:PassRole")),
    );
    const roles = new Set(passed.map(({ Resource }) => text(Resource)));
    expect(roles.size).toBe(1);
    for (const { Condition } of passed) {
      expect(Condition).toEqual({ StringEquals: { "iam:PassedToService": "states.amazonaws.com" } });
    }
    const [role = ""] = roles;
    const steps = STEPS.map((step) => `${functionOf(`the step ${step} of a run`).id}.Arn`);
    const granted = statementsOf(role.replace(/\.Arn$/, "")).map(({ Action, Resource }) => [
      list(Action).join(" "),
      list(Resource).map(text).sort(),
    ]);
    const states = "arn:AWS::Partition:states:AWS::Region:AWS::AccountId";
    const events = "arn:AWS::Partition:events:AWS::Region:AWS::AccountId";
    expect(granted).toEqual([
      ["lambda:InvokeFunction", steps.sort()],
      // The work queue, and the queue of each tier.
      ["sqs:SendMessage", Array(5).fill(expect.stringMatching(/^(WorkQueue|Nodes)\w+\.Arn$/))],
      ["states:StartExecution", [`${states}:stateMachine:${stack.machinePrefix}*`]],
      ["states:DescribeExecution states:StopExecution", [`${states}:execution:${stack.machinePrefix}*:*`]],
      [
        "events:DescribeRule events:PutRule events:PutTargets",
        [`${events}:rule/StepFunctionsGetEventsForStepFunctionsExecutionRule`],
      ],
      ["s3:GetObject", [expect.stringMatching(/^StorageFiles\w+\.Arn\/org\/\*$/)]],
      [expect.stringMatching(/^logs:CreateLogDelivery logs:.* xray:PutTraceSegments$/), ["*"]],
    ]);
  });

  it("to delete machines belong only to the sweep, for this stack's machines", () => {
    const may = functions.flatMap(({ description, rights }) =>
      rights
        .filter(({ Action }) => list(Action).includes("states:DeleteStateMachine"))
        .map(({ Resource }) => [description, ...list(Resource).map(text)]),
    );
    expect(may).toEqual([
      [
        "Sheaf: starts what was not started, settles what is late, keeps the API keys",
        `arn:AWS::Partition:states:AWS::Region:AWS::AccountId:stateMachine:${stack.machinePrefix}*`,
      ],
    ]);
  });

  it("have no wildcard without a written reason, and no reason without its wildcard", () => {
    const wildcards = wildcardsOf(stack.machinePrefix);
    const used = new Set<string>();
    const unexplained: string[] = [];
    const policies = Object.values(resources("AWS::IAM::Policy"));
    for (const { Properties } of policies) {
      for (const statement of (Properties.PolicyDocument as { Statement: Statement[] }).Statement) {
        expect(statement).not.toHaveProperty("NotAction");
        expect(statement).not.toHaveProperty("NotResource");
        unexplained.push(...list(statement.Action).filter((action) => action.includes("*")));
        for (const resource of list(statement.Resource).map(text)) {
          if (resource === "*" && list(statement.Action).every((action) => ACTIONS_WITHOUT_RESOURCE.test(action)))
            continue;
          const wildcard = wildcards.find(({ ending }) => resource.endsWith(ending));
          const rest = wildcard === undefined ? resource : resource.slice(0, -wildcard.ending.length);
          if (rest.includes("*")) unexplained.push(resource);
          else if (wildcard !== undefined) used.add(wildcard.ending);
        }
      }
    }
    expect(policies.length).toBeGreaterThan(10);
    expect(unexplained).toEqual([]);
    expect([...used].sort()).toEqual(wildcards.map(({ ending }) => ending).sort());
    for (const reason of Object.values(WILDCARDS)) expect(reason.length).toBeGreaterThan(30);
  });

  it("come from no managed policy and no role that others may assume", () => {
    for (const { Properties } of Object.values(resources("AWS::IAM::Role"))) {
      expect(Properties.ManagedPolicyArns).toBeUndefined();
      expect(Properties.Policies).toBeUndefined();
      const { Statement: statements } = Properties.AssumeRolePolicyDocument as { Statement: { Principal: unknown }[] };
      for (const { Principal } of statements) {
        expect(["lambda.amazonaws.com", "states.amazonaws.com"]).toContain((Principal as { Service: string }).Service);
      }
    }
  });
});
