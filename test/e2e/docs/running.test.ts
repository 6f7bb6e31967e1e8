import { testDocumentedCommands } from "../../support/doc-commands.ts";

testDocumentedCommands("docs/operations.md", "docs/pipelines.md", "docs/billing.md", "docs/providers.md");
