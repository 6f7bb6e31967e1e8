/** Guarded outbound requests: refused URLs in every notation, and connections only to checked addresses. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openOutbound } from "../../../../functions/adapters/outbound/guarded.ts";
import { type Receiver, startReceiver } from "../../../support/receiver.ts";

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
beforeEach(() => {
  receiver.received.length = 0;
  receiver.answers.length = 0;
});
afterAll(() => receiver.close());

const POST = { method: "POST", headers: {}, body: "x" } as const;
const PUBLIC = "93.184.215.14";

/** Names of the tests' own resolver; each lookup takes the next answer, and the last one stays. */
function directory(names: Record<string, string[][]>): {
  resolve: (host: string) => Promise<string[]>;
  looks: string[];
} {
  const looks: string[] = [];
  return {
    looks,
    resolve: async (host) => {
      looks.push(host);
      const answers = names[host];
      if (answers === undefined) throw Object.assign(new Error("unknown"), { code: "ENOTFOUND" });
      return (answers.length > 1 ? answers.shift() : answers[0]) ?? [];
    },
  };
}

const closed = openOutbound({ loopback: false, ...directory({}) });

describe("openOutbound refuses a URL", () => {
  it.each([
    ["metadata", "https://169.254.169.254/latest/meta-data/"],
    ["metadata, over IPv6", "https://[fd00:ec2::254]/"],
    ["metadata of Azure, which is in a public range", "https://168.63.129.16/"],
    ["loopback", "https://127.0.0.1/"],
    ["loopback, another of it", "https://127.8.9.10/"],
    ["loopback in decimal", "https://2130706433/"],
    ["loopback in octal", "https://0177.0.0.1/"],
    ["loopback in hexadecimal", "https://0x7f.0x0.0x0.0x1/"],
    ["loopback in one hexadecimal number", "https://0x7f000001/"],
    ["loopback, shortened", "https://127.1/"],
    ["loopback with a dot behind it", "https://127.0.0.1./"],
    ["loopback in full-width digits", "https://１２７.０.０.１/"],
    ["metadata in octal", "https://0251.0376.0251.0376/"],
    ["loopback over IPv6", "https://[::1]/"],
    ["unspecified", "https://0.0.0.0/"],
    ["unspecified over IPv6", "https://[::]/"],
    ["private, 10/8", "https://10.1.2.3/"],
    ["private, 172.16/12", "https://172.31.255.255/"],
    ["private, 192.168/16", "https://192.168.1.1/"],
    ["shared (CGNAT)", "https://100.64.0.1/"],
    ["link-local over IPv6", "https://[fe80::1]/"],
    ["unique local", "https://[fc00::1]/"],
    ["site-local, deprecated", "https://[fec0::1]/"],
    ["multicast", "https://224.0.0.1/"],
    ["multicast over IPv6", "https://[ff02::1]/"],
    ["broadcast", "https://255.255.255.255/"],
    ["reserved", "https://240.0.0.1/"],
    ["benchmarking", "https://198.18.0.1/"],
    ["documentation", "https://192.0.2.1/"],
    ["documentation over IPv6", "https://[2001:db8::1]/"],
    ["documentation over IPv6, newer", "https://[3fff::1]/"],
    ["IPv4 mapped", "https://[::ffff:169.254.169.254]/"],
    ["IPv4 mapped, in hexadecimal", "https://[::ffff:a9fe:a9fe]/"],
    ["IPv4 compatible", "https://[::7f00:1]/"],
    ["6to4 of a private address", "https://[2002:0a00:0001::]/"],
    ["NAT64 of metadata", "https://[64:ff9b::a9fe:a9fe]/"],
    ["NAT64, local use", "https://[64:ff9b:1::a9fe:a9fe]/"],
    ["Teredo", "https://[2001:0:53aa:64c::1]/"],
    ["unassigned", "https://[4000::1]/"],
  ])("%s", async (_name, url) => {
    await expect(closed.check(url)).rejects.toMatchObject({
      kind: "BadRequest",
      message: expect.stringContaining("public"),
    });
    await expect(closed.request(url, POST)).rejects.toMatchObject({ message: expect.stringContaining("public") });
  });

  it.each([
    ["plain http", "http://example.com/", /https:\/\//],
    ["another protocol", "file:///etc/passwd", /https:\/\//],
    ["another protocol with a host", "gopher://example.com/", /https:\/\//],
    ["none", "example.com/hook", /https:\/\/|whole address/],
    ["nothing", "", /whole address/],
    ["a user", "https://user@example.com/", /user or a password/],
    ["a user and a password", "https://user:secret@example.com/", /user or a password/],
    ["a mail server's port", "https://example.com:25/", /port must be/],
    ["too long a one", `https://example.com/${"a".repeat(2048)}`, /2048/],
  ])("%s", async (_name, url, sentence) => {
    await expect(closed.check(url)).rejects.toMatchObject({
      kind: "BadRequest",
      message: expect.stringMatching(sentence),
    });
    await expect(closed.request(url, POST)).rejects.toThrow(sentence);
  });

  it("when one of the addresses of its name is not public", async () => {
    const names = directory({ "mixed.test": [[PUBLIC, "10.0.0.1"]], localhost: [["127.0.0.1"]] });
    const outbound = openOutbound({ loopback: false, ...names });
    await expect(outbound.check("https://mixed.test/")).rejects.toThrow("not public");
    await expect(outbound.check("https://localhost/")).rejects.toThrow("not public");
  });
});

describe("openOutbound accepts a URL", () => {
  it.each([
    "https://8.8.8.8/",
    "https://[2606:4700::1111]/",
    "https://hooks.test:8443/a?b=c",
    "https://hooks.test:443/",
  ])("%s", async (url) => {
    const names = directory({ "hooks.test": [[PUBLIC, "2606:4700::1111"]] });
    await openOutbound({ loopback: false, ...names }).check(url);
  });

  it("when its name cannot be resolved yet, because every request resolves it again", async () => {
    await closed.check("https://not-there-yet.test/");
    await expect(closed.request("https://not-there-yet.test/", POST)).rejects.toThrow("no host of that name");
    const silent = openOutbound({ loopback: false, resolve: () => new Promise(() => undefined) });
    await expect(silent.request("https://hooks.test/", { ...POST, timeoutMs: 30 })).rejects.toThrow("No answer within");
  });

  it("with http only in loopback mode, when it resolves to this machine only", async () => {
    const names = directory({
      "inside.test": [["127.0.0.1"]],
      "outside.test": [[PUBLIC]],
      "both.test": [["::1", PUBLIC]],
    });
    const outbound = openOutbound({ loopback: true, ...names });
    for (const url of [receiver.url, "http://inside.test:3000/", "https://inside.test/"]) await outbound.check(url);
    for (const url of ["http://not-there-yet.test/", "http://outside.test/", "http://both.test/", "http://10.0.0.1/"]) {
      await expect(outbound.check(url)).rejects.toThrow("https://");
    }
    await expect(outbound.check("https://both.test/")).rejects.toThrow("not public");
    await expect(outbound.check("https://10.0.0.1/")).rejects.toThrow("not public");
  });
});

describe("an outbound request", () => {
  const open = (names: Record<string, string[][]> = {}) => {
    const known = directory(names);
    return { outbound: openOutbound({ loopback: true, ...known }), looks: known.looks };
  };

  it("connects to the checked address, whose name is resolved once", async () => {
    const { outbound, looks } = open({ "hooks.test": [["127.0.0.1"]] });
    const url = `http://hooks.test:${receiver.port}/a?b=c`;
    const answer = await outbound.request(url, { ...POST, headers: { "X-Mine": "1" } });
    expect(answer).toMatchObject({ status: 204, cut: false });
    expect(looks).toEqual(["hooks.test"]);
    expect(receiver.received).toMatchObject([
      { path: "/a?b=c", body: "x", headers: { host: `hooks.test:${receiver.port}`, "x-mine": "1" } },
    ]);
  });

  it("is refused when its name resolves differently since the check", async () => {
    const outbound = openOutbound({
      loopback: false,
      ...directory({ "rebinding.test": [[PUBLIC], ["127.0.0.1"]] }),
    });
    const url = `https://rebinding.test:${receiver.port}/`;
    await outbound.check(url);
    await expect(outbound.request(url, POST)).rejects.toThrow("not public");
    expect(receiver.received).toEqual([]);
  });

  it("does not follow a redirect", async () => {
    receiver.answers.push("redirect");
    await expect(open().outbound.request(receiver.url, POST)).rejects.toThrow("redirect (302)");
    expect(receiver.received.map(({ path }) => path)).toEqual(["/hook"]);
  });

  it("reads no more of the answer than allowed", async () => {
    receiver.answers.push("long");
    const answer = await open().outbound.request(receiver.url, POST);
    expect(answer).toMatchObject({ status: 200, cut: true });
    expect(answer.body.length).toBe(65_536);
  });

  it("ends in time when no answer comes", async () => {
    receiver.answers.push("never");
    const begun = performance.now();
    await expect(open().outbound.request(receiver.url, { ...POST, timeoutMs: 100 })).rejects.toMatchObject({
      message: "No answer within 0.1 s",
      retryable: true,
    });
    expect(performance.now() - begun).toBeLessThan(2_000);
  });

  it("describes in words why there was no answer", async () => {
    receiver.answers.push("cut");
    await expect(open().outbound.request(receiver.url, POST)).rejects.toThrow("The connection was cut");
    const gone = await startReceiver();
    await gone.close();
    await expect(open().outbound.request(gone.url, POST)).rejects.toThrow("The connection was refused");
  });
});
