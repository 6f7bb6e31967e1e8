/**
 * The HTTP API: a gateway route for each path of the table, a function for each resource, and one for all other
 * requests.
 */
import { AccessLogFormat } from "aws-cdk-lib/aws-apigateway";
import * as apigateway from "aws-cdk-lib/aws-apigatewayv2";
import { HttpLambdaIntegration } from "aws-cdk-lib/aws-apigatewayv2-integrations";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import { Construct } from "constructs";
import type { Sources } from "./bundles.ts";
import { logGroupOf } from "./deployment.ts";
import { addEnvironment, ServiceFunction } from "./functions.ts";
import type { ObjectRight, Storage } from "./storage.ts";
import type { Templates } from "./templates.ts";
import { acknowledge } from "./wildcards.ts";
import type { Work } from "./work.ts";
import type { Workflows } from "./workflows.ts";

/** The parts of a route that the gateway needs; `scope` null: no authorization. */
export interface ApiRoute {
  method: string;
  path: string;
  scope: string | null;
}

export interface ApiProps {
  sources: Sources;
  storage: Storage;
  workflows: Workflows;
  work: Work;
  templates: Templates;
  /** Routes by resource; each resource has an entry `api-{resource}`. */
  resources: Readonly<Record<string, readonly ApiRoute[]>>;
  environment: Record<string, string>;
  version: string;
  /** The service's limits, by environment name. */
  settings: Record<string, string>;
  /** The service's address, as its callers know it; absent: the gateway's own. */
  publicUrl?: string;
  /** Asked before every request; absent: the gateway calls the functions at once. */
  authorizer?: apigateway.IHttpRouteAuthorizer;
  /** Reserved concurrency of each function; absent: all share the account's. */
  concurrency?: number;
}

/** API Gateway waits at most 30 s. */
const API_TIMEOUT_SECONDS = 30;
const INSPECTION_TIMEOUT_SECONDS = 20;
/** Requests per second, and concurrent ones, of all callers together. */
const GATEWAY_THROTTLE = { rateLimit: 500, burstLimit: 1000 };

/** Rights of a resource's routes on the organizations' files, their presigned requests included. */
const OBJECT_RIGHTS_BY_RESOURCE: Record<string, readonly ObjectRight[]> = {
  documents: ["Get", "Put"],
  cases: ["Get", "Put"],
  // Writes tables of results, and the unfinished list of a batch.
  jobs: ["Get", "Put"],
  pages: ["Get", "Put"],
  // Deletes a document that its batch refused.
  batches: ["Get", "Put", "Delete"],
  // Reads and writes an operation's command, and the definitions sent with it.
  operations: ["Get", "Put"],
  pipelines: [],
  configurations: [],
  // Deletes a file that lost its name to another upload, and a picture that another one replaced.
  templates: ["Get", "Put", "Delete"],
  settings: [],
  // Measures documents for quotes.
  billing: ["Get"],
};
/** Resources whose routes inspect documents. */
const INSPECTING_RESOURCES = new Set(["documents", "cases", "batches", "pages", "templates", "operations", "billing"]);
/** Resources whose routes start runs. */
const RUN_STARTING_RESOURCES = new Set(["documents", "cases", "batches", "operations"]);
/** Resources that seal secrets of document work: passwords of documents, and keys of organizations' own providers. */
const PASSWORD_RESOURCES = new Set(["documents", "cases", "batches", "settings"]);
/** Entries that receive uploads. */
const UPLOAD_ENTRIES = new Set(["api-documents", "api-cases", "api-batches", "api-templates"]);
/** Resources that put work on the queue. */
const QUEUE_SENDING_RESOURCES = new Set(["documents", "cases", "jobs", "templates", "settings"]);

/** The resource whose function has the whole route table. */
const DEFAULT_RESOURCE = "service";

const LOG_FORMAT = JSON.stringify({
  requestId: "$context.requestId",
  time: "$context.requestTime",
  ip: "$context.identity.sourceIp",
  method: "$context.httpMethod",
  route: "$context.routeKey",
  status: "$context.status",
  milliseconds: "$context.responseLatency",
  error: "$context.integrationErrorMessage",
});

export class Api extends Construct {
  readonly api: apigateway.HttpApi;
  readonly functions: ServiceFunction[] = [];
  readonly #props: ApiProps;

