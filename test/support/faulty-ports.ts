/** Ports whose writes fail while a fault of the machine is set. */
import type { Blobs } from "../../functions/ports/blobs.ts";
import type { Records } from "../../functions/ports/records.ts";

type Ports = { records: Records; blobs: Blobs };

export interface FaultyPorts {
  wrap(ports: Ports): Ports;
  /** @param code errno's name, such as ENOSPC; undefined ends the fault. @param calls which calls fail; default: writes */
  set(code: string | undefined, calls?: RegExp): void;
  /** The number of calls that failed. */
  failed(): number;
}

const WRITES = /^(put|delete|add|transact)$/;

/** An error as Node.js throws it for a call of the operating system. */
export const systemError = (code: string): Error =>
  Object.assign(new Error(`${code}: a fault for a test, write '/home/secret'`), { code, errno: -28, syscall: "write" });

export function faultyPorts(): FaultyPorts {
  let fault: string | undefined;
  let failing = WRITES;
  let failed = 0;
  const watched = <T extends object>(port: T): T =>
    new Proxy(port, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name, target);
        if (typeof member !== "function") return member;
        return (...given: unknown[]) => {
          if (fault === undefined || !failing.test(String(name))) return Reflect.apply(member, target, given);
          failed += 1;
          return Promise.reject(systemError(fault));
        };
      },
    });
  return {
    wrap: ({ records, blobs }) => ({ records: watched(records), blobs: watched(blobs) }),
    set(code, calls = WRITES) {
      [fault, failing] = [code, calls];
    },
    failed: () => failed,
  };
}
