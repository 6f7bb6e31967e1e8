/** The organization's settings, and the audit of what was changed. */
import { read } from "./calls.ts";
import type { Connection } from "./http.ts";
import type { CallOptions } from "./options.ts";

/** Settings, quotas and what is used of them; a quota that is null is none. */
export interface SettingsView {
  organizationId: number;
  quotas: { documentsPerDay: number | null; storageBytes: number | null; recognizedPagesPerDay: number | null };
  use: { documentsToday: number; storedBytes: number };
  limits: Record<string, number | null>;
  /** Days; null: for good. */
  retention: { jobDays: number | null; auditDays: number | null };
  billing: { mode: string };
  webhook: { configured: boolean; disabled: boolean };
  engines: Record<string, { name: string; on: boolean; detail: string }>;
}

export interface AuditEntry {
  /** ISO 8601, UTC. */
  at: string;
  keyId: string;
  /** `ADMIN` for a command of the service's operator. */
  method: string;
  path: string;
  resource: string | null;
  address: string | null;
  status: number | null;
  replayed: boolean;
}

/** The entries asked for: times in ISO 8601, both included. */
export interface AuditQuery {
  from?: string | undefined;
  to?: string | undefined;
  /** `nextCursor` of the page before. */
  cursor?: string | undefined;
  size?: number | undefined;
}

/** Needs a key with the scope `admin`. Methods throw as SheafClient's do. */
export class SettingsCalls {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  view(options?: CallOptions): Promise<SettingsView> {
    return read(this.#connection, "/settings/view", options);
  }

  /** A page of the audit, newest first. A page without entries may have a next one. */
  audit(
    { from, to, cursor, size }: AuditQuery = {},
    options?: CallOptions,
  ): Promise<{ entries: AuditEntry[]; nextCursor: string | null }> {
    return read(this.#connection, "/audit", options, { from, to, cursor, size });
  }
}
