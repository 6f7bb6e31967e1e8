import type { Blobs } from "../../functions/ports/blobs.ts";
import type { RecordKey, RecordOperation, Records } from "../../functions/ports/records.ts";

export interface FailPoints {
  wrap(ports: { records: Records; blobs: Blobs }): { records: Records; blobs: Blobs };
  /** Starts counting calls. @param point undefined only counts */
  arm(point: string | undefined): void;
  /** The counted calls, each numbered among its like: `records.put org/N/jobs N-N#2`. */
  calls(): string[];
}

/** A name that is the same in every run of a test. */
const plain = (text: string): string =>
  text
    .replaceAll(/[\da-f]{8}-[\da-f-]{27}/g, "GUID")
    .replaceAll(/[\da-f]{32,}/g, "HASH")
    .replaceAll(/\d+/g, "N");
const placeOf = ({ partition = "", sort = "", prefix = sort }: Partial<RecordKey> & { prefix?: string }): string =>
  plain(`${partition} ${prefix}`);

/** The object of a call: a file, a record, or all records of a transaction. */
function aboutOf([first]: readonly unknown[]): string {
  if (typeof first === "string") return plain(first);
  if (!Array.isArray(first)) return placeOf(typeof first === "object" && first !== null ? first : {});
  const operations = first as (RecordOperation | { kind: string })[];
  return operations.map((one) => `${one.kind} ${"key" in one ? placeOf(one.key) : ""}`.trim()).join(", ");
}

/** True for calls that change storage; a crash beside any other call leaves the state of the last change. */
export const isWrite = (call: string): boolean => /^\w+\.(?:put|delete|add|transact) /.test(call);

/** Points are calls by number, from 1, or by name as in `calls`: `12:before`, `blobs.put …#1:after`. */
export function failPoints(): FailPoints {
  const calls: string[] = [];
  const counts = new Map<string, number>();
  let armed = false;
  let target = "";
  let moment = "";
  const die = (): never => {
    process.kill(process.pid, "SIGKILL");
    throw new Error("unreachable");
  };
  /** Counts a call. @returns true for the fail point */
  const note = (name: string): boolean => {
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    calls.push(`${name}#${count}`);
    return target === String(calls.length) || target === `${name}#${count}`;
  };
  const watched = <T extends object>(port: string, ports: T): T =>
    new Proxy(ports, {
      get(object, name) {
        const member: unknown = Reflect.get(object, name, object);
        if (typeof member !== "function") return member;
        return (...given: unknown[]) => {
          const here = armed && note(`${port}.${String(name)} ${aboutOf(given)}`);
          if (here && moment === "before") die();
          const result: unknown = Reflect.apply(member, object, given);
          return here ? Promise.resolve(result).then(die, die) : result;
        };
      },
    });
  return {
    wrap: ({ records, blobs }) => ({ records: watched("records", records), blobs: watched("blobs", blobs) }),
    arm(point = "") {
      const colon = point.lastIndexOf(":");
      [target, moment] = [point.slice(0, Math.max(0, colon)), point.slice(colon + 1)];
      calls.length = 0;
      counts.clear();
      armed = true;
    },
    calls: () => calls,
  };
}
