/** The form of a tool: a file each. */
import type { CallToolResult, McpServer, ServerContext, ToolAnnotations } from "@modelcontextprotocol/server";
import * as z from "zod";
import { DEFAULT_WAIT_SECONDS, MAX_WAIT_SECONDS, type Session } from "../context.ts";
import { answering } from "../failures.ts";
import { GUID } from "../uris.ts";

export interface Tool<Input extends z.ZodRawShape> {
  name: string;
  title: string;
  description: string;
  input: Input;
  output: z.ZodObject;
  annotations: ToolAnnotations;
  run(input: z.infer<z.ZodObject<Input>>, context: ServerContext): Promise<CallToolResult>;
}

/** Adds a tool to a server; members that it does not know are refused. */
export function addTool<Input extends z.ZodRawShape>(
  server: McpServer,
  log: (line: string) => void,
  { name, title, description, input, output, annotations, run }: Tool<Input>,
): void {
  const inputSchema = z.strictObject(input) as unknown as z.ZodObject<Input>;
  server.registerTool(
    name,
    { title, description, inputSchema, outputSchema: output, annotations },
    (given: unknown, context: ServerContext) =>
      answering(context.mcpReq.signal, log, () => run(given as z.infer<z.ZodObject<Input>>, context)),
  );
}

/** Tools of a session. */
export type ToolOf<Input extends z.ZodRawShape> = (session: Session) => Tool<Input>;

export const waitSeconds = z
  .number()
  .min(0)
  .max(MAX_WAIT_SECONDS)
  .default(DEFAULT_WAIT_SECONDS)
  .describe("Seconds to wait for the end of the job; after them it goes on, and `status` reads it");

export const jobGuid = z
  .string()
  .toLowerCase()
  .regex(GUID, "A job's guid, such as 0197f3a2-5c1e-7b40-9d27-3e8f6a1b2c3d");

/** Longest text of a prompt or a question in characters; the service has limits of its own below. */
export const MAX_PROMPT_CHARACTERS = 100_000;

/** Name of a template or a configuration. */
export const storedName = z
  .string()
  .regex(/^[\w.-]{1,128}$/, "Letters, digits, `.`, `_` and `-`, up to 128 characters");

export const ocrMode = z
  .enum(["DEFAULT", "NONE", "PREMIUM", "AUTO", "EXCEL", "LOW"])
  .optional()
  .describe("How text is recognised; DEFAULT fits scans and digital documents");

export const password = z.string().min(1).max(1000).optional().describe("Opens an encrypted PDF");
