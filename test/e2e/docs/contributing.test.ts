import { testDocumentedCommands } from "../../support/doc-commands.ts";

testDocumentedCommands("CONTRIBUTING.md");
