/** Answers requests without a route: 404 in the form of every other error. */
import { apiHandler } from "../api.ts";

export const handler = apiHandler([]);
