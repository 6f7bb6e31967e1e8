/** The client as its users meet it. */
import { Batches } from "./batches.ts";
import { SheafClient } from "./client.ts";
import { Documents } from "./document-runs.ts";
import type { ConnectionOptions } from "./http.ts";
import { Jobs } from "./job-calls.ts";

/** A restart takes a few seconds, and longer while open runs are resumed and a large database is opened. */
const RECONNECT_SECONDS = 30;

/** `reconnectSeconds` is 30 by default. */
export interface SheafOptions extends Omit<ConnectionOptions, "apiUrl" | "token"> {
  apiKey: string;
  /** The service's address; it may have a path. */
  baseUrl: string;
}

/**
 * A Sheaf service, with one area for each kind of thing. Calls that create work are done once, whatever the network
 * does. Every method throws SheafError with the service's message and the request's id, SheafUnreachable when no answer
 * came, and the signal's reason when it was aborted.
 */
export class Sheaf {
  /** The calls one by one, a method for each route; the areas below are made of it. */
  readonly client: SheafClient;
  /** Documents to data in one call. */
  readonly documents: Documents;
  readonly jobs: Jobs;
  /** Many documents in one call. */
  readonly batches: Batches;
  /** Pipelines: built, checked, and observed while they run. */
  readonly pipelines: SheafClient["pipelines"];
  /** Forms that the service keeps and fills. */
  readonly templates: SheafClient["templates"];
  /** Forms made of flat PDFs. */
  readonly forms: SheafClient["forms"];
  /** Work on finished jobs. */
  readonly operations: SheafClient["operations"];
  /** Folders of documents that the service keeps. */
  readonly cases: SheafClient["cases"];
  /** Cases whose documents are searched. */
  readonly knowledgeBases: SheafClient["knowledgeBases"];
  /** Commands that the service stores under names. */
  readonly configurations: SheafClient["configurations"];
  /** Prepaid tokens: prices, the balance, its entries, quotes. */
  readonly billing: SheafClient["billing"];
  /** The receiver of job events, and their verification. */
  readonly webhooks: SheafClient["webhooks"];
  /** The organization's own models and text recognition. */
  readonly providers: SheafClient["providers"];
  readonly keys: SheafClient["keys"];
  /** Settings, quotas, and the audit. */
  readonly settings: SheafClient["settings"];

  /** @throws TypeError for an invalid address or key */
  constructor({ apiKey, baseUrl, ...options }: SheafOptions) {
    const client = new SheafClient({ reconnectSeconds: RECONNECT_SECONDS, ...options, apiUrl: baseUrl, token: apiKey });
    this.client = client;
    this.documents = new Documents(client);
    this.jobs = new Jobs(client);
    this.batches = new Batches(client);
    this.pipelines = client.pipelines;
    this.templates = client.templates;
    this.forms = client.forms;
    this.operations = client.operations;
    this.cases = client.cases;
    this.knowledgeBases = client.knowledgeBases;
    this.configurations = client.configurations;
    this.billing = client.billing;
    this.webhooks = client.webhooks;
    this.providers = client.providers;
    this.keys = client.keys;
    this.settings = client.settings;
  }
}
