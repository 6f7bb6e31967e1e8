/** Resources: pages of documents as pictures, and whole results. */
import { type McpServer, ProtocolError, ProtocolErrorCode, ResourceTemplate } from "@modelcontextprotocol/server";
import { SheafError } from "../index.ts";
import type { Session } from "./context.ts";
import { sentencesOf } from "./failures.ts";
import { GUID, pageUri, plainPageUri, resultUri } from "./uris.ts";

/** Highest page number; documents have fewer pages that the service reads. */
const MAX_PAGE = 100_000;

type Variables = Record<string, string | string[]>;

const invalid = (sentence: string): ProtocolError => new ProtocolError(ProtocolErrorCode.InvalidParams, sentence);

function jobOf({ guid }: Variables): string {
  const given = String(guid).toLowerCase();
  if (!GUID.test(given)) throw invalid("The address names no job; it is such as sheaf://jobs/{guid}/pages/1.png");
  return given;
}

function pageOf({ page }: Variables): number {
  const given = String(page);
  if (!/^[1-9]\d{0,5}$/.test(given) || Number(given) > MAX_PAGE) throw invalid("A page is a whole number from 1");
  return Number(given);
}

/** Turns errors of the service into errors of the protocol. @throws ProtocolError, and defects as they are */
async function reading<T>(work: () => Promise<T>, advice = ""): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const sentences = sentencesOf(error);
    if (sentences === undefined || error instanceof ProtocolError) throw error;
    const isRequest = error instanceof SheafError && error.status >= 400 && error.status < 500;
    const code = isRequest ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError;
    throw new ProtocolError(code, [...sentences, ...(advice === "" ? [] : [advice])].join("\n"));
  }
}

/** Adds the resources of a session to its server. */
export function addResources(server: McpServer, { client }: Session): void {
  const picture = (uri: URL, bytes: Uint8Array) => ({
    contents: [{ uri: uri.href, mimeType: "image/png", blob: Buffer.from(bytes).toString("base64") }],
  });
  server.registerResource(
    "page",
    new ResourceTemplate(pageUri("{guid}", "{page}"), { list: undefined }),
    {
      title: "A page with boxes",
      description:
        "A page of a job's document with a box around each extracted value: green from a confidence of 0.9, orange from 0.7, red and dashed below",
      mimeType: "image/png",
    },
    async (uri, variables, { mcpReq: { signal } }) => {
      const [guid, page] = [jobOf(variables), pageOf(variables)];
      const plain = `The page without boxes is ${plainPageUri(guid, page)}`;
      const draw = () => client.pageImage(guid, page - 1, { locations: true, signal });
      return picture(uri, await reading(draw, plain));
    },
  );
  server.registerResource(
    "plain-page",
    new ResourceTemplate(plainPageUri("{guid}", "{page}"), { list: undefined }),
    { title: "A page", description: "A page of a job's document", mimeType: "image/png" },
    async (uri, variables, { mcpReq: { signal } }) => {
      const [guid, page] = [jobOf(variables), pageOf(variables)];
      return picture(uri, await reading(() => client.pageImage(guid, page - 1, { signal })));
    },
  );
  server.registerResource(
    "result",
    new ResourceTemplate(resultUri("{guid}"), { list: undefined }),
    { title: "A result", description: "The whole result of a job; `status` says whether it is complete" },
    async (uri, variables, { mcpReq: { signal } }) => {
      const guid = jobOf(variables);
      const { text, contentType } = await reading(() => client.result(guid, { signal }));
      return { contents: [{ uri: uri.href, mimeType: contentType, text }] };
    },
  );
}
