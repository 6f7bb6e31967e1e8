/** A Lambda function of the service: bundled from one entry, with its own role and log group. */
import { existsSync, mkdirSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { Duration, Stack, SymlinkFollowMode } from "aws-cdk-lib";
import { Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { Architecture, Code, Function as LambdaFunction, Runtime, Tracing } from "aws-cdk-lib/aws-lambda";
import type { IQueue } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import { bundleOf, type Sources } from "./bundles.ts";
import { deploymentOf, logGroupOf } from "./deployment.ts";
import { acknowledgeWildcard } from "./wildcards.ts";

export interface ServiceFunctionProps {
  sources: Sources;
  /** The entry's name. */
  entry: string;
  /** A fixed function name; absent: CloudFormation generates one. */
  name?: string;
  description: string;
  memoryMegabytes: number;
  timeoutSeconds: number;
  environment: Record<string, string>;
  /** Receives events that failed three times, for functions that are invoked asynchronously. */
  deadLetters?: IQueue;
  /** Concurrency reserved for this function; the unreserved rest of the account's quota must stay over 10. */
  reservedConcurrency?: number;
  /** Puts the engines for PDFs and pictures beside the code. */
  readsDocuments?: boolean;
  /** Puts the fonts for filling templates beside the code: 16 MB. */
  fillsTemplates?: boolean;
  /** Puts the script of the API's reference beside the code: 1.1 MB. */
  showsReference?: boolean;
}

/** WebAssembly files by the name that the code looks for beside itself. */
const WASM_FILES: Record<string, string> = {
  "pdfium.wasm": "node_modules/@embedpdf/pdfium/dist/pdfium.wasm",
  "zxing_reader.wasm": "node_modules/zxing-wasm/dist/reader/zxing_reader.wasm",
};
/** Fonts by the name that the code looks for beside itself (functions/engine/templates/pdf/font-files.ts). */
export const FONT_FILES: Record<string, string> = {
  "NotoSans.ttf": "node_modules/@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf",
  "DejaVuSans.ttf": "node_modules/dejavu-fonts-ttf/ttf/DejaVuSans.ttf",
  "NotoSansSC.ttf": "node_modules/@expo-google-fonts/noto-sans-sc/400Regular/NotoSansSC_400Regular.ttf",
  "NanumGothic.ttf": "node_modules/@expo-google-fonts/nanum-gothic/400Regular/NanumGothic_400Regular.ttf",
};
/** The reference's script by the name that the code looks for beside itself (functions/adapters/reference-script.ts). */
export const REFERENCE_FILES: Record<string, string> = {
  "redoc.js": "node_modules/redoc/bundles/redoc.standalone.js",
};
/** sharp with its native part for Lambda and its dependencies; native code cannot be bundled. */
const SHARP_PACKAGES = [
  "sharp",
  "@img/colour",
  "@img/sharp-linux-x64",
  "@img/sharp-libvips-linux-x64",
  "detect-libc",
  "semver",
].map((name) => `node_modules/${name}`);

const ENGINE_FILES = { ...WASM_FILES, ...Object.fromEntries(SHARP_PACKAGES.map((path) => [path, path])) };

/**
 * Links files of packages beside a bundle. @throws Error for a package that is not installed, so that nothing broken is
 * deployed
 */
function addFiles(files: Readonly<Record<string, string>>, root: string, folder: string): void {
  for (const [name, path] of Object.entries(files)) {
    const [from, to] = [join(root, path), join(folder, name)];
    if (!existsSync(from)) throw new Error(`${from} is not there; run npm ci --os=linux --cpu=x64 --libc=glibc`);
    if (existsSync(to)) continue;
    mkdirSync(dirname(to), { recursive: true });
    symlinkSync(from, to);
  }
}

/** The code to deploy; without bundling, a placeholder for the template. */
function codeOf(scope: Construct, props: ServiceFunctionProps): Code {
  const { sources, entry, readsDocuments = false, fillsTemplates = false, showsReference = false } = props;
  if (!Stack.of(scope).bundlingRequired) return Code.fromAsset(sources.handlers);
  const folder = bundleOf(sources, entry);
  if (readsDocuments) addFiles(ENGINE_FILES, sources.root, folder);
  if (fillsTemplates) addFiles(FONT_FILES, sources.root, folder);
  if (showsReference) addFiles(REFERENCE_FILES, sources.root, folder);
  return Code.fromAsset(folder, { followSymlinks: SymlinkFollowMode.ALWAYS });
}

export class ServiceFunction extends Construct {
  readonly function: LambdaFunction;
  readonly role: Role;

  constructor(scope: Construct, id: string, props: ServiceFunctionProps) {
    super(scope, id);
    const logGroup = logGroupOf(this, "Log");
    const { tracing } = deploymentOf(this);
    this.role = new Role(this, "Role", { assumedBy: new ServicePrincipal("lambda.amazonaws.com") });
    logGroup.grantWrite(this.role);
    this.function = new LambdaFunction(this, "Function", {
      code: codeOf(this, props),
      handler: "index.handler",
      description: props.description,
      ...(props.name === undefined ? {} : { functionName: props.name }),
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.X86_64,
      memorySize: props.memoryMegabytes,
      timeout: Duration.seconds(props.timeoutSeconds),
      role: this.role,
      logGroup,
      ...(tracing ? { tracing: Tracing.ACTIVE } : {}),
      ...(props.deadLetters === undefined ? {} : { deadLetterQueue: props.deadLetters }),
      ...(props.reservedConcurrency === undefined ? {} : { reservedConcurrentExecutions: props.reservedConcurrency }),
      environment: { NODE_OPTIONS: "--enable-source-maps", ...props.environment },
    });
    if (tracing) acknowledgeWildcard(this.role, "*", "telemetry");
  }
}

/** Adds environment variables that are known only after other constructs exist. */
export function addEnvironment(one: ServiceFunction, variables: Record<string, string>): void {
  for (const [name, value] of Object.entries(variables)) one.function.addEnvironment(name, value);
}
