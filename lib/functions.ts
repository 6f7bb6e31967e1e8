/** A Lambda function of the service: bundled from one entry, with a role and a log of its own. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { Duration, RemovalPolicy } from "aws-cdk-lib";
import { Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { Architecture, Runtime } from "aws-cdk-lib/aws-lambda";
import { LogLevel, NodejsFunction, OutputFormat, SourceMapMode } from "aws-cdk-lib/aws-lambda-nodejs";
import { LogGroup, RetentionDays } from "aws-cdk-lib/aws-logs";
import type { IQueue } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";

/** Where the handlers and the packages are. */
export interface Sources {
  /** The folder of the entries, `{name}.ts` each. */
  handlers: string;
  /** The project's folder: its lock file and its node_modules. */
  root: string;
}

export interface ServiceFunctionProps {
  sources: Sources;
  /** The entry's name. */
  entry: string;
  description: string;
  memoryMegabytes: number;
  timeoutSeconds: number;
  environment: Record<string, string>;
  /** Where an event goes that the function failed at, twice again: for functions that nobody waits for. */
  deadLetters?: IQueue;
  /** Functions at once that nothing else can take; what all others share must stay over 10 (of the account's quota). */
  reservedConcurrency?: number;
  /** Carries the engines for PDFs and pictures beside its code. */
  readsDocuments?: boolean;
}

/** Bundles are ES modules, and some packages in them still call `require`. */
const BANNER = 'import{createRequire as sheafRequire}from"node:module";const require=sheafRequire(import.meta.url);';

/** Ways to credentials that no Lambda function has; the SDK loads them when it comes to them, and it never does. */
const UNUSED = ["ini", "sso", "process", "web-identity", "http"].map((way) => `@aws-sdk/credential-provider-${way}`);

/** WebAssembly by the name that the code looks for beside itself. */
const WASM: Record<string, string> = {
  "pdfium.wasm": "node_modules/@embedpdf/pdfium/dist/pdfium.wasm",
  "zxing_reader.wasm": "node_modules/zxing-wasm/dist/reader/zxing_reader.wasm",
};
/** sharp with its compiled part for Lambda's machines, and what it needs; a bundler cannot take compiled code in. */
const SHARP = [
  "sharp",
  "@img/colour",
  "@img/sharp-linux-x64",
  "@img/sharp-libvips-linux-x64",
  "detect-libc",
  "semver",
].map((name) => `node_modules/${name}`);

/** @throws Error for what is not installed: nothing is deployed that could not read */
function copyEngines(root: string, outputDir: string): string[] {
  const missing = [...Object.values(WASM), ...SHARP].find((path) => !existsSync(join(root, path)));
  if (missing !== undefined) {
    throw new Error(`${join(root, missing)} is not there; run npm ci --os=linux --cpu=x64 --libc=glibc`);
  }
  return [
    ...Object.entries(WASM).map(([name, path]) => `cp "${join(root, path)}" "${outputDir}/${name}"`),
    ...SHARP.map((path) => `mkdir -p "${outputDir}/${path}" && cp -R "${join(root, path)}/." "${outputDir}/${path}"`),
  ];
}

export class ServiceFunction extends Construct {
  readonly function: NodejsFunction;
  readonly role: Role;

  constructor(scope: Construct, id: string, props: ServiceFunctionProps) {
    super(scope, id);
    const { sources, entry, readsDocuments = false } = props;
    const logGroup = new LogGroup(this, "Log", {
      retention: RetentionDays.ONE_MONTH,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    this.role = new Role(this, "Role", { assumedBy: new ServicePrincipal("lambda.amazonaws.com") });
    logGroup.grantWrite(this.role);
    this.function = new NodejsFunction(this, "Function", {
      entry: join(sources.handlers, `${entry}.ts`),
      projectRoot: sources.root,
      depsLockFilePath: join(sources.root, "package-lock.json"),
      description: props.description,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.X86_64,
      memorySize: props.memoryMegabytes,
      timeout: Duration.seconds(props.timeoutSeconds),
      role: this.role,
      logGroup,
      ...(props.deadLetters === undefined ? {} : { deadLetterQueue: props.deadLetters }),
      ...(props.reservedConcurrency === undefined ? {} : { reservedConcurrentExecutions: props.reservedConcurrency }),
      environment: { NODE_OPTIONS: "--enable-source-maps", ...props.environment },
      awsSdkConnectionReuse: false,
      bundling: {
        format: OutputFormat.ESM,
        target: "node24",
        mainFields: ["module", "main"],
        minify: true,
        // Errors are told apart by the names of their classes, here and in the machines.
        keepNames: true,
        sourceMap: true,
        sourceMapMode: SourceMapMode.EXTERNAL,
        sourcesContent: false,
        banner: BANNER,
        bundleAwsSDK: true,
        logLevel: LogLevel.WARNING,
        externalModules: readsDocuments ? [...UNUSED, "sharp"] : UNUSED,
        commandHooks: {
          beforeBundling: () => [],
          beforeInstall: () => [],
          afterBundling: (_inputDir, outputDir) => (readsDocuments ? copyEngines(sources.root, outputDir) : []),
        },
      },
    });
  }
}

/** For what is only known once other constructs are there. */
export function addEnvironment(one: ServiceFunction, variables: Record<string, string>): void {
  for (const [name, value] of Object.entries(variables)) one.function.addEnvironment(name, value);
}
