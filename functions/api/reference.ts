/** The API's reference as a page, drawn by the reader's browser from the OpenAPI document. */
import { publicRoute } from "./http/route.ts";

const TAG = "Service";

/**
 * The page asks nothing but this service, and no script runs that is not the service's own. Redoc writes its styles into
 * the page, and searches in a worker that it makes of a blob.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "worker-src blob:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** Seconds that a browser keeps the script: it changes with a deployment only. */
const SCRIPT_SECONDS = 3_600;

/** Addresses are relative, so that the page also works below a path. */
const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sheaf API</title>
<link rel="icon" href="data:,">
<style>body { margin: 0 } .menu-content a[href*="redocly.com"] { display: none }</style>
</head>
<body>
<noscript>This page needs JavaScript. The same reference as JSON: <a href="openapi.json">openapi.json</a></noscript>
<redoc spec-url="openapi.json" required-props-first="true" sort-props-alphabetically="false" expand-responses="200,201"></redoc>
<script src="docs/redoc.js"></script>
</body>
</html>
`;

export const referencePage = publicRoute({
  method: "GET",
  path: "/docs",
  tag: TAG,
  summary: "This API's reference as a page",
  replies: {
    200: {
      description: "The page; it loads `/openapi.json` and `/docs/redoc.js`, and nothing of other hosts",
      contentTypes: ["text/html"],
      headers: { "Content-Security-Policy": { description: "Lets the page ask this service only" } },
    },
  },
  async run() {
    return {
      kind: "bytes",
      status: 200,
      body: Buffer.from(PAGE),
      contentType: "text/html; charset=utf-8",
      headers: { "Content-Security-Policy": POLICY },
    };
  },
});

export const referenceScript = publicRoute({
  method: "GET",
  path: "/docs/redoc.js",
  tag: TAG,
  summary: "The script of the reference's page",
  replies: { 200: { description: "JavaScript", contentTypes: ["text/javascript"] } },
  async run(_input, facts) {
    return {
      kind: "bytes",
      status: 200,
      body: await facts.referenceScript(),
      contentType: "text/javascript; charset=utf-8",
      headers: { "Cache-Control": `public, max-age=${SCRIPT_SECONDS}` },
    };
  },
});
