// An OCR provider in one file: the contract of docs/providers.md over the program tesseract.
//   OCR_KEY=a-long-secret PORT=8088 node docs/examples/ocr-server.mjs
// Put it behind a proxy with https; a service on the same machine may ask it by http://127.0.0.1:8088.
import { spawn } from "node:child_process";
import { timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";

const { OCR_KEY = "", PORT = "8088", TESSERACT = "tesseract", LANGS = "eng" } = process.env;
const MAX_REQUEST_BYTES = 12_000_000;
const WORD_LEVEL = "5";

/** Runs the program over a picture: its table of words, one row a word. */
const recognize = (picture) =>
  new Promise((resolve, reject) => {
    const program = spawn(TESSERACT, ["stdin", "stdout", "-l", LANGS, "tsv"], { stdio: ["pipe", "pipe", "ignore"] });
    const parts = [];
    program.stdout.on("data", (part) => parts.push(part));
    program.on("error", reject);
    program.on("close", (code) =>
      code === 0 ? resolve(Buffer.concat(parts).toString()) : reject(new Error("no text")),
    );
    program.stdin.on("error", () => undefined);
    program.stdin.end(picture);
  });

/** Words in lines, in pixels of the picture; the first row of the table is the page. */
function answerOf(table) {
  const rows = table
    .trim()
    .split("\n")
    .slice(1)
    .map((row) => row.split("\t"));
  const [, , , , , , , , width, height] = rows[0] ?? [];
  const lines = new Map();
  for (const [level, , block, paragraph, line, , left, top, across, down, confidence, text = ""] of rows) {
    if (level !== WORD_LEVEL || text.trim() === "") continue;
    const key = [block, paragraph, line].join("/");
    const box = [left, top, Number(left) + Number(across), Number(top) + Number(down)].map(Number);
    const word = { text, box, confidence: Math.min(Math.max(Number(confidence) / 100, 0), 1) };
    lines.set(key, [...(lines.get(key) ?? []), word]);
  }
  return { width: Number(width), height: Number(height), lines: [...lines.values()].map((words) => ({ words })) };
}

const isAllowed = ({ headers }) => {
  const [given, wanted] = [headers.authorization ?? "", `Bearer ${OCR_KEY}`].map((text) => Buffer.from(text));
  return given.length === wanted.length && timingSafeEqual(given, wanted);
};

const server = createServer(async (request, response) => {
  const reply = (status, body) =>
    response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
  if (OCR_KEY !== "" && !isAllowed(request)) return reply(401, { message: "The key is wrong" });
  const parts = [];
  let size = 0;
  for await (const part of request) {
    size += part.length;
    if (size > MAX_REQUEST_BYTES) return reply(413, { message: "The picture is too large" });
    parts.push(part);
  }
  try {
    const { image } = JSON.parse(Buffer.concat(parts).toString());
    reply(200, answerOf(await recognize(Buffer.from(image.base64, "base64"))));
  } catch {
    reply(422, { message: "The picture cannot be read" });
  }
});
server.listen(Number(PORT), "127.0.0.1", () => console.log(`Listening on http://127.0.0.1:${server.address().port}`));
