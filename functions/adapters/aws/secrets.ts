/** Secrets of AWS Secrets Manager, kept in memory for a while. Nothing here puts a secret's text into an error. */
import { GetSecretValueCommand, type SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import type { Clock } from "../../ports/clock.ts";
import { AppError } from "../../ports/errors.ts";
import type { Json } from "../../ports/json.ts";
import { isUnavailable, toAppError } from "./service-errors.ts";

export interface SecretsOptions {
  client: SecretsManagerClient;
  clock: Pick<Clock, "now">;
  /** How long a secret is taken for current, so how long a rotation may take to be seen; default 300. */
  ttlSeconds?: number;
}

/** Both take a secret's name or ARN. @throws ServiceUnavailable @throws AppError for what somebody has to mend */
export interface Secrets {
  /** The secret as it is stored. */
  text(id: string): Promise<string>;
  /** The members of a secret that is a JSON object, as the console's key-value pairs are. */
  members(id: string): Promise<Record<string, Json>>;
}

const STORE = "The store of secrets";
const DEFAULT_TTL_SECONDS = 300;
/** How long an outdated secret serves before Secrets Manager is asked again, in milliseconds. */
const OUTAGE_MILLISECONDS = 30_000;

interface Kept {
  text: string;
  /** Milliseconds since 1970. */
  until: number;
}

/** A secret that is there and cannot be used. */
const unusable = (what: string) => new AppError("InternalServerError", `A secret of the service is not ${what}.`);

class CachedSecrets implements Secrets {
  readonly #client: SecretsManagerClient;
  readonly #clock: Pick<Clock, "now">;
  readonly #ttl: number;
  readonly #kept = new Map<string, Kept>();
  /** One request at a time for each secret; whoever wants it meanwhile gets the same answer. */
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
    if (typeof members !== "object" || members === null || Array.isArray(members)) throw unusable("a JSON object");
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
        // Better an outdated secret than none: most are never rotated, and who checks them says when one is no good.
        kept.until = this.#clock.now() + OUTAGE_MILLISECONDS;
        return kept.text;
      }
      // Deleted, or no longer for us: what was kept is not to be used either.
      if (!isUnavailable(error)) this.#kept.delete(id);
      throw toAppError(error, STORE);
    }
  }
}

/** The parser's own error would quote the text. */
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
