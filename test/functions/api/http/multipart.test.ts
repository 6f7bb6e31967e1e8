import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { parseMultipart } from "../../../../functions/api/http/multipart.ts";

const TYPE = "multipart/form-data; boundary=xyz";
const part = (headers: string, body: string): string => `--xyz\r\n${headers}\r\n\r\n${body}\r\n`;
const parse = (text: string, type: string | undefined = TYPE, limit = 1000) =>
  parseMultipart(type, Buffer.from(text), limit);

describe("parseMultipart", () => {
  it("reads the document whatever its headers say", () => {
    const document = (headers: string) => parse(`${part(headers, "abc")}--xyz--\r\n`).document();
    const disposition = 'Content-Disposition: form-data; name="document"';
    expect(document(disposition)).toMatchObject({ fileName: undefined, mimeType: undefined });
    expect(document(`${disposition}; filename="omitted"\r\nContent-Type: application/octet-stream`)).toMatchObject({
      fileName: undefined,
      mimeType: undefined,
    });
    expect(document(`${disposition}; filename="a b.pdf"\r\nContent-Type: Application/PDF; q=1`)).toMatchObject({
      fileName: "a b.pdf",
      mimeType: "application/pdf",
    });
    expect(document(`${disposition}; filename="../../etc/passwd"\r\nContent-Type:`)).toMatchObject({
      fileName: "passwd",
      mimeType: undefined,
    });
    expect(document(`${disposition}; filename="Rechnung f%22ür.pdf"`)).toMatchObject({ fileName: 'Rechnung f"ür.pdf' });
    expect(Buffer.from(document(disposition).bytes).toString()).toBe("abc");
  });

  it("reads texts sent as fields or as files; blank ones and `None` are absent", () => {
    const body = [
      part('Content-Disposition: form-data; name="prompt"', "été"),
      part('Content-Disposition: form-data; name="schema"; filename="s.json"\r\nContent-Type: application/json', "{}"),
      part('Content-Disposition: form-data; name="metadata"', "None"),
      part('Content-Disposition: form-data; name="instructions"', "  "),
    ].join("");
    const parsed = parse(`${body}--xyz--`);
    expect(["prompt", "schema", "metadata", "instructions", "other"].map((name) => parsed.text(name))).toEqual([
      "été",
      "{}",
      undefined,
      undefined,
      undefined,
    ]);
    expect(() => parsed.document()).toThrow("'document'");
  });

  it("refuses a second part of a name that is read, so that none is lost", () => {
    const twice = (name: string) => part(`Content-Disposition: form-data; name="${name}"`, "a").repeat(2);
    const parsed = parse(`${["document", "prompt", "password", "other"].map(twice).join("")}--xyz--`);
    expect(() => parsed.document()).toThrow("The part 'document' came 2 times; send it once");
    expect(() => parsed.text("prompt")).toThrow("The part 'prompt' came 2 times; send it once");
    expect(() => parsed.password()).toThrow("The part 'password' came 2 times; send it once");
  });

  it("refuses a password that is too long, with its limit", () => {
    const password = (length: number) =>
      parse(
        `${part('Content-Disposition: form-data; name="password"', "p".repeat(length))}--xyz--`,
        TYPE,
        9_000,
      ).password();
    expect(password(1_000)).toEqual({ password: "p".repeat(1_000) });
    expect(() => password(1_001)).toThrow("Invalid body: password must be at most 1,000 characters");
  });

  it("refuses a body that is not multipart, malformed, cut off, or over a limit", () => {
    const disposition = 'Content-Disposition: form-data; name="document"';
    expect(() => parse("x", undefined)).toThrow(/multipart/);
    expect(() => parseMultipart("application/json", Buffer.from("{}"), 9)).toThrow(/multipart/);
    expect(() => parse("x", "multipart/form-data")).toThrow(/multipart/);
    expect(() => parse("nothing of the kind")).toThrow(/malformed/);
    expect(() => parse(part(disposition, "abc"))).toThrow(/cut off/);
    expect(() => parse(`${part(disposition, "a".repeat(1001))}--xyz--`)).toThrow(
      expect.objectContaining({ kind: "PayloadTooLarge" }),
    );
    expect(parse(`${part(disposition, "a".repeat(1000))}--xyz--`).document().bytes).toHaveLength(1000);
    const many = part('Content-Disposition: form-data; name="x"', "1").repeat(101);
    expect(() => parse(`${many}--xyz--`)).toThrow(/at most 100 parts/);
    expect(() => parse(`${part(disposition, "")}--xyz--`).document()).toThrow(
      expect.objectContaining({ kind: "UnprocessableEntity" }),
    );
  });

  it("refuses a text part over 1 MB", () => {
    const text = (bytes: number) =>
      `${part('Content-Disposition: form-data; name="schema"', "a".repeat(bytes))}--xyz--`;
    const refusal = { kind: "PayloadTooLarge", message: expect.stringMatching(/over 1 MB \(1,000,000 bytes\)/) };
    expect(() => parse(text(1_000_001), TYPE, 2_000_000)).toThrow(expect.objectContaining(refusal));
    expect(parse(text(1_000_000), TYPE, 2_000_000).text("schema")).toHaveLength(1_000_000);
  });

  it("hashes equal parts alike whatever the boundary and the order", () => {
    const hashOf = (text: string, boundary: string): string => {
      const hash = createHash("sha256");
      parse(text.replaceAll("xyz", boundary), `multipart/form-data; boundary="${boundary}"`).hashInto(hash);
      return hash.digest("hex");
    };
    const a = part('Content-Disposition: form-data; name="a"', "1");
    const b = part('Content-Disposition: form-data; name="b"', "2");
    expect(hashOf(`${a}${b}--xyz--`, "one")).toBe(hashOf(`${b}${a}--xyz--`, "two"));
    expect(hashOf(`${a}--xyz--`, "one")).not.toBe(hashOf(`${a}${b}--xyz--`, "one"));
  });
});
