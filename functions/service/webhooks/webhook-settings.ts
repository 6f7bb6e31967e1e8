/** An organization's webhook: its address, and the secrets that sign its events. */
import { randomBytes } from "node:crypto";
import { BadRequest, ConcurrentModification, ConditionFailed } from "../../ports/errors.ts";
import type { StoredRecord } from "../../ports/records.ts";
import type { Organization } from "../organizations/organization.ts";
import {
  type DisabledNote,
  failuresKey,
  pauseKey,
  type StoredSecret,
  settingsKey,
  type WebhookSettings,
} from "./webhook-records.ts";

const VAULT_PURPOSE = "webhook";
/** Time after a rotation in which both secrets sign, so that receivers can change theirs. */
const ROTATION_MS = 24 * 3600 * 1000;
const SECRET_BYTES = 32;
/** The error of an event that is not sent. */
export const DISABLED_SENTENCE = "Not sent, as the webhook is disabled; set its url again, then send the event again";

/** The webhook as the API shows it. A secret is shown once, by the call that made it. */
export interface WebhookView {
  url: string | null;
  secretCreatedAt: string | null;
  /** ISO 8601; end of the previous secret's validity, null when there is none. */
  previousSecretExpiresAt: string | null;
  /** Set while nothing is sent, after days of failures. */
  disabled: DisabledNote | null;
  secret?: string;
}

const loadSettings = (org: Organization): Promise<StoredRecord<WebhookSettings> | undefined> =>
  org.records.get<WebhookSettings>(settingsKey);

const isValidSecret = ({ expiresAt }: StoredSecret, now: number): boolean =>
  expiresAt === null || Date.parse(expiresAt) > now;

function viewOf(settings: WebhookSettings | undefined, now: number): WebhookView {
  if (settings === undefined)
    return { url: null, secretCreatedAt: null, previousSecretExpiresAt: null, disabled: null };
  const [current, previous] = settings.secrets.filter((secret) => isValidSecret(secret, now));
  return {
    url: settings.url,
    secretCreatedAt: current?.createdAt ?? null,
    previousSecretExpiresAt: previous?.expiresAt ?? null,
    disabled: settings.disabled ?? null,
  };
}

export const findWebhook = async (org: Organization): Promise<WebhookView> =>
  viewOf((await loadSettings(org))?.value, org.engines.clock.now());

/** Loads the address and the valid secrets, newest first; or why nothing is to be sent. */
export async function signingSettings(
  org: Organization,
): Promise<{ url: string; secrets: string[] } | { off: string }> {
  const settings = (await loadSettings(org))?.value;
  if (settings === undefined) return { off: "No webhook is set any more" };
  if (settings.disabled !== undefined) return { off: DISABLED_SENTENCE };
  const valid = settings.secrets.filter((secret) => isValidSecret(secret, org.engines.clock.now()));
  const secrets = await Promise.all(valid.map(({ sealed }) => org.vault.open(sealed, VAULT_PURPOSE)));
  return { url: settings.url, secrets };
}

/** Makes a secret in the form of Standard Webhooks: `whsec_` and base64. */
async function makeSecret(org: Organization): Promise<{ secret: string; stored: StoredSecret }> {
  const secret = `whsec_${randomBytes(SECRET_BYTES).toString("base64")}`;
  const createdAt = new Date(org.engines.clock.now()).toISOString();
  return { secret, stored: { sealed: await org.vault.seal(secret, VAULT_PURPOSE), createdAt, expiresAt: null } };
}

/** @throws ConcurrentModification when they were changed since they were read */
async function removeSettings(org: Organization, stored: StoredRecord | undefined): Promise<void> {
  if (stored === undefined) return;
  try {
    await org.records.delete(settingsKey, { ifVersion: stored.version });
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    throw new ConcurrentModification("the webhook");
  }
}

/**
 * Sets the address, which enables a disabled webhook; the first one makes a secret, and `rotate` makes a new one,
 * beside which the previous one stays valid for 24 hours. Without an address and without `rotate`, the webhook and its
 * secrets are removed.
 * @throws BadRequest for a forbidden address; ConcurrentModification
 */
export async function saveWebhook(
  org: Organization,
  { url, rotate }: { url: string | undefined; rotate: boolean },
): Promise<WebhookView> {
  const stored = await loadSettings(org);
  const now = org.engines.clock.now();
  if (url === undefined && !rotate) {
    await removeSettings(org, stored);
    return viewOf(undefined, now);
  }
  const address = url ?? stored?.value.url;
  if (address === undefined) throw new BadRequest("There is no webhook whose secret could be rotated; send its url");
  await org.engines.outbound.check(address);
  const validSecrets = (stored?.value.secrets ?? []).filter((secret) => isValidSecret(secret, now));
  const created = rotate || validSecrets.length === 0 ? await makeSecret(org) : undefined;
  const [current] = validSecrets;
  const previous = current && { ...current, expiresAt: new Date(now + ROTATION_MS).toISOString() };
  const secrets = created === undefined ? validSecrets : [created.stored, ...(previous ? [previous] : [])];
  const disabled = url === undefined ? stored?.value.disabled : undefined;
  const settings: WebhookSettings = { v: 1, url: address, secrets, ...(disabled === undefined ? {} : { disabled }) };
  const condition = stored === undefined ? ({ ifAbsent: true } as const) : { ifVersion: stored.version };
  try {
    await org.records.put(settingsKey, settings, { condition });
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    throw new ConcurrentModification("the webhook");
  }
  await org.records.delete(pauseKey);
  if (url !== undefined) await org.records.delete(failuresKey);
  org.observer.log("info", "webhook set", { organization: org.id, rotated: created !== undefined });
  return { ...viewOf(settings, now), ...(created === undefined ? {} : { secret: created.secret }) };
}
