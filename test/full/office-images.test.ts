/** Pages of Office documents as LibreOffice draws them. Needs LibreOffice. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DOCX, XLSX } from "../../functions/ports/media-types.ts";
import { docx, wordParagraph, wordParts, wordRun, xlsx, zipOf } from "../support/office.ts";
import { startTestService, type TestService } from "../support/service.ts";

const there = spawnSync("soffice", ["--version"], { timeout: 60_000 }).error === undefined;
if (!there) console.warn("SKIPPED: pages drawn by LibreOffice, which is not here (soffice)");

/** A picture of a Word document that is a link, with its size in EMU. */
const linkedPicture = (id: string): string =>
  `<w:drawing><wp:inline xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"><wp:extent cx="1828800" cy="1828800"/><wp:docPr id="1" name="x"/><a:graphic xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:pic xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:nvPicPr><pic:cNvPr id="1" name="x"/><pic:cNvPicPr/></pic:nvPicPr><pic:blipFill><a:blip xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" r:link="${id}"/><a:stretch><a:fillRect/></a:stretch></pic:blipFill><pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="1828800" cy="1828800"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></pic:spPr></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing>`;

describe.skipIf(!there)("rendered=office", () => {
  let target: TestService;
  const folder = mkdtempSync(join(tmpdir(), "sheaf-linked-"));
  beforeAll(async () => {
    target = await startTestService({ env: {} });
  });
  afterAll(async () => {
    await target.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it.each([
    [DOCX, docx(wordParagraph(wordRun("The agreement of the parties")))],
    [XLSX, xlsx("Sheet", [["Item", "Sum"]])],
  ])("draws a page as LibreOffice shows it: %s", { timeout: 120_000 }, async (type, bytes) => {
    const { api } = target;
    const guid = await api.upload(bytes, { type });
    const office = await api.get(`/job/image/${guid}/0?rendered=office`);
    expect([office.status, office.headers.get("x-sheaf-rendered")]).toEqual([200, "office"]);
    expect(office.bytes).not.toEqual((await api.get(`/job/image/${guid}/0`)).bytes);
    const { channels } = await sharp(office.bytes).stats();
    expect(channels[0]?.min).toBeLessThan(100);
    expect((await api.get(`/job/image/${guid}/0?rendered=office`)).bytes).toEqual(office.bytes);
    expect((await api.get(`/job/image/${guid}/9?rendered=office`)).status).toBe(404);
  });

  it("loads no linked content, from the network or from files", { timeout: 120_000 }, async () => {
    const red = await sharp({ create: { width: 64, height: 64, channels: 3, background: "red" } })
      .png()
      .toBuffer();
    const file = join(folder, "red.png");
    writeFileSync(file, red);
    const asked: string[] = [];
    const server = createServer((request, answer) => {
      asked.push(request.url ?? "");
      answer.setHeader("Content-Type", "image/png").end(red);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const relationship = (id: string, address: string): string =>
      `<Relationship Id="${id}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/image" Target="${address}" TargetMode="External"/>`;
    const rels = `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${relationship("rLocal", pathToFileURL(file).href)}${relationship("rWeb", `http://127.0.0.1:${port}/red.png`)}</Relationships>`;
    const pictures = ["rLocal", "rWeb"].map((id) => `<w:p><w:r>${linkedPicture(id)}</w:r></w:p>`);
    const parts = wordParts(wordParagraph(wordRun("text")), ...pictures);
    const document = zipOf({ ...parts, "word/_rels/document.xml.rels": rels });
    try {
      const guid = await target.api.upload(document, { type: DOCX });
      const { status, bytes } = await target.api.get(`/job/image/${guid}/0?rendered=office`);
      expect(status).toBe(200);
      const pixels = await sharp(bytes).removeAlpha().raw().toBuffer();
      let reds = 0;
      for (let at = 0; at < pixels.length; at += 3) {
        if ((pixels[at] ?? 0) > 200 && (pixels[at + 1] ?? 0) < 60 && (pixels[at + 2] ?? 0) < 60) reds += 1;
      }
      expect(reds).toBe(0);
      expect(asked).toEqual([]);
    } finally {
      server.close();
    }
  });

  it("is a 422 for a document that LibreOffice cannot open", { timeout: 120_000 }, async () => {
    const guid = await target.api.upload(docx("<w:p><w:unclosed>"), { type: DOCX });
    const { status, json } = await target.api.get(`/job/image/${guid}/0?rendered=office`);
    expect([status, json.message]).toEqual([422, expect.stringContaining("The Office program cannot open")]);
  });
});
