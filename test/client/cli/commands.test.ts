import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { cut, PICTURE } from "../fake-service.ts";
import { commandLine, files } from "./command-line.support.ts";
import { sheaf } from "./memory-io.ts";

const { service, run, onlyJob } = commandLine();

describe("sheaf image", () => {
  test("saves a page and prints the file name", async () => {
    const { guid } = service.addJob("COMPLETED");
    const { exitCode, written, stderr, stdout } = await run(["image", guid, "2", "-o", "/out/page.png"]);
    expect([exitCode, stdout]).toEqual([0, ""]);
    expect(Buffer.from(written["/out/page.png"] ?? "")).toEqual(PICTURE);
    expect(stderr).toBe(`page 2: /out/page.png, ${PICTURE.length} bytes\n`);
    expect(service.seen("GET", /image/)[0]?.path).toBe(`/job/image/${guid}/1`);
  });

  test("requests the source locations, and writes to standard output", async () => {
    const { guid } = service.addJob("COMPLETED");
    const options = ["--locations", "--pointer", "/a", "--pointer", "/b/*", "--run", "3"];
    const { stdout, written } = await run(["image", guid, "1", ...options, "-o", "-"]);
    expect(Buffer.from(stdout, "latin1")).toEqual(PICTURE);
    expect(written).toEqual({});
    const query = Object.fromEntries(service.seen("GET", /image/)[0]?.query ?? []);
    expect(query).toEqual({ locations: "true", pointers: "/a,/b/*", run: "3" });
  });

  test("asks for the page as LibreOffice shows it", async () => {
    const { guid } = service.addJob("COMPLETED");
    expect((await run(["image", guid, "1", "--rendered", "office", "-o", "-"])).exitCode).toBe(0);
    expect(service.seen("GET", /image/)[0]?.query.toString()).toBe("rendered=office");
  });

  test.each([
    ["1", "-o", "x", "--rendered", "word"],
    ["1", "-o", "x", "--rendered", "office", "--locations"],
    ["0", "-o", "x"],
    ["1"],
    ["1", "-o", "x", "--pointer", "total", "--locations"],
    ["1", "-o", "x", "--pointer", "/total"],
  ])("refuses wrong usage: %s %s %s %s %s", async (...args) => {
    const { guid } = service.addJob("COMPLETED");
    expect((await run(["image", guid, ...args])).exitCode).toBe(2);
    expect(service.requests).toEqual([]);
  });
});

