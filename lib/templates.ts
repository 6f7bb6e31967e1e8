/** The function that reads and fills templates, for the functions of requests and of the work queue. */
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import { Construct } from "constructs";
import type { Sources } from "./bundles.ts";
import { ServiceFunction } from "./functions.ts";
import type { Storage } from "./storage.ts";

export interface TemplatesProps {
  sources: Sources;
  storage: Storage;
  environment: Record<string, string>;
  /** Reserved concurrency, as of the API's functions, which wait for this one. */
  concurrency?: number;
}

/** The service gives work on a template 9 s; a start with fonts takes some more. */
const TIMEOUT_SECONDS = 20;

export class Templates extends Construct {
  readonly filling: ServiceFunction;
  readonly #storage: Storage;

  constructor(scope: Construct, id: string, { sources, storage, environment, concurrency }: TemplatesProps) {
    super(scope, id);
    this.#storage = storage;
    this.filling = new ServiceFunction(this, "templates", {
      sources,
      entry: "templates",
      description: "Sheaf: reads and fills templates",
      // The fonts are 16 MB; and CPU comes with memory.
      memoryMegabytes: 1536,
      timeoutSeconds: TIMEOUT_SECONDS,
      environment,
      fillsTemplates: true,
      ...(concurrency === undefined ? {} : { reservedConcurrency: concurrency }),
    });
    // Documents, values and filled documents pass through files that expire; it sees no organization's.
    storage.grantObjects(this.filling.role, "tmp", ["Get", "Put"]);
  }

  /** Lets a function call this one. */
  grantCall(one: ServiceFunction): void {
    this.#storage.grantObjects(one.role, "tmp", ["Get", "Put", "Delete"]);
    const { functionArn } = this.filling.function;
    one.role.addToPolicy(new PolicyStatement({ actions: ["lambda:InvokeFunction"], resources: [functionArn] }));
    one.function.addEnvironment("SHEAF_TEMPLATE_FUNCTION", functionArn);
  }
}
