/** Recognises a picture from stdin in this process; writes its words and whether a call of the network would be seen. */
import { decodeGray } from "../../functions/adapters/local/ocr/decode-picture.ts";
import { openEmbedded } from "../../functions/adapters/local/ocr/embedded-tesseract.ts";

const chunks: Uint8Array[] = [];
for await (const chunk of process.stdin) chunks.push(chunk as Uint8Array);
const engine = await openEmbedded(process.argv.slice(2));
const gray = await decodeGray(new Uint8Array(Buffer.concat(chunks)), { width: 8.5, height: 11 }, 300);
const words = await engine.recognize(gray, gray.width / 8.5, 6);
process.stdout.write(words.map(({ text }) => text).join(" "));
process.exit(0);