describe("a command line with wrong usage", () => {
  const guid = randomUUID();
  test.each([
    [["process", "/in/letter.txt", "--schema", "{oops"], /The schema in --schema is not JSON: /],
    [["process", "/in/letter.txt", "--schema", "[1]"], /must be a JSON object/],
    [["process", "/in/letter.txt", "--schema-file", "/in/letter.txt"], /The schema in \/in\/letter\.txt is not JSON/],
    [["process", "/in/letter.txt", "--schema", "{}", "--schema-file", "-"], /cannot be used with option/],
    [["process", "/in/none.pdf"], /none\.pdf cannot be read: there is no such file/],
    [["process", "/in/big.pdf"], /big\.pdf is over 10 MB/],
    [["process", "/in/letter.txt", "--prompt-file", "/in/latin1.txt"], /latin1\.txt is not UTF-8 text/],
    [["process", "/in/letter.txt", "--ocr", "best"], /It is one of DEFAULT, /],
    [["process", "/in/letter.txt", "--mime-type", "pdf"], /It is a type such as/],
    [["process", "/in/letter.txt", "--timeout", "-1"], /It is a number of seconds/],
    [["ocr-only", "/in/letter.txt", "--format", "html"], /Allowed choices are plain, markdown, jsonl/],
    [["process"], /missing required argument 'file'/],
    [["process", "a", "b"], /too many arguments/],
    [["status", "7"], /It is a job's id/],
    [["unknown"], /unknown command/],
    [["status", guid, "--frob"], /unknown option/],
    [["--api-url", "127.0.0.1", "status", guid, "--token", "t"], /must be an http or https URL/],
    [["--api-url", "https://sheaf.test", "status", guid], /A key for https:\/\/sheaf\.test is needed/],
    [["--token", "a b", "status", guid], /must be visible ASCII/],
    [[], /Usage: sheaf/],
  ])("exits with code 2 and sends nothing: %j", async (argv, sentence) => {
    const big = new Uint8Array(10_000_001);
    const more = { ...files, "/in/big.pdf": big, "/in/latin1.txt": Buffer.from([0xe4]) };
    const { exitCode, stdout, stderr } = await run(argv, { files: more });
    expect(stderr).toMatch(sentence);
    expect([exitCode, stdout]).toEqual([2, ""]);
    expect(service.requests).toHaveLength(0);
  });
});

describe("sheaf ocr-only", () => {
  test("prints the plain text", async () => {
    service.ending.result = { type: "text/markdown", body: "# Invoice 7\n\nTotal 12.50" };
    const { exitCode, stdout } = await run(["ocr-only", "/in/Invoice.PDF", "--format", "markdown", "--ocr", "LOW"]);
    expect(exitCode).toBe(0);
    expect(stdout).toBe("# Invoice 7\n\nTotal 12.50\n");
    expect(onlyJob()?.command).toEqual({ ocr: "LOW", ocrFormat: "markdown" });
  });

  test("prints JSON lines unchanged, and does not wait with --no-wait", async () => {
    const body = '{"page": 1, "text":"a"}\n{"page": 2, "text":"b"}\n';
    service.ending.result = { type: "application/jsonl", body };
    expect((await run(["ocr-only", "-"])).stdout).toBe(body);
    expect(JSON.parse((await run(["ocr-only", "-", "--no-wait"])).stdout)).toMatchObject({ status: "PENDING" });
  });
});

describe("sheaf status, result, wait", () => {
  test("status prints the record and exits with code 0, also for a failed job", async () => {
    const job = service.addJob("FAILED");
    const { exitCode, stdout } = await run(["status", job.guid.toUpperCase()]);
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ guid: job.guid, status: "FAILED" });
  });

  test("result prints indented JSON, or a text as it is or as JSON, with source locations on request", async () => {
    const job = service.addJob("COMPLETED");
    expect((await run(["result", job.guid])).stdout).toContain('  "total": 12.50,\n');
    service.ending.result = { type: "text/plain", body: "plain\n" };
    expect((await run(["result", job.guid])).stdout).toBe("plain\n");
    expect((await run(["result", job.guid, "--json"])).stdout).toBe('"plain\\n"\n');
    const refused = await run(["result", job.guid, "--source-locations"]);
    expect([refused.exitCode, refused.stdout]).toEqual([6, ""]);
    expect(refused.stderr).toContain("error: Source locations were not requested\n");
    job.command.sourceLocations = true;
    const both = JSON.parse((await run(["result", job.guid, "--source-locations"])).stdout);
    expect(both).toEqual({ result: "plain\n", sourceLocations: service.ending.sourceLocations });
  });

  test("result prints CSV to standard output or a file, and a workbook only to a file", async () => {
    const job = service.addJob("COMPLETED");
    service.ending.result = { type: "text/csv", body: "a,b\r\n1,ö\r\n" };
    const { stdout } = await run(["result", job.guid, "--csv"]);
    expect(Buffer.from(stdout, "latin1").toString()).toBe("a,b\r\n1,ö\r\n");
    const csv = await run(["result", job.guid, "--csv", "-o", "out.csv"]);
    expect(csv).toMatchObject({ exitCode: 0, stdout: "" });
    expect(Buffer.from(csv.written["out.csv"] ?? []).toString()).toBe("a,b\r\n1,ö\r\n");
    const excel = await run(["result", job.guid, "--excel", "--output", "out.xlsx"]);
    expect(excel.written["out.xlsx"]?.length).toBeGreaterThan(0);
    expect(service.requests.at(-1)?.path).toBe(`/job/result/${job.guid}/excel`);
    const nowhere = await run(["result", job.guid, "--excel"]);
    expect([nowhere.exitCode, nowhere.stderr]).toEqual([2, expect.stringContaining("goes to a file")]);
    expect((await run(["result", job.guid, "--csv", "--excel"])).exitCode).toBe(2);
    service.ending.result = { type: "text/plain", body: "plain\n" };
    expect((await run(["result", job.guid, "-o", "out.txt"])).written["out.txt"]).toEqual(Buffer.from("plain\n"));
  });

  test("result refuses a missing result and an unknown job", async () => {
    const { guid } = service.addJob();
    expect(await run(["result", guid])).toMatchObject({ exitCode: 6, stdout: "" });
    const { exitCode, stderr } = await run(["wait", randomUUID()]);
    expect(exitCode).toBe(6);
    expect(stderr).toMatch(/^error: There is no job /);
  });

  test("wait prints the result of a job that another client started", async () => {
    expect((await run(["wait", service.addJob("COMPLETED").guid])).stdout).toContain('"total": 12.50');
    expect(await run(["wait", service.addJob("CANCELLED").guid])).toMatchObject({ exitCode: 1, stdout: "" });
  });

  test("wait exits with code 4 and names the next command when the service goes away", async () => {
    const { guid } = service.addJob();
    service.failNext("GET", /status/, cut, cut, cut, cut);
    const { exitCode, stderr } = await run(["wait", guid, "--reconnect", "0"]);
    expect(exitCode).toBe(4);
    expect(stderr).toContain(`Sheaf is not reachable at ${service.url}: the connection was cut`);
    expect(stderr).toContain("`npx sheaf serve`");
    expect(stderr).toContain(`sheaf wait ${guid}\n`);
  });
});

