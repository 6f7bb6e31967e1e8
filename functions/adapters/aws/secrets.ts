/** Secrets of AWS Secrets Manager, cached in memory. No error here contains a secret's text. */
import { GetSecretValueCommand, type SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import type { Clock } from "../../ports/clock.ts";
import { AppError } from "../../ports/errors.ts";
import { isObject, type Json } from "../../ports/json.ts";
import { isUnavailable, toAppError } from "./service-errors.ts";

export interface SecretsOptions {
  client: SecretsManagerClient;
  clock: Pick<Clock, "now">;
  /** Seconds that a secret is cached, so the delay until a rotation is seen; default 300. */
  ttlSeconds?: number;
}

/**
 * Both methods take a secret's name or ARN. @throws ServiceUnavailable @throws AppError for errors an operator must fix
 */
export interface Secrets {
  /** The secret as stored. */
  text(id: string): Promise<string>;
  /** The members of a secret that is a JSON object, such as the console's key-value pairs. */
  members(id: string): Promise<Record<string, Json>>;
}

const SERVICE_NAME = "The store of secrets";
const DEFAULT_TTL_SECONDS = 300;
/** Milliseconds that an outdated secret is used before the next request to Secrets Manager. */
const OUTAGE_RETRY_MS = 30_000;

interface Kept {
  text: string;
  /** Milliseconds since 1970. */
  until: number;
}

/** Error for a secret that exists but is unusable. */
const unusable = (what: string) => new AppError("InternalServerError", `A secret of the service is not ${what}.`);

class CachedSecrets implements Secrets {
  readonly #client: SecretsManagerClient;
  readonly #clock: Pick<Clock, "now">;
  readonly #ttl: number;
  readonly #kept = new Map<string, Kept>();
  /** At most one request per secret; concurrent callers share its answer. */
  readonly #asking = new Map<string, Promise<string>>();

  constructor({ client, clock, ttlSeconds = DEFAULT_TTL_SECONDS }: SecretsOptions) {
    if (!(ttlSeconds >= 0)) throw new RangeError(`ttlSeconds must be at least 0, not ${ttlSeconds}`);
    this.#client = client;
    this.#clock = clock;
    this.#ttl = ttlSeconds * 1000;
  }

  async text(id: string): Promise<string> {
    const kept = this.#kept.get(id);
    if (kept !== undefined && this.#clock.now() < kept.until) return kept.text;
    const asking = this.#asking.get(id) ?? this.#ask(id).finally(() => this.#asking.delete(id));
    this.#asking.set(id, asking);
    return asking;
  }

  async members(id: string): Promise<Record<string, Json>> {
    const members = parse(await this.text(id));
    if (!isObject(members)) throw unusable("a JSON object");
    return members;
  }

  async #ask(id: string): Promise<string> {
    try {
      const { SecretString } = await this.#client.send(new GetSecretValueCommand({ SecretId: id }));
      if (SecretString === undefined) throw unusable("a text");
      this.#kept.set(id, { text: SecretString, until: this.#clock.now() + this.#ttl });
      return SecretString;
    } catch (error) {
      const kept = this.#kept.get(id);
      if (kept !== undefined && isUnavailable(error)) {
        // An outdated secret is better than none: most are never rotated, and its user reports an invalid one.
        kept.until = this.#clock.now() + OUTAGE_RETRY_MS;
        return kept.text;
      }
      // Deleted or forbidden: the cached secret must not be used either.
      if (!isUnavailable(error)) this.#kept.delete(id);
      throw toAppError(error, SERVICE_NAME);
    }
  }
}

/** Parses JSON; the parser's own error would quote the secret. */
function parse(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    throw unusable("JSON");
  }
}

/** Opens the secrets that the client's role may read (secretsmanager:GetSecretValue). @throws RangeError for a bad TTL */
export function openSecrets(options: SecretsOptions): Secrets {
  return new CachedSecrets(options);
}
