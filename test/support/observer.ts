/** What operators are told, as tests look at it. */
import { type Observer, silentObserver } from "../../functions/ports/observer.ts";

/** @returns an observer, and what it has been told: counters with their labels, log lines with the status they name */
export function toldObserver(): { observer: Observer; told: unknown[] } {
  const told: unknown[] = [];
  const observer: Observer = {
    ...silentObserver,
    log: (_level, message, fields) => told.push([message, fields?.status]),
    count: (name, labels) => told.push([name, labels]),
  };
  return { observer, told };
}
