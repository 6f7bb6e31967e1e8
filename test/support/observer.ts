/** An observer that records the reports to operators. */
import { type Observer, silentObserver } from "../../functions/ports/observer.ts";

/** @returns an observer and its records: counters with their labels, log lines with their status */
export function recordingObserver(): { observer: Observer; told: unknown[] } {
  const told: unknown[] = [];
  const observer: Observer = {
    ...silentObserver,
    log: (_level, message, fields) => told.push([message, fields?.status]),
    count: (name, labels) => told.push([name, labels]),
  };
  return { observer, told };
}
