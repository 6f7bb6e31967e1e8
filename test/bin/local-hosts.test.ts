/** Hosts that requests may name, and requests that a proxy has passed on. */
import { describe, expect, it } from "vitest";
import { hostGuard, isAllowedHost, isForwarded, parseAllowedHosts } from "../../bin/local/hosts.ts";

describe("the Host of a request", () => {
  it.each(["localhost", "localhost:3000", "LOCALHOST", "127.0.0.1:3000", "127.8.0.1", "[::1]:3000", "[::1]"])(
    "names this machine as %s",
    (host) => {
      expect(isAllowedHost(host, [])).toBe(true);
    },
  );

  it.each([
    undefined,
    "",
    "evil.example",
    "localhost.evil.example",
    "127.0.0.1.evil.example",
    "evil.example:3000",
    "a@127.0.0.1",
    "127.0.0.1/evil",
    "[::2]",
    "192.168.1.5",
  ])("does not name this machine as %s", (host) => {
    expect(isAllowedHost(host, [])).toBe(false);
  });

  it("may be a name that the setting allows, or one below it", () => {
    const allowed = parseAllowedHosts("Box.example, *.app.example");
    expect(allowed).toEqual(["box.example", "*.app.example"]);
    for (const host of ["box.example:3000", "BOX.example", "a-3000.app.example", "b.a.app.example"]) {
      expect(isAllowedHost(host, allowed), host).toBe(true);
    }
    for (const host of ["a.box.example", "app.example", "evilapp.example", "box.example.evil"]) {
      expect(isAllowedHost(host, allowed), host).toBe(false);
    }
    expect(parseAllowedHosts(undefined)).toEqual([]);
  });

  it("is refused with a sentence that names the settings, and without quoting the name", () => {
    const guard = hostGuard([]);
    const request = (host: string) => ({ headers: { host } }) as Parameters<typeof guard>[0];
    expect(() => guard(request("localhost"))).not.toThrow();
    expect(() => guard(request("evil.example"))).toThrow(/SHEAF_ALLOWED_HOSTS .*SHEAF_API_KEYS/);
    expect(() => guard(request("evil.example"))).not.toThrow(/evil/);
  });
});

describe("SHEAF_ALLOWED_HOSTS", () => {
  it.each(["http://box.example", "box.example:3000", "*", "*.", "a..b", "-a.example", "a.*.example"])(
    "refuses %s",
    (text) => {
      expect(() => parseAllowedHosts(text)).toThrow(/^SHEAF_ALLOWED_HOSTS names .*; write names without/);
    },
  );
});

describe("isForwarded", () => {
  it("sees the headers of proxies", () => {
    for (const name of ["x-forwarded-for", "x-forwarded-host", "forwarded", "via", "x-real-ip"]) {
      expect(isForwarded({ [name]: "a" }), name).toBe(true);
    }
    expect(isForwarded({ host: "localhost", accept: "*/*", "user-agent": "via" })).toBe(false);
  });
});
