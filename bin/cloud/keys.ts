/**
 * The API keys of a deployment. They are in a secret: the stack creates it with one random key, and an operator may
 * replace it with a text like SHEAF_API_KEYS on one machine. Records follow the secret with every sweep, and when a
 * request has an unknown key, so that new keys work at once.
 */
import { secretsClient } from "../../functions/adapters/aws/clients.ts";
import { openSecrets } from "../../functions/adapters/aws/secrets.ts";
import { Unauthorized } from "../../functions/ports/errors.ts";
import { describeError } from "../../functions/ports/observer.ts";
import { type Caller, Keyring, type NamedKey } from "../../functions/service/organizations/api-keys.ts";
import { FailedKeys } from "../../functions/service/organizations/failed-keys.ts";
import { systemRecords } from "../../functions/service/organizations/organization-records.ts";
import { ConfigError, parseKeys } from "../api-keys.ts";
import { required } from "./environment.ts";
import type { Stores } from "./platform.ts";

/** The most frequent reading of the secret because of unknown keys. */
const SECRET_REREAD_MS = 10_000;
const BEARER_PATTERN = /^Bearer [\x21-\x7e]{16,512}$/i;

/**
 * @param text `1:{key}:read+write,2:{key}:read`, or one key per line; or the JSON object that the stack creates, or a
 * list of such objects
 * @throws ConfigError for any other text
 */
export function keysOfSecret(text: string): NamedKey[] {
  const keys = parseKeys(/^\s*[{[]/.test(text) ? entriesOf(text) : text);
  // Probably a mistake rather than the wish to lock everybody out.
  if (keys.length === 0) throw new ConfigError("The secret of the API keys names no key");
  return keys;
}

function entriesOf(text: string): string {
  try {
    const keys = [JSON.parse(text)].flat() as Record<string, unknown>[];
    return keys
      .map(({ organization, key, scopes }) => `${organization}:${key}:${[scopes].flat().join("+")}`)
      .join("\n");
  } catch {
    // The parser's own error would quote the secret.
    throw new ConfigError("The secret of the API keys begins like JSON and is none");
  }
}

export interface Keys {
  /** @param source the client's IP address @throws Unauthorized, TooManyRequests */
  authenticate(authorization: string | undefined, source: string): Promise<Caller>;
  /** Writes the keys of the secret to the records. @throws ConfigError for an unusable secret */
  synchronise(): Promise<void>;
  serverKey(): Promise<Uint8Array>;
  /** Resolves when the days on which keys were used are noted. */
  noted(): Promise<void>;
}

export function openKeys(stores: Stores): Keys {
  const { env, clock, observer } = stores;
  const system = systemRecords(stores.records());
  const client = secretsClient();
  const secrets = openSecrets({ client, clock });
  // A function with an older copy of the secret must not restore a removed key.
  const fresh = openSecrets({ client, clock, ttlSeconds: 0 });
  const serverKey = async (): Promise<Uint8Array> =>
    Buffer.from(await secrets.text(required(env, "SHEAF_SERVER_KEY_SECRET")), "utf8");
  let made: { serverKey: string; keyring: Keyring } | undefined;
  /** One keyring for as long as the server key is the same: it remembers keys. */
  const keyring = async (): Promise<Keyring> => {
    const bytes = await serverKey();
    const text = Buffer.from(bytes).toString("latin1");
    if (made?.serverKey !== text) made = { serverKey: text, keyring: new Keyring(system, bytes, clock) };
    return made.keyring;
  };
  // Counted in each instance of a function. None waits: an instance serves one request at a time, and is paid for.
  const failedKeys = new FailedKeys({ clock, observer, maxWaiting: 0 });
  let lookedAt = Number.NEGATIVE_INFINITY;

  async function synchronise(): Promise<void> {
    const keys = keysOfSecret(await fresh.text(required(env, "SHEAF_API_KEYS_SECRET")));
    await (await keyring()).replaceEnvironmentKeys(keys);
  }

  async function authenticated(authorization: string | undefined): Promise<Caller> {
    const ring = await keyring();
    try {
      return await ring.authenticate(authorization);
    } catch (error) {
      const now = clock.now();
      const known = !(error instanceof Unauthorized) || !BEARER_PATTERN.test(authorization?.trim() ?? "");
      if (known || now < lookedAt + SECRET_REREAD_MS) throw error;
      lookedAt = now;
      await synchronise().catch((failure: unknown) => {
        // Its sentence names an entry by its number, and never quotes the secret.
        const reason = failure instanceof ConfigError ? { reason: failure.message } : {};
        observer.log("error", "API keys not synchronised", { ...describeError(failure), ...reason });
      });
      return ring.authenticate(authorization);
    }
  }

  return {
    synchronise,
    serverKey,
    noted: async () => made?.keyring.noted(),
    authenticate: (authorization, source) => failedKeys.authenticate(source, () => authenticated(authorization)),
  };
}
