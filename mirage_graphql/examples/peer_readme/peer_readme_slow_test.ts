import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { pathToFileURL } from "node:url";
import { openPage } from "../../../test_support/browser/browser_page.ts";
import { bundle } from "../../../test_support/browser/bundle.ts";
import { requires } from "../../../test_support/services.ts";
import { createTempFolder } from "../../../test_support/temp_folder.ts";
import { createGraphQL16Copy } from "../../testing/graphql16/graphql16_copy.ts";
import answers from "./answers.json" with { type: "json" };
import { runExamples } from "./run_examples.js";

const MAIN = new URL("./main.js", import.meta.url);
const EXAMPLES = "the documented examples of @miragejs/graphql answer as documented";

Deno.test(`${EXAMPLES} on Deno`, async () => {
  deepStrictEqual(await runExamples(), answers);
});

Deno.test({
  ...requires("node", `${EXAMPLES} on Node with graphql 17`),
  fn: async () => deepStrictEqual(await runOnNode(await bundle(MAIN)), answers),
});

Deno.test({
  ...requires("node", `${EXAMPLES} on Node with graphql 16`),
  fn: async () => {
    await using copy = await createGraphQL16Copy();
    const main = pathToFileURL(`${copy.folder}/examples/peer_readme/main.js`);
    const module = await bundle(main, { config: copy.config });
    deepStrictEqual(new Set(module.match(/(?<=\/graphql\/)\d+/g)), new Set(["16"]));
    deepStrictEqual(await runOnNode(module), answers);
  },
});

Deno.test({
  ...requires("chromium", `${EXAMPLES} in Chromium`),
  fn: async () => {
    await using tab = await openPage(MAIN);
    const text = await tab.page.locator("#app:not(:empty)").textContent();
    deepStrictEqual(JSON.parse(text ?? ""), answers);
    deepStrictEqual([tab.consoleErrors, tab.pageErrors], [[], []]);
  },
});

async function runOnNode(module: string): Promise<unknown> {
  await using folder = await createTempFolder();
  const path = `${folder.path}/main.mjs`;
  await Deno.writeTextFile(path, module);
  const { success, stdout, stderr } = await new Deno.Command("node", { args: [path] }).output();
  const decoder = new TextDecoder();
  strictEqual(success, true, decoder.decode(stderr));
  return JSON.parse(decoder.decode(stdout));
}
