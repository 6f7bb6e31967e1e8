/** Choices of a deployment that reach many constructs, and what they make of logs, keys and traces. */
import { Aws, Fn, RemovalPolicy, Stack } from "aws-cdk-lib";
import { type IGrantable, PolicyStatement, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { type IKey, Key } from "aws-cdk-lib/aws-kms";
import { LogGroup, RetentionDays } from "aws-cdk-lib/aws-logs";
import { Queue, QueueEncryption, type QueueProps } from "aws-cdk-lib/aws-sqs";
import type { Construct } from "constructs";

export interface DeploymentOptions {
  /** Encrypt table, files, secrets, queues, logs and alarms under a key of the account's own. */
  customerKey?: boolean;
  /** Keep the logs when the stack is deleted. */
  retainLogs?: boolean;
  /** Trace all functions with X-Ray. */
  tracing?: boolean;
  /** Days for which the table can be restored and old versions of files are kept; from 1 to 35. */
  recoveryDays?: number;
}

export interface Deployment extends Required<DeploymentOptions> {
  /** The account's own key; undefined: the services' keys. */
  key: IKey | undefined;
}

/** A week: time to notice a mistake, and short enough for data that was deleted on purpose. */
const DEFAULT_RECOVERY_DAYS = 7;
/** Actions of functions with the key: they read and write tables, files, queues and secrets under it. */
const KEY_ACTIONS = ["Decrypt", "DescribeKey", "Encrypt", "GenerateDataKey", "ReEncryptFrom", "ReEncryptTo"];

const deployments = new WeakMap<Stack, Deployment>();

/** Call once for a stack, before its constructs are made. */
export function openDeployment(stack: Stack, options: DeploymentOptions): Deployment {
  const { customerKey = false, retainLogs = false, tracing = false, recoveryDays = DEFAULT_RECOVERY_DAYS } = options;
  const key = customerKey ? makeKey(stack) : undefined;
  const deployment = { customerKey, retainLogs, tracing, recoveryDays, key };
  deployments.set(stack, deployment);
  return deployment;
}

/** @throws Error for a stack without `openDeployment` */
export function deploymentOf(scope: Construct): Deployment {
  const deployment = deployments.get(Stack.of(scope));
  if (deployment === undefined) throw new Error("The stack's deployment is not open");
  return deployment;
}

/**
 * The account's IAM policies rule the key, besides the services that encrypt for nobody's role: CloudWatch Logs, alarms
 * and rules.
 * Source: "Encrypt log data in CloudWatch Logs using AWS KMS", Amazon CloudWatch Logs User Guide; "Key management",
 * Amazon SNS Developer Guide.
 */
function makeKey(stack: Stack): IKey {
  const key = new Key(stack, "Key", {
    description: `Sheaf: records, files, secrets, queues and logs of ${stack.stackName}`,
    enableKeyRotation: true,
    removalPolicy: RemovalPolicy.RETAIN,
  });
  const { partition, region, account } = stack;
  key.addToResourcePolicy(
    new PolicyStatement({
      principals: [new ServicePrincipal(`logs.${region}.amazonaws.com`)],
      actions: ["kms:Encrypt", "kms:Decrypt", "kms:ReEncrypt*", "kms:GenerateDataKey*", "kms:Describe*"],
      resources: ["*"],
      conditions: {
        ArnLike: { "kms:EncryptionContext:aws:logs:arn": `arn:${partition}:logs:${region}:${account}:log-group:*` },
      },
    }),
  );
  key.addToResourcePolicy(
    new PolicyStatement({
      principals: [new ServicePrincipal("cloudwatch.amazonaws.com"), new ServicePrincipal("events.amazonaws.com")],
      actions: ["kms:Decrypt", "kms:GenerateDataKey*"],
      resources: ["*"],
      conditions: { StringEquals: { "aws:SourceAccount": account } },
    }),
  );
  // By its ARN, so that no construct writes its readers' roles into the key's policy, which would depend on each other.
  return Key.fromKeyArn(stack, "OwnKey", key.keyArn);
}

/** Lets a role read and write what the account's own key encrypts. */
export function grantKey(scope: Construct, { grantPrincipal }: IGrantable): void {
  const { key } = deploymentOf(scope);
  if (key === undefined) return;
  const actions = KEY_ACTIONS.map((action) => `kms:${action}`);
  grantPrincipal.addToPrincipalPolicy(new PolicyStatement({ actions, resources: [key.keyArn] }));
}

/** A log group of the service: kept for a month, and with the stack or longer. */
export function logGroupOf(scope: Construct, id: string, { logGroupName }: { logGroupName?: string } = {}): LogGroup {
  const { key, retainLogs } = deploymentOf(scope);
  return new LogGroup(scope, id, {
    ...(logGroupName === undefined ? {} : { logGroupName }),
    retention: RetentionDays.ONE_MONTH,
    removalPolicy: retainLogs ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    ...(key === undefined ? {} : { encryptionKey: key }),
  });
}

/** Ends a fixed log group's name where the group outlives its stack: a later stack of the name has another. */
export const nameSuffixOf = (scope: Construct): string =>
  deploymentOf(scope).retainLogs ? `-${Fn.select(2, Fn.split("/", Aws.STACK_ID))}` : "";

/** An encrypted queue that only TLS reaches. */
export function queueOf(scope: Construct, id: string, props: QueueProps = {}): Queue {
  const { key } = deploymentOf(scope);
  const encryption =
    key === undefined
      ? { encryption: QueueEncryption.SQS_MANAGED }
      : { encryption: QueueEncryption.KMS, encryptionMasterKey: key };
  return new Queue(scope, id, { ...encryption, enforceSSL: true, ...props });
}
