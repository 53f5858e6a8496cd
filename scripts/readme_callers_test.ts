import { deepStrictEqual, ok } from "node:assert/strict";
import { parseCallers } from "../mcp_server/access/parse_callers.ts";
import { callersText, tokenOf } from "../mcp_server/testing/callers_file.ts";
import { startServer } from "../mcp_server/testing/server_process.ts";
import { codeBlocks } from "../test_support/markdown.ts";
import { ROOT } from "../test_support/root.ts";
import { requires } from "../test_support/services.ts";
import { createTempFolder } from "../test_support/temp_folder.ts";

const PAGE = `${ROOT}/mcp_server/docs/callers.md`;
const ADDRESS = "http://127.0.0.1:1234";

Deno.test({
  ...requires(
    "curl",
    "the file in docs/callers.md is complete, and its call returns what it shows",
  ),
  fn: async () => {
    const blocks = codeBlocks(await Deno.readTextFile(PAGE));
    const [file = "", answer = ""] = blocks.filter(({ language }) => language === "json")
      .map(({ code }) => code);
    const call = blocks.find(({ code }) => code.startsWith("token="))?.code ?? "";
    const { ci: { tokenSha256 } } = JSON.parse(file).callers;
    const own = JSON.parse(callersText({ ci: {} })).callers.ci.tokenSha256;

    await using folder = await createTempFolder();
    const path = `${folder.path}/callers.json`;
    await Deno.writeTextFile(path, file.replace(tokenSha256, own), { mode: 0o600 });
    await Deno.writeTextFile(`${folder.path}/token`, tokenOf("ci"));
    await using server = await startServer({ args: ["--callers", path] });
    const { stdout } = await new Deno.Command("bash", {
      args: ["-euc", call.replaceAll(ADDRESS, server.url)],
      cwd: folder.path,
    }).output();
    deepStrictEqual(JSON.parse(new TextDecoder().decode(stdout)), JSON.parse(answer));
  },
});

Deno.test("docs/callers.md has a row for each key of the file", async () => {
  const page = await Deno.readTextFile(PAGE);
  try {
    parseCallers('{"callers": {"ci": {"?": 1}}}');
    ok(false);
  } catch (error) {
    const [, keys = ""] = /the keys are (.*)$/.exec(String(error)) ?? [];
    const rows = [...page.matchAll(/^\| `(\w+)`/gm)].map(([, key]) => key);
    deepStrictEqual(rows, keys.split(", "));
  }
});
