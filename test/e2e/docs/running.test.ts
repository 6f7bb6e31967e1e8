import { testDocumentedCommands } from "../../support/doc-commands.ts";

testDocumentedCommands("docs/pipelines.md", "docs/billing.md", "docs/providers.md");
