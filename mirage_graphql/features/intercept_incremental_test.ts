import { deepStrictEqual } from "node:assert/strict";
import { openPage } from "../../test_support/browser/browser_page.ts";
import { bundle } from "../../test_support/browser/bundle.ts";
import { requires } from "../../test_support/services.ts";
import { createTempFolder } from "../../test_support/temp_folder.ts";
import { exerciseParts, EXPECTED_PARTS } from "../testing/clients/intercepted_parts.ts";

const PROGRAM = new URL("../testing/clients/parts_program.ts", import.meta.url);

Deno.test("clients read parts from a route of Mirage on Deno", async () => {
  deepStrictEqual(await exerciseParts(), EXPECTED_PARTS);
});

Deno.test({
  ...requires("chromium", "clients read parts from a route of Mirage in Chromium"),
  fn: async () => {
    await using tab = await openPage(PROGRAM);
    await tab.page.waitForFunction("document.title.startsWith('{')");
    deepStrictEqual(JSON.parse(await tab.page.title()), EXPECTED_PARTS);
    deepStrictEqual([tab.consoleErrors, tab.pageErrors, tab.failedRequests], [[], [], []]);
  },
});

Deno.test({
  ...requires("node", "clients read parts from a route of Mirage on Node"),
  fn: async () => {
    await using folder = await createTempFolder();
    const file = `${folder.path}/program.mjs`;
    await Deno.writeTextFile(file, await bundle(PROGRAM));
    const { stdout, stderr } = await new Deno.Command("node", {
      args: [file],
      signal: AbortSignal.timeout(120_000),
    }).output();
    const decoder = new TextDecoder();
    deepStrictEqual(
      [JSON.parse(decoder.decode(stdout) || "null"), decoder.decode(stderr)],
      [EXPECTED_PARTS, ""],
    );
  },
});
