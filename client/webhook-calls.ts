/** The calls for webhooks. */
import { parseAnswer, pathSegment } from "./answers.ts";
import type { Connection } from "./http.ts";
import type { CallOptions } from "./options.ts";
import type { WebhookDelivery, WebhookSettings } from "./types.ts";

const WEBHOOK_PATH = "/settings/webhook";

/** Needs a key with the scope `admin`. Methods throw as SheafClient's do. */
export class WebhookCalls {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** The receiver of the organization's job events. */
  async get({ signal }: CallOptions = {}): Promise<WebhookSettings> {
    return parseAnswer(await this.#connection.send({ method: "GET", path: WEBHOOK_PATH, signal }));
  }

  /**
   * Sets the receiver, or null for none. The first call and one with `rotate` return a new `secret`, which is not shown
   * again.
   */
  async set(
    wish: { url?: string | null | undefined; rotate?: boolean | undefined },
    { signal }: CallOptions = {},
  ): Promise<WebhookSettings> {
    const body = { content: JSON.stringify(wish), type: "application/json" };
    return parseAnswer(await this.#connection.send({ method: "PUT", path: WEBHOOK_PATH, body, signal }));
  }

  /** The deliveries of the last 14 days, newest first; older ones with `before`, the last id of a page. */
  async deliveries(
    query: { size?: number | undefined; before?: string | undefined } = {},
    { signal }: CallOptions = {},
  ): Promise<WebhookDelivery[]> {
    return parseAnswer(
      await this.#connection.send({ method: "GET", path: `${WEBHOOK_PATH}/deliveries`, query, signal }),
    );
  }

  /** Sends an event again, at once. */
  async replay(id: string, { signal }: CallOptions = {}): Promise<WebhookDelivery> {
    const path = `${WEBHOOK_PATH}/deliveries/${pathSegment(id)}/replay`;
    return parseAnswer(await this.#connection.send({ method: "POST", path, signal }));
  }
}
