import { deflateSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { checkObjectStreams } from "../../../../../functions/engine/templates/pdf/object-streams.ts";
import { UnprocessableEntity } from "../../../../../functions/ports/errors.ts";

const streamOf = (dictionary: string, content: Uint8Array): Uint8Array =>
  new Uint8Array(
    Buffer.concat([
      Buffer.from(`%PDF-1.7\n4 0 obj <<${dictionary}>> stream\n`),
      content,
      Buffer.from("\nendstream endobj\n"),
    ]),
  );
const zeros = (megabytes: number): Buffer => deflateSync(Buffer.alloc(megabytes * 1e6));
const check =
  (bytes: Uint8Array, maybeEncrypted = false) =>
  () =>
    checkObjectStreams(bytes, maybeEncrypted);

describe("checkObjectStreams", () => {
  it.each([
    ["under its name", "/Type /ObjStm /Filter /FlateDecode"],
    ["under an escaped name", "/Type /Obj#53tm /Filter [/FlateDecode]"],
    ["whose type stands elsewhere", "/Type 9 0 R /Filter /Fl"],
    ["of cross-references", "/Type /XRef /Filter /FlateDecode"],
  ])("refuses a stream %s that unpacks to more than 10 MB", (_, dictionary) => {
    expect(check(streamOf(dictionary, zeros(11)))).toThrow("unpack to more than 10 MB");
    expect(check(streamOf(dictionary, zeros(11)), true)).toThrow(UnprocessableEntity);
    expect(check(streamOf(dictionary, zeros(9)))).not.toThrow();
  });

  it("adds up all streams of a file", () => {
    const one = streamOf("/Type /ObjStm /Filter /FlateDecode", zeros(4));
    expect(check(new Uint8Array(Buffer.concat([one, one])))).not.toThrow();
    expect(check(new Uint8Array(Buffer.concat([one, one, one])))).toThrow(UnprocessableEntity);
  });

  it("refuses what is packed twice, and in other ways", () => {
    for (const filter of ["[/FlateDecode /FlateDecode]", "/LZWDecode", "9 0 R"]) {
      expect(check(streamOf(`/Type /ObjStm /Filter ${filter}`, zeros(1)))).toThrow("in an uncommon way");
    }
  });

  it("lets damaged streams of a file pass that may be encrypted, and some of any other", () => {
    const damaged = streamOf("/Type /ObjStm /Filter /FlateDecode", Buffer.from("no deflated bytes"));
    const twenty = new Uint8Array(Buffer.concat(Array.from({ length: 20 }, () => damaged)));
    expect(check(damaged)).not.toThrow();
    expect(check(twenty, true)).not.toThrow();
    expect(check(twenty)).toThrow(UnprocessableEntity);
  });

  it("leaves streams of pages and pictures alone", () => {
    expect(check(streamOf("/Subtype /Image /Filter [/FlateDecode /DCTDecode]", zeros(50)))).not.toThrow();
  });
});
