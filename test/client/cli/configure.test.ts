/** The saved address and key, and who wins over them. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { filesOf } from "../../../client/cli/process-io.ts";
import { settingsFile } from "../../../client/cli/saved-settings.ts";
import { sheaf, type World } from "./memory-io.ts";

const FILE = "/home/ada/.config/sheaf/config.json";
const HOME = { HOME: "/home/ada" };
const SAVED = { [FILE]: JSON.stringify({ apiUrl: "https://sheaf.test", token: "saved-key" }) };
const GUID = "0197f3a2-5c1e-7b40-9d27-3e8f6a1b2c3d";

/** Answers every call, and notes where it went with which key. */
function recorder(): { fetch: typeof globalThis.fetch; asked: string[] } {
  const asked: string[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const { origin } = new URL(String(input));
    asked.push(`${origin} ${new Headers(init?.headers).get("authorization")}`);
    return Response.json({ guid: GUID, status: "COMPLETED", id: "k1", organizationId: 7, scopes: ["read"] });
  };
  return { fetch, asked };
}

/** The service and key that `sheaf status` asks. */
async function asks(argv: string[], world: World): Promise<string> {
  const { fetch, asked } = recorder();
  const { exitCode, stderr } = await sheaf([...argv, "status", GUID], { ...world, fetch });
  return asked[0] ?? `${exitCode} ${stderr}`;
}

describe("sheaf configure", () => {
  it("saves an address and a key of standard input, once the service knows it", async () => {
    const { fetch, asked } = recorder();
    const world = { env: HOME, files: { "-": "new-key\n" }, fetch };
    const { exitCode, written, stdout, stderr } = await sheaf(
      ["configure", "--api-url", "https://sheaf.test", "--token", "-"],
      world,
    );
    expect([exitCode, asked]).toEqual([0, ["https://sheaf.test Bearer new-key"]]);
    expect(JSON.parse(String(written[FILE]))).toEqual({ apiUrl: "https://sheaf.test", token: "new-key" });
    expect(stdout + stderr).not.toContain("new-key");
    expect(stderr).toContain("organization 7");
  });

  it("asks a terminal for the key of the named, else the saved service", async () => {
    const { fetch, asked } = recorder();
    const world = { env: HOME, files: SAVED, typed: "typed-key\n", fetch };
    const { written, stderr } = await sheaf(["configure"], world);
    expect(stderr).toContain("Key for https://sheaf.test (empty for none): ");
    expect(JSON.parse(String(written[FILE]))).toEqual({ apiUrl: "https://sheaf.test", token: "typed-key" });
    await sheaf(["configure", "--api-url", "https://other.test"], world);
    expect(asked).toEqual(["https://sheaf.test Bearer typed-key", "https://other.test Bearer typed-key"]);
    const empty = await sheaf(["configure"], { ...world, typed: "" });
    expect(JSON.parse(String(empty.written[FILE]))).toMatchObject({ token: "saved-key" });
  });

  it("keeps the key for the same address only", async () => {
    const { fetch } = recorder();
    const configure = async (url: string) => {
      const world = { env: HOME, files: SAVED, fetch };
      const { written } = await sheaf(["configure", "--api-url", url, "--no-check"], world);
      return JSON.parse(String(written[FILE]));
    };
    expect(await configure("https://sheaf.test")).toEqual({ apiUrl: "https://sheaf.test", token: "saved-key" });
    expect(await configure("https://other.test")).toEqual({ apiUrl: "https://other.test" });
  });

  it("saves nothing without an option, with an address that is none, and for a key that is refused", async () => {
    const fetch = async () => Response.json({ message: "The API key is unknown", status: 401 }, { status: 401 });
    for (const [argv, code] of [
      [["configure"], 2],
      [["configure", "--api-url", "sheaf.test"], 2],
      [["configure", "--api-url", "sheaf.test", "--no-check"], 2],
      [["configure", "--api-url", "https://sheaf.test", "--token", "wrong-key"], 1],
    ] as const) {
      const { exitCode, written } = await sheaf([...argv], { env: HOME, fetch });
      expect([argv, exitCode, written]).toEqual([argv, code, {}]);
    }
  });
});

describe("the service that is asked", () => {
  it("is that of the options, else of the environment, else the saved one, else this machine's", async () => {
    const files = SAVED;
    const env = { ...HOME, SHEAF_API_URL: "https://env.test", SHEAF_TOKEN: "env-key" };
    expect(await asks(["--api-url", "https://own.test", "--token", "own"], { env, files })).toBe(
      "https://own.test Bearer own",
    );
    expect(await asks([], { env, files })).toBe("https://env.test Bearer env-key");
    expect(await asks([], { env: HOME, files })).toBe("https://sheaf.test Bearer saved-key");
    expect(await asks([], { env: HOME })).toBe("http://127.0.0.1:3000 Bearer sheaf-local");
  });

  it("never gets the saved key of another service", async () => {
    const world = { env: HOME, files: SAVED };
    expect(await asks(["--api-url", "https://other.test"], world)).toMatch(
      /^2 error: A key for https:\/\/other\.test is/,
    );
    expect(await asks(["--api-url", "http://127.0.0.1:3000"], world)).toBe("http://127.0.0.1:3000 Bearer sheaf-local");
  });

  it("is not guessed from a spoilt file; commands that ask no service run all the same", async () => {
    const world = { env: HOME, files: { [FILE]: "{oops" } };
    expect(await asks([], world)).toMatch(/^2 error: The settings in .*config\.json is not JSON/);
    expect((await sheaf(["completion", "bash"], world)).exitCode).toBe(0);
  });
});

describe("the file of the settings", () => {
  it("lies in the folder that the user's environment names", () => {
    expect(settingsFile({ XDG_CONFIG_HOME: "/x", HOME: "/h" })).toBe("/x/sheaf/config.json");
    expect(settingsFile({ HOME: "/h" })).toBe("/h/.config/sheaf/config.json");
    expect(settingsFile({})).toBeUndefined();
  });

  it("is for its owner alone, also where others could read the one before", async () => {
    const folder = mkdtempSync(join(tmpdir(), "sheaf-settings-"));
    try {
      const file = join(folder, "sheaf", "config.json");
      const { secrets } = filesOf(folder, Readable.from([]), new AbortController().signal);
      expect(await secrets.read(file)).toBeUndefined();
      await secrets.write(file, "one");
      expect([statSync(file).mode & 0o777, statSync(join(folder, "sheaf")).mode & 0o777]).toEqual([0o600, 0o700]);
      const open = join(folder, "open.json");
      writeFileSync(open, "{}", { mode: 0o644 });
      expect(await secrets.read(open)).toEqual({ text: "{}", othersMayRead: true });
      await secrets.write(open, "two");
      expect([readFileSync(open, "utf8"), statSync(open).mode & 0o777]).toEqual(["two", 0o600]);
      expect(await secrets.read(open)).toEqual({ text: "two", othersMayRead: false });
      expect(readdirSync(folder).sort()).toEqual(["open.json", "sheaf"]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
