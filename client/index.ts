/** The typed client: what the command line, the console and the tests call the service with. Needs nothing but fetch. */
export { SheafClient } from "./client.ts";
export type { ConfigurationCalls, NamedConfiguration, SavedCommand } from "./configuration-calls.ts";
export { type MemberFault, SheafError, SheafUnreachable, SheafWaitTimeout } from "./errors.ts";
export type { ConnectionOptions } from "./http.ts";
export type {
  GenerativeTask,
  NewOperation,
  OperationCalls,
  OperationList,
  OperationRecord,
  OperationSubmitted,
} from "./operation-calls.ts";
export type {
  CallOptions,
  Document,
  PageImageOptions,
  RunOptions,
  UploadFilesOptions,
  UploadOptions,
  WorkOptions,
} from "./options.ts";
export type { PipelineCalls, PipelineNode, PipelineVerdict } from "./pipeline-calls.ts";
export * from "./types.ts";
export type { WaitOptions } from "./wait.ts";
export type { WebhookCalls } from "./webhook-calls.ts";
export { verifyWebhook, type WebhookDelivered, WebhookVerificationError } from "./webhooks.ts";
