/** Where an organization wants its events sent, and the secrets that they are signed with. */
import { randomBytes } from "node:crypto";
import { BadRequest, ConditionFailed, Conflict } from "../../ports/errors.ts";
import type { StoredRecord } from "../../ports/records.ts";
import type { Organization } from "../organizations/organization.ts";
import { pauseKey, type StoredSecret, settingsKey, type WebhookSettings } from "./webhook-records.ts";

const PURPOSE = "webhook";
/** After a rotation both secrets sign for so long, in milliseconds: receivers change theirs at leisure. */
const ROTATION_MS = 24 * 3600 * 1000;
const SECRET_BYTES = 32;

/** What an organization is shown. A secret is shown once, by the call that made it. */
export interface WebhookView {
  url: string | null;
  secretCreatedAt: string | null;
  /** Until when the secret before signs as well; null when there is none. */
  previousSecretExpiresAt: string | null;
  secret?: string;
}

const load = (org: Organization): Promise<StoredRecord<WebhookSettings> | undefined> =>
  org.records.get<WebhookSettings>(settingsKey);

const isValid = ({ expiresAt }: StoredSecret, now: number): boolean =>
  expiresAt === null || Date.parse(expiresAt) > now;

function viewOf(settings: WebhookSettings | undefined, now: number): WebhookView {
  if (settings === undefined) return { url: null, secretCreatedAt: null, previousSecretExpiresAt: null };
  const [current, previous] = settings.secrets.filter((secret) => isValid(secret, now));
  return {
    url: settings.url,
    secretCreatedAt: current?.createdAt ?? null,
    previousSecretExpiresAt: previous?.expiresAt ?? null,
  };
}

export const findWebhook = async (org: Organization): Promise<WebhookView> =>
  viewOf((await load(org))?.value, org.engines.clock.now());

/** The address of now, with the secrets to sign with, newest first; undefined when there is none. */
export async function signingSettings(org: Organization): Promise<{ url: string; secrets: string[] } | undefined> {
  const settings = (await load(org))?.value;
  if (settings === undefined) return undefined;
  const valid = settings.secrets.filter((secret) => isValid(secret, org.engines.clock.now()));
  const secrets = await Promise.all(valid.map(({ sealed }) => org.vault.open(sealed, PURPOSE)));
  return { url: settings.url, secrets };
}

/** In the form of Standard Webhooks: `whsec_` and base64. */
async function makeSecret(org: Organization): Promise<{ secret: string; stored: StoredSecret }> {
  const secret = `whsec_${randomBytes(SECRET_BYTES).toString("base64")}`;
  const createdAt = new Date(org.engines.clock.now()).toISOString();
  return { secret, stored: { sealed: await org.vault.seal(secret, PURPOSE), createdAt, expiresAt: null } };
}

/**
 * Sets the address; a first one makes the secret, and `rotate` makes another, beside which the one before stays valid for
 * 24 hours. Without an address and without `rotate` the webhook is off, and its secrets are gone.
 * @throws BadRequest for an address that nothing is sent to; Conflict when somebody else changed it meanwhile
 */
export async function saveWebhook(
  org: Organization,
  { url, rotate }: { url: string | undefined; rotate: boolean },
): Promise<WebhookView> {
  const stored = await load(org);
  const now = org.engines.clock.now();
  if (url === undefined && !rotate) {
    await org.records.delete(settingsKey);
    return viewOf(undefined, now);
  }
  const address = url ?? stored?.value.url;
  if (address === undefined) throw new BadRequest("There is no webhook whose secret could be rotated; send its url");
  await org.engines.outbound.check(address);
  const kept = (stored?.value.secrets ?? []).filter((secret) => isValid(secret, now));
  const made = rotate || kept.length === 0 ? await makeSecret(org) : undefined;
  const [current] = kept;
  const leaving = current && { ...current, expiresAt: new Date(now + ROTATION_MS).toISOString() };
  const secrets = made === undefined ? kept : [made.stored, ...(leaving ? [leaving] : [])];
  const settings: WebhookSettings = { v: 1, url: address, secrets };
  const condition = stored === undefined ? ({ ifAbsent: true } as const) : { ifVersion: stored.version };
  try {
    await org.records.put(settingsKey, settings, { condition });
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    throw new Conflict("The webhook was changed by others at the same time; look at it and try again");
  }
  await org.records.delete(pauseKey);
  org.observer.log("info", "webhook set", { organization: org.id, rotated: made !== undefined });
  return { ...viewOf(settings, now), ...(made === undefined ? {} : { secret: made.secret }) };
}
