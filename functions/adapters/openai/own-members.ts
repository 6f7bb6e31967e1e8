import type { Json } from "../../ports/json.ts";

/** Members of a request that the driver sets, or leaves out where a server refuses them. */
const OWN_MEMBERS = new Set([
  "model",
  "messages",
  "response_format",
  "tools",
  "tool_choice",
  "stream",
  "stream_options",
  "n",
  "temperature",
  "seed",
  "reasoning_effort",
  "max_tokens",
  "max_completion_tokens",
]);

/** The members of a caller that the driver does not set itself. */
export const withoutOwnMembers = (extra: Readonly<Record<string, Json>>): Record<string, Json> =>
  Object.fromEntries(Object.entries(extra).filter(([member]) => !OWN_MEMBERS.has(member)));
