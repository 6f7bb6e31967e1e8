import { testDocumentedCommands } from "../../support/doc-commands.ts";

testDocumentedCommands("docs/api.md");