  constructor(scope: Construct, id: string, props: ApiProps) {
    super(scope, id);
    this.#props = props;
    this.api = new apigateway.HttpApi(this, "Http", {
      description: `Sheaf ${props.version}: documents in, data with evidence out`,
      createDefaultStage: false,
      ...authorized(props.authorizer, "defaultAuthorizer"),
    });
    this.#addStage();
    const inspection = this.#inspection();
    // Documents of cases that came by a presigned PUT are inspected by the queue's work.
    this.#grantLooks(props.work.consumer, inspection);
    for (const [resource, routes] of Object.entries(props.resources)) {
      const open = routes.every(({ scope: needed }) => needed === null);
      const one = this.#function(
        `api-${resource}`,
        `the API's ${resource}`,
        open ? {} : this.#organizationEnvironment(),
      );
      if (!open) this.#grantOrganizations(one, OBJECT_RIGHTS_BY_RESOURCE[resource] ?? ["Get"]);
      if (QUEUE_SENDING_RESOURCES.has(resource)) this.#grantWork(one);
      if (INSPECTING_RESOURCES.has(resource)) this.#grantLooks(one, inspection);
      if (RUN_STARTING_RESOURCES.has(resource)) this.#grantRuns(one);
      if (PASSWORD_RESOURCES.has(resource)) props.storage.grantPasswords(one);
      if (resource === "settings") this.#grantPayments(one);
      if (resource === "templates") props.templates.grantCall(one);
      if (resource === "jobs") this.#grantCancelling(one);
      this.#addRoutes(resource, routes, one);
    }
  }

  /** Routes requests without a route to the function that has the whole route table. */
  #addDefaultRoute(integration: HttpLambdaIntegration): void {
    const route = new apigateway.HttpRoute(this, "Default", {
      httpApi: this.api,
      routeKey: apigateway.HttpRouteKey.DEFAULT,
      integration,
      ...authorized(this.#props.authorizer, "authorizer"),
    });
    acknowledgeOpenRoute(route);
  }

  #addStage(): void {
    const log = logGroupOf(this, "AccessLog");
    new apigateway.HttpStage(this, "Stage", {
      httpApi: this.api,
      stageName: "$default",
      autoDeploy: true,
      throttle: GATEWAY_THROTTLE,
      accessLogSettings: {
        destination: new apigateway.LogGroupLogDestination(log),
        format: AccessLogFormat.custom(LOG_FORMAT),
      },
    });
  }

  #function(entry: string, what: string, environment: Record<string, string>, memoryMegabytes = 512): ServiceFunction {
    const one = new ServiceFunction(this, entry, {
      sources: this.#props.sources,
      entry,
      description: `Sheaf: ${what}`,
      // Uploads of 10 MB are in memory several times; and CPU, thus a fast start, comes with memory.
      memoryMegabytes: UPLOAD_ENTRIES.has(entry) ? 1024 : memoryMegabytes,
      timeoutSeconds: API_TIMEOUT_SECONDS,
      environment: { ...this.#props.environment, SHEAF_VERSION: this.#props.version, ...environment },
      showsReference: entry === `api-${DEFAULT_RESOURCE}`,
      ...this.#reserved(),
    });
    this.functions.push(one);
    return one;
  }

  #organizationEnvironment(): Record<string, string> {
    const { serverKey, apiKeys } = this.#props.storage;
    return {
      ...this.#props.settings,
      SHEAF_SERVER_KEY_SECRET: serverKey.secretArn,
      SHEAF_API_KEYS_SECRET: apiKeys.secretArn,
    };
  }

  #reserved(): { reservedConcurrency?: number } {
    const { concurrency } = this.#props;
    return concurrency === undefined ? {} : { reservedConcurrency: concurrency };
  }

  #grantOrganizations({ role }: ServiceFunction, rights: readonly ObjectRight[]): void {
    const { storage } = this.#props;
    storage.grantRecords(role);
    if (rights.length > 0) storage.grantObjects(role, "org", rights);
    storage.serverKey.grantRead(role);
    storage.apiKeys.grantRead(role);
  }

  /** Lets a function sell tokens, and send buyers back to the service. */
  #grantPayments(one: ServiceFunction): void {
    const { storage, publicUrl } = this.#props;
    storage.payments.grantRead(one.role);
    addEnvironment(one, {
      SHEAF_PAYMENTS_SECRET: storage.payments.secretArn,
      SHEAF_PUBLIC_URL: publicUrl ?? this.api.apiEndpoint,
    });
  }

  #grantWork(one: ServiceFunction): void {
    this.#props.work.addSender(one);
  }

  #grantRuns(one: ServiceFunction): void {
    const { workflows } = this.#props;
    workflows.grantStart(one.role);
    addEnvironment(one, workflows.environment);
  }

  #grantCancelling(one: ServiceFunction): void {
    const { workflows } = this.#props;
    workflows.grantDescribeAndStop(one.role);
    addEnvironment(one, workflows.environment);
  }

  /** Lets functions call the inspection of uploads and the rendering of pages. */
  #grantLooks(one: ServiceFunction, inspection: ServiceFunction): void {
    this.#props.storage.grantObjects(one.role, "tmp", ["Get", "Put", "Delete"]);
    const { functionArn } = inspection.function;
    one.role.addToPolicy(new PolicyStatement({ actions: ["lambda:InvokeFunction"], resources: [functionArn] }));
    one.function.addEnvironment("SHEAF_INSPECT_FUNCTION", functionArn);
  }

  #inspection(): ServiceFunction {
    const one = new ServiceFunction(this, "inspect", {
      sources: this.#props.sources,
      entry: "inspect",
      description: "Sheaf: the first look at an upload, and pictures of pages",
      memoryMegabytes: 1536,
      timeoutSeconds: INSPECTION_TIMEOUT_SECONDS,
      environment: this.#props.environment,
      readsDocuments: true,
      // Uploads wait for the inspection.
      ...this.#reserved(),
    });
    this.#props.storage.grantObjects(one.role, "tmp", ["Get", "Put"]);
    this.functions.push(one);
    return one;
  }

  #addRoutes(resource: string, routes: readonly ApiRoute[], one: ServiceFunction): void {
    const integration = integrationOf(resource, one);
    if (resource === DEFAULT_RESOURCE) this.#addDefaultRoute(integration);
    for (const [path, methods] of methodsByPath(routes)) {
      for (const route of this.api.addRoutes({ path, methods, integration })) acknowledgeOpenRoute(route);
    }
  }
}

