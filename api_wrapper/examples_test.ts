import { deepStrictEqual } from "node:assert/strict";
import { run as runJavaScript } from "./examples/javascript/main.js";
import { run as runTypeScript } from "./examples/typescript/main.ts";
import { servePostsSite } from "./testing/posts_site.ts";
import { EXPECTED_OUTPUT } from "./testing/expected_output.ts";

for (
  const [language, run] of [["TypeScript", runTypeScript], ["JavaScript", runJavaScript]] as const
) {
  for (const adapter of ["http", "fetch"] as const) {
    Deno.test(`the recommended set-up in ${language} runs on Deno, adapter ${adapter}`, async () => {
      await using site = servePostsSite();
      const output = await run(site.url, adapter);
      deepStrictEqual(JSON.parse(JSON.stringify(output)), EXPECTED_OUTPUT);
    });
  }
}
