/** What the drivers of organizations' own models tell the operator: names, numbers and reasons. */
import type { OwnModelOptions } from "../functions/adapters/providers/own-models.ts";
import type { Observer } from "../functions/ports/observer.ts";

export const providerEvents =
  (observer: Pick<Observer, "log">): NonNullable<OwnModelOptions["onEvent"]> =>
  ({ kind, ...facts }, place) =>
    observer.log(kind === "answered" ? "debug" : "info", `provider ${kind}`, { ...facts, ...place });
