/** A Step Functions driver whose service is a written-down exchange. */
import { SFNClient } from "@aws-sdk/client-sfn";
import { openStepFunctions, type StepFunctionsOptions } from "../../../../functions/adapters/aws/workflows.ts";
import { openRecords } from "../../../../functions/adapters/local/records.ts";
import {
  type Answer,
  answer,
  hurriedClock,
  type Request,
  script,
  type Turn,
  talkingTo,
  turn,
} from "./json-exchange.ts";

export const PLACE = "arn:aws:states:eu-central-1:123456789012";
export const ROLE = "arn:aws:iam::123456789012:role/machines";
export const LAMBDA = "arn:aws:lambda:eu-central-1:123456789012:function";
export const STARTED = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
export const MACHINE = "sheaf-0123";
export const NAME = "0195-1";
export const ARN = `${PLACE}:execution:${MACHINE}:${NAME}`;

export const task = (step: string, members = {}) => ({ Type: "Task", Resource: `\${${step}}`, ...members });
export const single = (state: object) => ({ StartAt: "Only", States: { Only: { ...state, End: true } } });

export function driver(
  reply: (request: Request) => Answer | Promise<Answer>,
  options: Partial<StepFunctionsOptions> = {},
) {
  const clock = hurriedClock();
  const records = openRecords(":memory:", { clock });
  const workflows = openStepFunctions({
    client: new SFNClient(talkingTo(reply)),
    records,
    clock,
    accountId: "123456789012",
    region: "eu-central-1",
    roleArn: ROLE,
    steps: { read: `${LAMBDA}:read`, settle: `${LAMBDA}:settle` },
    namePrefix: "sheaf-",
    random: () => 0.5,
    ...options,
  });
  return { workflows, records, clock };
}

export function scripted(turns: Turn[], options?: Partial<StepFunctionsOptions>) {
  const { reply, done } = script(turns);
  return { ...driver(reply, options), done };
}

export const startTurn = (given: Answer, machine = MACHINE, input = "{}") =>
  turn("StartExecution", { stateMachineArn: `${PLACE}:stateMachine:${machine}`, name: NAME, input }, given);
export const describeTurn = (given: Answer) => turn("DescribeExecution", { executionArn: ARN }, given);
export const started = answer({ executionArn: ARN, startDate: STARTED / 1000 });

/** A driver whose claim of NAME on MACHINE exists, as after a start by another process. */
export async function claimed(turns: Turn[]) {
  const made = scripted([startTurn(started), ...turns]);
  await made.workflows.start(MACHINE, NAME, {});
  return made;
}
