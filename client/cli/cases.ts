/** `sheaf cases`: folders of documents that the service keeps and summarises. */
import { type Command, InvalidArgumentError } from "commander";
import { type ConnectionArguments, connect } from "./connection.ts";
import { readDocument } from "./document.ts";
import { EXIT_CODES, type Io, type Perform, UsageError } from "./io.ts";
import { isLarge } from "./large.ts";
import { parseCaseId, parseGuid, parseJsonObject, parseMimeType, parseWholeNumber } from "./options.ts";
import { printJson } from "./outcome.ts";

interface CaseArguments extends ConnectionArguments {
  caseId: number;
}

interface DocumentArguments extends CaseArguments {
  documentId: string;
}

interface UploadArguments extends CaseArguments {
  file: string;
  metadata?: string;
  mimeType?: string;
}

/** A page, from 0. @throws InvalidArgumentError */
function parsePage(value: string): number {
  if (!/^\d{1,6}$/.test(value)) throw new InvalidArgumentError("It is a whole number from 0.");
  return Number(value);
}

async function print(io: Io, answer: unknown): Promise<number> {
  await printJson(io, JSON.stringify(answer));
  return EXIT_CODES.success;
}

/** Members of a document's metadata: texts as they are, other values as JSON. @throws UsageError */
function metadataOf(text: string | undefined): Record<string, string> {
  if (text === undefined) return {};
  const given = parseJsonObject(text, "The value of --metadata");
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, typeof value === "string" ? value : JSON.stringify(value)]),
  );
}

/** Uploads a document and prints its record. @throws UsageError for metadata of a large document */
async function upload(io: Io, args: UploadArguments): Promise<number> {
  const metadata = metadataOf(args.metadata);
  const document = await readDocument(io, args.file, args.mimeType);
  const { bytes, fileName, mimeType } = document;
  const client = connect(io, args);
  const { caseId } = args;
  const options = { fileName, mimeType, signal: io.signal };
  if (!isLarge(document)) return print(io, await client.cases.upload(caseId, bytes, { ...options, metadata }));
  if (args.metadata !== undefined) throw new UsageError("A document of more than 4 MB takes no --metadata");
  const { guid } = await client.uploadDirect(bytes, { ...options, caseId });
  return print(io, await client.cases.document(caseId, guid, { signal: io.signal }));
}

async function download(io: Io, { caseId, documentId, output, ...args }: DocumentArguments & { output: string }) {
  const { bytes } = await connect(io, args).cases.download(caseId, documentId, { signal: io.signal });
  if (output === "-") await io.stdout.write(bytes);
  else {
    await io.write(output, bytes);
    io.stderr.write(`document ${documentId}: ${output}, ${bytes.length} bytes\n`);
  }
  return EXIT_CODES.success;
}

async function remove(io: Io, { caseId, ...args }: CaseArguments): Promise<number> {
  await connect(io, args).cases.remove(caseId, { signal: io.signal });
  io.stderr.write(`case ${caseId}: deleted\n`);
  return EXIT_CODES.success;
}

async function removeDocument(io: Io, { caseId, documentId, ...args }: DocumentArguments): Promise<number> {
  await connect(io, args).cases.removeDocument(caseId, documentId, { signal: io.signal });
  io.stderr.write(`document ${documentId}: deleted\n`);
  return EXIT_CODES.success;
}

type Fetch<Args> = (io: Io, args: Args) => Promise<unknown>;
const printed =
  <Args>(fetch: Fetch<Args>) =>
  async (io: Io, args: Args): Promise<number> =>
    print(io, await fetch(io, args));

const list = printed((io, args: ConnectionArguments) => connect(io, args).cases.list({ signal: io.signal }));
const create = printed(
  (io, { name, description, ...args }: ConnectionArguments & { name: string; description?: string }) =>
    connect(io, args).cases.create({ name, description }, { signal: io.signal }),
);
const get = printed((io, { caseId, ...args }: CaseArguments) =>
  connect(io, args).cases.get(caseId, { signal: io.signal }),
);
const update = printed(
  (io, { caseId, name, description, ...args }: CaseArguments & { name: string; description?: string }) =>
    connect(io, args).cases.update(caseId, { name, description }, { signal: io.signal }),
);
const listDocuments = printed((io, { caseId, page, size, ...args }: CaseArguments & { page?: number; size?: number }) =>
  connect(io, args).cases.documents(caseId, { page, size, signal: io.signal }),
);
const getDocument = printed((io, { caseId, documentId, ...args }: DocumentArguments) =>
  connect(io, args).cases.document(caseId, documentId, { signal: io.signal }),
);
const getSummary = printed((io, { caseId, documentId, ...args }: DocumentArguments) =>
  connect(io, args).cases.summary(caseId, documentId, { signal: io.signal }),
);
const listSummaries = printed((io, { caseId, ...args }: CaseArguments) =>
  connect(io, args).cases.summaries(caseId, { signal: io.signal }),
);

