import { testDocumentedCommands } from "../../support/doc-commands.ts";

testDocumentedCommands("README.md", "docs/getting-started.md");