const { ANY, GET, HEAD } = apigateway.HttpMethod;

/** @returns true when the placeholders of one path also take the other */
function covers(path: string, other: string): boolean {
  const [wanted, given] = [path.split("/"), other.split("/")];
  return wanted.length === given.length && wanted.every((part, at) => part.startsWith("{") || part === given[at]);
}

/**
 * Returns the methods that each path's gateway routes name. One route for any method saves resources of the stack, and its
 * function refuses the methods that the path does not have. But it would take requests from a path whose placeholders
 * cover this one (`POST /template/list`), so a covered path names its methods.
 */
function methodsByPath(routes: readonly ApiRoute[]): Map<string, apigateway.HttpMethod[]> {
  const paths = [...new Set(routes.map(({ path }) => path))];
  const methodsOf = (path: string): apigateway.HttpMethod[] => {
    if (!paths.some((other) => other !== path && covers(other, path))) return [ANY];
    const own = routes.filter((route) => route.path === path).map(({ method }) => method as apigateway.HttpMethod);
    return own.includes(GET) ? [...own, HEAD] : own;
  };
  return new Map(paths.map((path) => [path, methodsOf(path)]));
}

/** The member for an authorizer, where there is one. */
const authorized = <Name extends string>(one: apigateway.IHttpRouteAuthorizer | undefined, name: Name) =>
  (one === undefined ? {} : { [name]: one }) as { [member in Name]?: apigateway.IHttpRouteAuthorizer };

/** One permission for all routes of a function: one for each route would exceed the size of its policy. */
const integrationOf = (name: string, one: ServiceFunction): HttpLambdaIntegration =>
  new HttpLambdaIntegration(name, one.function, { scopePermissionToRoute: false });

const acknowledgeOpenRoute = (route: apigateway.HttpRoute): void =>
  acknowledge(
    route,
    "AwsSolutions-APIG4",
    "The handlers check API keys, which are the service's own; /health is for all.",
  );
