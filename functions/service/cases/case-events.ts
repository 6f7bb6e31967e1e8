/**
 * What happens to documents of cases, for those who keep something beside them, such as an index. A listener's operations
 * are in the transaction of what happened: due work written there is never lost.
 */
import type { Organization } from "../organizations/organization.ts";
import type { OrgOperation } from "../organizations/organization-records.ts";

export type CaseEvent =
  /** A document was read; happens once to a document. */
  | { kind: "read"; caseId: number; documentId: string; layoutKey: string }
  /** A document has left its case, read or not; its files are deleted afterwards. */
  | { kind: "removed"; caseId: number; documentId: string }
  /** A case was deleted; each of its documents is removed afterwards. */
  | { kind: "case-removed"; caseId: number };

/** Operations of one listener on one event: a transaction of DynamoDB has at most 100, of all its writers. */
export const MAX_LISTENER_OPERATIONS = 4;

export interface CaseListener {
  /** Operations to write with the event, without conditions, at most `MAX_LISTENER_OPERATIONS`. */
  operations(org: Organization, event: CaseEvent): OrgOperation[];
  /** Called after the transaction, unless the process dies in between: to enqueue what was written as due. */
  after(org: Organization, event: CaseEvent): Promise<void>;
}

/** The operations of all listeners on an event. */
export const listenerOperations = (
  listeners: readonly CaseListener[],
  org: Organization,
  event: CaseEvent,
): OrgOperation[] => listeners.flatMap((listener) => listener.operations(org, event));

/** Tells all listeners of an event that is recorded. */
export async function tellListeners(
  listeners: readonly CaseListener[],
  org: Organization,
  event: CaseEvent,
): Promise<void> {
  for (const listener of listeners) await listener.after(org, event);
}
