/** What no route matches: 404 in the form of every other error. */
import { apiHandler } from "../api.ts";

export const handler = apiHandler([]);
