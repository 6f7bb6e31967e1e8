/** The typed client of the command line, the console and the tests. Needs nothing but fetch. */
export type { BatchDocument, BatchFile, BatchOptions, RefusedDocument } from "./batch-runs.ts";
export type { Batches } from "./batches.ts";
export type {
  Balance,
  BillingCalls,
  BillingEntry,
  BillingUsage,
  CheckoutOptions,
  Quote,
  QuotedDocument,
  TokenPack,
  UsageQuery,
} from "./billing-calls.ts";
export type {
  Case,
  CaseCalls,
  CaseDocument,
  CaseDocumentPage,
  CaseUploadOptions,
  DocumentSummary,
} from "./case-calls.ts";
export { SheafClient } from "./client.ts";
export type {
  ConfigurationCalls,
  ConfigurationDifference,
  ConfigurationRevision,
  NamedConfiguration,
  SavedCommand,
} from "./configuration-calls.ts";
export type {
  Documents,
  Processed,
  Records,
  RecordsCommand,
  ResultOf,
  ResultOptions,
  StartedJob,
  TypedCommand,
} from "./document-runs.ts";
export {
  type MemberFault,
  SheafError,
  type SheafErrorKind,
  SheafJobError,
  SheafUnreachable,
  SheafWaitTimeout,
} from "./errors.ts";
export type {
  FieldDefinition,
  FieldDefinitions,
  FormCalls,
  FormParameters,
  ReviewedForm,
} from "./form-calls.ts";
export type { ConnectionOptions } from "./http.ts";
export type { Jobs } from "./job-calls.ts";
export type { Json, JsonObject } from "./json.ts";
export type { ApiKey, KeyCalls, KeyScope, NewKey } from "./key-calls.ts";
export type { FoundPassage, KnowledgeBaseCalls, SearchOptions } from "./knowledge-base-calls.ts";
export type { HeaderCommand, MapReduceCommand, SearchTool } from "./map-reduce-types.ts";
export type {
  GenerativeTask,
  NewOperation,
  OperationCalls,
  OperationList,
  OperationRecord,
  OperationRunOptions,
  OperationSubmitted,
} from "./operation-calls.ts";
export type { OperationResults, OperationType } from "./operation-results.ts";
export type {
  CallOptions,
  Document,
  PageImageOptions,
  RunOptions,
  UploadFilesOptions,
  UploadOptions,
  WorkOptions,
} from "./options.ts";
export { definePipeline, Pipeline, type PipelineBuilder } from "./pipeline-builder.ts";
export type { PipelineCalls } from "./pipeline-calls.ts";
export { and, type Condition, eq, exists, ne, not, or } from "./pipeline-conditions.ts";
export type { ExtractOptions, NodeOptions, PipelineOptions, PipelineStep } from "./pipeline-node-options.ts";
export type { Reference, Template as PipelineTemplate, ValueOf } from "./pipeline-references.ts";
export type { PipelineNode, PipelineVerdict } from "./pipeline-types.ts";
export type {
  LlmProvider,
  LlmProviderWish,
  OcrProvider,
  OcrProviderWish,
  ProviderBinding,
  ProviderCalls,
  ProviderKind,
  ProviderTest,
} from "./provider-calls.ts";
export type { DataOf, Extracted, SchemaInput } from "./schema-types.ts";
export type { AuditEntry, AuditQuery, SettingsCalls, SettingsView } from "./settings-calls.ts";
export { Sheaf, type SheafOptions } from "./sheaf.ts";
export type {
  Filled,
  FillOptions,
  FillValues,
  RevisionOptions,
  Template,
  TemplateCalls,
  TemplateField,
  TemplateRevision,
} from "./template-calls.ts";
export * from "./types.ts";
export type { WaitOptions } from "./wait.ts";
export type { WebhookCalls } from "./webhook-calls.ts";
export { verifyWebhook, type WebhookDelivered, WebhookVerificationError } from "./webhooks.ts";