describe("the API key", () => {
  const { guid } = { guid: randomUUID() };
  const keySent = async (argv: string[], env: Record<string, string>): Promise<string | null> => {
    let key: string | null = null;
    const fetch: typeof globalThis.fetch = async (_input, init) => {
      key = new Headers(init?.headers).get("authorization");
      return Response.json({ guid, status: "COMPLETED" });
    };
    await sheaf(argv, { env, fetch });
    return key;
  };

  test.each([
    [[], {}, "Bearer sheaf-local"],
    [["--api-url", "http://localhost:8080"], {}, "Bearer sheaf-local"],
    [["--api-url", "http://[::1]:3000"], { SHEAF_TOKEN: "" }, "Bearer sheaf-local"],
    [[], { SHEAF_TOKEN: "mine" }, "Bearer mine"],
    [["--token", "other"], { SHEAF_TOKEN: "mine" }, "Bearer other"],
    [["--api-url", "https://127.0.0.1.evil.test"], {}, null],
    [["--api-url", "http://localhost.evil.test"], {}, null],
    [[], { SHEAF_API_URL: "https://sheaf.test" }, null],
  ])("is taken from the options or the environment: %j %j", async (options, env, key) => {
    expect(await keySent([...options, "status", guid], env)).toBe(key);
  });

  test("is reported when the service does not know it", async () => {
    const { exitCode, stderr } = await run(["status", guid], { env: { SHEAF_TOKEN: "nobody" } });
    expect(exitCode).toBe(1);
    expect(stderr).toContain("error: The API key is unknown\nGive a key that the service knows with --token");
  });
});

describe("sheaf --help", () => {
  test("prints help and version to standard output, with the exit codes in every help", async () => {
    expect(await run(["--version"])).toMatchObject({ exitCode: 0, stdout: "1.2.3\n", stderr: "" });
    for (const argv of [["--help"], ["process", "--help"], ["help", "wait"]]) {
      const { exitCode, stdout } = await run(argv);
      expect(exitCode).toBe(0);
      expect(stdout).toMatch(
        /Exit codes:\n {2}0 +success\n {2}1 .*\n {2}2 .*\n {2}3 .*\n {2}4 .*\n {2}5 .*\n {2}6 .*\n {2}7 .*\n/,
      );
    }
  });
});
