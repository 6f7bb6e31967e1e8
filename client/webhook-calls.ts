/** The calls for webhooks. */
import { jsonBody, parseAnswer, pathSegment } from "./answers.ts";
import { change, read } from "./calls.ts";
import type { Connection } from "./http.ts";
import type { CallOptions } from "./options.ts";
import type { WebhookDelivery, WebhookSettings } from "./types.ts";
import { verifyWebhook } from "./webhooks.ts";

const WEBHOOK_PATH = "/settings/webhook";

/** Needs a key with the scope `admin`. Methods throw as SheafClient's do. */
export class WebhookCalls {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Verifies a delivery in a receiver, which needs the webhook's secret and no key; as `verifyWebhook`. */
  readonly verify = verifyWebhook;

  /** The receiver of the organization's job events. */
  get(options?: CallOptions): Promise<WebhookSettings> {
    return read(this.#connection, WEBHOOK_PATH, options);
  }

  /**
   * Sets the receiver, or null for none. The first call and one with `rotate` return a new `secret`, which is not shown
   * again. One with `rotate` whose answer was lost may have made one: ask `get` before another.
   */
  async set(
    wish: { url?: string | null | undefined; rotate?: boolean | undefined },
    { signal }: CallOptions = {},
  ): Promise<WebhookSettings> {
    // A second rotation would end the secret that the receiver has, and nobody has seen the one between.
    const computes = wish.rotate === true ? false : undefined;
    return parseAnswer(
      await this.#connection.send({ method: "PUT", path: WEBHOOK_PATH, body: jsonBody(wish), computes, signal }),
    );
  }

  /** The deliveries of the last 14 days, newest first; older ones with `before`, the last id of a page. */
  deliveries(
    query?: { size?: number | undefined; before?: string | undefined },
    options?: CallOptions,
  ): Promise<WebhookDelivery[]> {
    return read(this.#connection, `${WEBHOOK_PATH}/deliveries`, options, query);
  }

  /** Sends an event again, at once. */
  async replay(id: string, options?: CallOptions): Promise<WebhookDelivery> {
    return change(this.#connection, "POST", `${WEBHOOK_PATH}/deliveries/${pathSegment(id)}/replay`, options);
  }
}
