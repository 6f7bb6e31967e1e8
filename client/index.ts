/** The typed client of the command line, the console and the tests. Needs nothing but fetch. */
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
export { type MemberFault, SheafError, SheafUnreachable, SheafWaitTimeout } from "./errors.ts";
export type {
  FieldDefinition,
  FieldDefinitions,
  FormCalls,
  FormParameters,
  ReviewedForm,
} from "./form-calls.ts";
export type { ConnectionOptions } from "./http.ts";
export type { Json } from "./json.ts";
export type { ApiKey, KeyCalls, KeyScope, NewKey } from "./key-calls.ts";
export type { FoundPassage, KnowledgeBaseCalls, SearchOptions } from "./knowledge-base-calls.ts";
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
export type { PipelineCalls } from "./pipeline-calls.ts";
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
export type { AuditEntry, AuditQuery, SettingsCalls, SettingsView } from "./settings-calls.ts";
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