const CASE_ID = ["<case>", "the case's id", parseCaseId] as const;

/** Adds the commands to the program. */
export function define(program: Command, perform: Perform): void {
  const cases = program.command("cases").description("folders of documents that the service keeps and summarises");
  cases
    .command("list")
    .description("print all of them")
    .action((_options: unknown, command: Command) =>
      perform((io) => list(io, command.optsWithGlobals<ConnectionArguments>())),
    );
  cases
    .command("create")
    .description("make one")
    .argument("<name>", "its name, up to 200 characters")
    .option("--description <text>", "what it is about")
    .action((name: string, _options: unknown, command: Command) =>
      perform((io) => create(io, { ...command.optsWithGlobals<ConnectionArguments>(), name })),
    );
  cases
    .command("update")
    .description("rename a case, or describe it anew")
    .argument(...CASE_ID)
    .argument("<name>", "its name")
    .option("--description <text>", "what it is about; default: as it is")
    .action((caseId: number, name: string, _options: unknown, command: Command) =>
      perform((io) => update(io, { ...command.optsWithGlobals<ConnectionArguments>(), caseId, name })),
    );
  for (const [verb, what, run] of [
    ["get", "print a case", get],
    ["delete", "delete a case with its documents", remove],
    ["list-summaries", "print what its documents say, in short", listSummaries],
  ] as const) {
    cases
      .command(verb)
      .description(what)
      .argument(...CASE_ID)
      .action((caseId: number, _options: unknown, command: Command) =>
        perform((io) => run(io, { ...command.optsWithGlobals<ConnectionArguments>(), caseId })),
      );
  }
  defineDocuments(cases, perform);
}

function defineDocuments(cases: Command, perform: Perform): void {
  cases
    .command("upload-document")
    .description("put a document into a case, and print its record; its documentId is also its job's id")
    .argument(...CASE_ID)
    .argument("<file>", "the document, up to 10 MB; - for standard input")
    .option("--metadata <json>", 'kept with the document, such as {"source": "mail"}; up to 4 MB documents')
    .option("--mime-type <type>", "the document's type (default: by its name, else detected)", parseMimeType)
    .action((caseId: number, file: string, _options: unknown, command: Command) =>
      perform((io) =>
        upload(io, { ...command.optsWithGlobals<Omit<UploadArguments, "caseId" | "file">>(), caseId, file }),
      ),
    );
  cases
    .command("list-documents")
    .description("print a page of a case's documents")
    .argument(...CASE_ID)
    .option("--page <number>", "from 0 (default: 0)", parsePage)
    .option("--size <number>", "documents of a page (default: 20)", parseWholeNumber)
    .action((caseId: number, _options: unknown, command: Command) =>
      perform((io) => listDocuments(io, { ...command.optsWithGlobals<ConnectionArguments>(), caseId })),
    );
  const ofDocument = (verb: string, what: string): Command =>
    cases
      .command(verb)
      .description(what)
      .argument(...CASE_ID)
      .argument("<document>", "its documentId", parseGuid);
  for (const [verb, what, run] of [
    ["get-document", "print a document's record", getDocument],
    ["delete-document", "delete a document", removeDocument],
    ["get-summary", "print what a document says, in short", getSummary],
  ] as const) {
    ofDocument(verb, what).action((caseId: number, documentId: string, _options: unknown, command: Command) =>
      perform((io) => run(io, { ...command.optsWithGlobals<ConnectionArguments>(), caseId, documentId })),
    );
  }
  ofDocument("download", "save a document's file")
    .requiredOption("-o, --output <file>", "where it goes; - for standard output")
    .action((caseId: number, documentId: string, _options: unknown, command: Command) =>
      perform((io) =>
        download(io, {
          ...command.optsWithGlobals<ConnectionArguments & { output: string }>(),
          caseId,
          documentId,
        }),
      ),
    );
}
