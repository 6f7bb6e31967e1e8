/**
 * Names under which the service is reached. A web page may let its own name resolve to this machine (DNS rebinding), and
 * the default key is known to all: with it, only names that lead to this machine are answered.
 */
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { MisdirectedRequest } from "../../functions/ports/errors.ts";
import { ConfigError } from "../api-keys.ts";

/** True for names and addresses that only this machine reaches. */
export const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "::1" || host === "[::1]" || /^127(\.\d{1,3}){3}$/.test(host);

const LABELS = /^(\*\.)?[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/;

/**
 * `SHEAF_ALLOWED_HOSTS`: names without ports, separated by commas; `*.example.com` allows all names below it.
 * @throws ConfigError for anything else
 */
export function parseAllowedHosts(text: string | undefined): string[] {
  const names = (text ?? "").split(/[,\s]+/).filter((name) => name !== "");
  return names.map((given) => {
    const name = given.toLowerCase();
    if (LABELS.test(name)) return name;
    throw new ConfigError(
      `SHEAF_ALLOWED_HOSTS names '${given}'; write names without http:// and port, like box.example or *.app.example`,
    );
  });
}

/** The name in a Host header, in lower case and without the port; undefined for anything else. */
function nameOf(header: string | undefined): string | undefined {
  return /^(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(:\d{1,5})?$/i.exec(header ?? "")?.[1]?.toLowerCase();
}

/** True when a Host header names this machine, or a host that the setting allows. */
export function isAllowedHost(header: string | undefined, allowed: readonly string[]): boolean {
  const name = nameOf(header);
  if (name === undefined) return false;
  if (isLoopback(name)) return true;
  return allowed.some((one) => (one.startsWith("*.") ? name.endsWith(one.slice(1)) : name === one));
}

/** @returns the guard of a service with the default key @throws MisdirectedRequest, from the guard */
export function hostGuard(allowed: readonly string[]): (request: IncomingMessage) => void {
  return ({ headers }) => {
    if (isAllowedHost(headers.host, allowed)) return;
    throw new MisdirectedRequest(
      "With the default key the service answers to localhost only, and the Host of this request is another: set SHEAF_ALLOWED_HOSTS to its name, or SHEAF_API_KEYS to keys of your own",
    );
  };
}

const FORWARDING_HEADERS = /^(x-forwarded-.*|x-real-ip|forwarded|via)$/;

/** True for a request that a proxy has passed on: its sender may be anywhere. */
export const isForwarded = (headers: IncomingHttpHeaders): boolean =>
  Object.keys(headers).some((name) => FORWARDING_HEADERS.test(name));
