/** Storage: records in one table, files in one bucket, and the secrets. */
import { Duration, RemovalPolicy, Stack } from "aws-cdk-lib";
import * as dynamodb from "aws-cdk-lib/aws-dynamodb";
import { type IGrantable, PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { IKey } from "aws-cdk-lib/aws-kms";
import * as s3 from "aws-cdk-lib/aws-s3";
import { Secret } from "aws-cdk-lib/aws-secretsmanager";
import { Construct } from "constructs";
import { deploymentOf, grantKey } from "./deployment.ts";
import { addEnvironment, type ServiceFunction } from "./functions.ts";
import {
  acknowledge,
  acknowledgeWildcard,
  KNOWLEDGE_OBJECTS,
  TAKEN_UPLOADS,
  TEMPLATE_FACTS,
  TRACE_OBJECTS,
} from "./wildcards.ts";

/** The table that the Records driver expects. */
export interface TableShape {
  partitionKey: { name: string; type: "S" };
  sortKey: { name: string; type: "S" };
  timeToLiveAttribute: string;
}

/** Prefixes of the bucket: the organizations' files, and files that expire after a day. */
export type Prefix = "org" | "tmp";
export type ObjectRight = "Get" | "Put" | "Delete";

const RECORD_ACTIONS = ["GetItem", "PutItem", "UpdateItem", "DeleteItem", "ConditionCheckItem", "Query"];

export class Storage extends Construct {
  readonly table: dynamodb.Table;
  readonly bucket: s3.Bucket;
  /** The key for the hashes of API keys. Generated once; nobody needs to know it. */
  readonly serverKey: Secret;
  /** The key that seals documents' passwords while their runs are open. */
  readonly documentKey: Secret;
  /** The API keys of the deployment, for its operators to read and to replace. */
  readonly apiKeys: Secret;
  /** Address and key of a model; an operator writes it. Without it the offline extractor is used. */
  readonly model: Secret;
  /** Keys of the payment provider, and the packs on offer; an operator writes it. Without it nothing is sold. */
  readonly payments: Secret;

  constructor(scope: Construct, id: string, { table }: { table: TableShape }) {
    super(scope, id);
    this.table = this.#makeTable(table);
    this.bucket = this.#makeBucket();
    [this.serverKey, this.documentKey, this.apiKeys, this.model, this.payments] = this.#makeSecrets();
  }

  /** What operators need of it, by the names of the stack's outputs. */
  get outputs(): Record<string, string> {
    return {
      ApiKeysSecret: this.apiKeys.secretArn,
      ServerKeySecret: this.serverKey.secretArn,
      ModelSecret: this.model.secretArn,
      PaymentsSecret: this.payments.secretArn,
      TableName: this.table.tableName,
      BucketName: this.bucket.bucketName,
    };
  }

  #makeTable(table: TableShape): dynamodb.Table {
    const attribute = ({ name }: { name: string }) => ({ name, type: dynamodb.AttributeType.STRING });
    const { key, recoveryDays } = deploymentOf(this);
    return new dynamodb.Table(this, "Records", {
      partitionKey: attribute(table.partitionKey),
      sortKey: attribute(table.sortKey),
      timeToLiveAttribute: table.timeToLiveAttribute,
      billingMode: dynamodb.BillingMode.PAY_PER_REQUEST,
      encryption: key === undefined ? dynamodb.TableEncryption.AWS_MANAGED : dynamodb.TableEncryption.CUSTOMER_MANAGED,
      ...this.#encryptionKey(),
      pointInTimeRecoverySpecification: {
        pointInTimeRecoveryEnabled: true,
        recoveryPeriodInDays: recoveryDays,
      },
      deletionProtection: true,
      removalPolicy: RemovalPolicy.RETAIN,
    });
  }

  #makeBucket(): s3.Bucket {
    const { key, recoveryDays } = deploymentOf(this);
    const bucket = new s3.Bucket(this, "Files", {
      encryption: key === undefined ? s3.BucketEncryption.S3_MANAGED : s3.BucketEncryption.KMS,
      ...(key === undefined ? {} : { encryptionKey: key, bucketKeyEnabled: true }),
      blockPublicAccess: s3.BlockPublicAccess.BLOCK_ALL,
      objectOwnership: s3.ObjectOwnership.BUCKET_OWNER_ENFORCED,
      enforceSSL: true,
      minimumTLSVersion: 1.2,
      removalPolicy: RemovalPolicy.RETAIN,
      versioned: true,
      lifecycleRules: [
        { id: "IncompleteUploads", abortIncompleteMultipartUploadAfter: Duration.days(1) },
        {
          id: "Temporary",
          prefix: "tmp/",
          expiration: Duration.days(1),
          noncurrentVersionExpiration: Duration.days(1),
        },
        {
          // A file that was deleted can be restored as long as the table; then nothing is left of it.
          id: "OldVersions",
          noncurrentVersionExpiration: Duration.days(recoveryDays),
          expiredObjectDeleteMarker: true,
        },
      ],
    });
    acknowledge(
      bucket,
      "AwsSolutions-S1",
      "Files are read and written by this stack's functions alone, and by requests that they presign; the API's access log has who asked.",
    );
    return bucket;
  }

  /** The server key, the key of documents' passwords, the API keys and the model. */
  #makeSecrets(): [Secret, Secret, Secret, Secret, Secret] {
    const serverKey = new Secret(this, "ServerKey", {
      description:
        "Sheaf: the server key, under which callers' keys are hashed. Changing it makes all of them unknown.",
      generateSecretString: { passwordLength: 64, excludePunctuation: true },
      removalPolicy: RemovalPolicy.RETAIN,
      ...this.#encryptionKey(),
    });
    const documentKey = new Secret(this, "DocumentKey", {
      description:
        "Sheaf: the key that seals documents' passwords. Changing it fails the open runs that have a password.",
      generateSecretString: { passwordLength: 64, excludePunctuation: true },
      removalPolicy: RemovalPolicy.RETAIN,
      ...this.#encryptionKey(),
    });
    const apiKeys = new Secret(this, "ApiKeys", {
      description:
        "Sheaf: API keys. This JSON object, or a text like SHEAF_API_KEYS: 1:{16 or more characters}:read+write",
      generateSecretString: {
        secretStringTemplate: JSON.stringify({ organization: "1", scopes: "read+write+billing+admin" }),
        generateStringKey: "key",
        passwordLength: 48,
        excludePunctuation: true,
      },
      removalPolicy: RemovalPolicy.RETAIN,
      ...this.#encryptionKey(),
    });
    const model = new Secret(this, "Model", {
      description:
        'Sheaf: the model, as JSON: {"OPENAI_API_KEY":"…","LLM_MODEL_DEFAULT":"…","OPENAI_BASE_URL":"…"}; {} for none',
      secretObjectValue: {},
      removalPolicy: RemovalPolicy.RETAIN,
      ...this.#encryptionKey(),
    });
    const payments = new Secret(this, "Payments", {
      description:
        'Sheaf: payments, as JSON: {"STRIPE_SECRET_KEY":"…","STRIPE_WEBHOOK_SECRET":"…","STRIPE_PRICE_IDS":"…"}; {} for none',
      secretObjectValue: {},
      removalPolicy: RemovalPolicy.RETAIN,
      ...this.#encryptionKey(),
    });
    for (const secret of [serverKey, documentKey, apiKeys, model, payments]) {
      acknowledge(
        secret,
        "AwsSolutions-SMG4",
        "Nothing else knows this secret; operators change it when they need to.",
      );
    }
    return [serverKey, documentKey, apiKeys, model, payments];
  }

  /** The member for the account's own key, where there is one. */
  #encryptionKey(): { encryptionKey?: IKey } {
    const { key } = deploymentOf(this);
    return key === undefined ? {} : { encryptionKey: key };
  }

  /** Lets a function seal and open the passwords of documents. */
  grantPasswords(one: ServiceFunction): void {
    this.documentKey.grantRead(one.role);
    addEnvironment(one, { SHEAF_DOCUMENT_KEY_SECRET: this.documentKey.secretArn });
  }

  /** All of the Records driver's actions on items, and none on the table itself. */
  grantRecords(grantee: IGrantable): void {
    grantKey(this, grantee);
    this.table.grant(grantee, ...RECORD_ACTIONS.map((action) => `dynamodb:${action}`));
  }

  /** Rights on the objects below a prefix, without listing them. */
  grantObjects(grantee: IGrantable & Construct, prefix: Prefix, rights: readonly ObjectRight[]): void {
    this.#grant(grantee, `${prefix}/*`, rights);
  }

  /** Rights for the traces of pipelines' runs: read their sources, and write the traces alone. */
  grantTraces(grantee: IGrantable & Construct): void {
    this.#grant(grantee, "org/*", ["Get"]);
    this.#grant(grantee, TRACE_OBJECTS, ["Put"]);
  }

  /** The right to write what the queue's work keeps: facts of templates, knowledge bases, and uploads with commands. */
  grantWorkFiles(grantee: IGrantable & Construct): void {
    for (const objects of [TEMPLATE_FACTS, KNOWLEDGE_OBJECTS, ...TAKEN_UPLOADS]) this.#grant(grantee, objects, ["Put"]);
  }

  #grant(grantee: IGrantable & Construct, objects: string, rights: readonly ObjectRight[]): void {
    grantKey(this, grantee);
    const actions = rights.map((right) => `s3:${right}Object`);
    if (rights.includes("Put")) actions.push("s3:AbortMultipartUpload");
    const resources = [this.bucket.arnForObjects(objects)];
    grantee.grantPrincipal.addToPrincipalPolicy(new PolicyStatement({ actions, resources }));
    const bucket = Stack.of(this).getLogicalId(this.bucket.node.defaultChild as s3.CfnBucket);
    acknowledgeWildcard(grantee, `<${bucket}.Arn>/${objects}`, "objects");
  }

  /** The right to list the objects below a prefix, for functions that delete them or find those of an earlier try. */
  grantListing({ grantPrincipal }: IGrantable, prefix: Prefix): void {
    grantPrincipal.addToPrincipalPolicy(
      new PolicyStatement({
        actions: ["s3:ListBucket"],
        resources: [this.bucket.bucketArn],
        conditions: { StringLike: { "s3:prefix": `${prefix}/*` } },
      }),
    );
  }
}
