/** The calls around webhooks. */
import { parsed, segment } from "./answers.ts";
import type { Connection } from "./http.ts";
import type { WebhookDelivery, WebhookSettings } from "./types.ts";

interface Options {
  signal?: AbortSignal | undefined;
}

const PATH = "/settings/webhook";

/** Needs a key with the scope `admin`. Methods throw as SheafClient's do. */
export class WebhookCalls {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Where the organization's job events are sent. */
  async get({ signal }: Options = {}): Promise<WebhookSettings> {
    return parsed(await this.#connection.send({ method: "GET", path: PATH, signal }));
  }

  /** Sets where; the first call and one with `rotate` answer a new `secret`, which is not shown again. Null: nowhere. */
  async set(
    wish: { url?: string | null | undefined; rotate?: boolean | undefined },
    { signal }: Options = {},
  ): Promise<WebhookSettings> {
    const body = { content: JSON.stringify(wish), type: "application/json" };
    return parsed(await this.#connection.send({ method: "PUT", path: PATH, body, signal }));
  }

  /** The events of the last 14 days, newest first; older ones by `before`, the last page's last id. */
  async deliveries(
    query: { size?: number | undefined; before?: string | undefined } = {},
    { signal }: Options = {},
  ): Promise<WebhookDelivery[]> {
    return parsed(await this.#connection.send({ method: "GET", path: `${PATH}/deliveries`, query, signal }));
  }

  /** Has an event sent again, at once. */
  async replay(id: string, { signal }: Options = {}): Promise<WebhookDelivery> {
    const path = `${PATH}/deliveries/${segment(id)}/replay`;
    return parsed(await this.#connection.send({ method: "POST", path, signal }));
  }
}
