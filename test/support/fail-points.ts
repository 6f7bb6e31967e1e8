/** Ports that count every call, and end the process (kill -9) before or after the one that was named. */
import type { Blobs, Records } from "../../functions/core/ports.ts";

export interface FailPoints {
  wrap(ports: { records: Records; blobs: Blobs }): { records: Records; blobs: Blobs };
  /** Calls count from here on. */
  arm(): void;
  calls(): string[];
}

/** @param point `12:before` or `12:after`, counted from 1; undefined only counts */
export function failPoints(point: string | undefined): FailPoints {
  const [number = "0", moment = ""] = (point ?? "").split(":");
  const calls: string[] = [];
  let armed = false;
  const die = (): never => {
    process.kill(process.pid, "SIGKILL");
    throw new Error("unreachable");
  };
  const watched = <T extends object>(port: string, target: T): T =>
    new Proxy(target, {
      get(object, name) {
        const member: unknown = Reflect.get(object, name, object);
        if (typeof member !== "function") return member;
        return (...given: unknown[]) => {
          if (!armed) return Reflect.apply(member, object, given);
          calls.push(`${port}.${String(name)}`);
          const here = calls.length === Number(number);
          if (here && moment === "before") die();
          const result: unknown = Reflect.apply(member, object, given);
          if (!here) return result;
          return Promise.resolve(result).then(die, die);
        };
      },
    });
  return {
    wrap: ({ records, blobs }) => ({ records: watched("records", records), blobs: watched("blobs", blobs) }),
    arm: () => {
      armed = true;
    },
    calls: () => calls,
  };
}
