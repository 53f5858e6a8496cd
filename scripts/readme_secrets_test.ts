import { deepStrictEqual } from "node:assert/strict";
import { startServer } from "../mcp_server/testing/server_process.ts";
import { codeBlocks } from "../test_support/markdown.ts";
import { ROOT } from "../test_support/root.ts";
import { requires } from "../test_support/services.ts";
import { createTempFolder } from "../test_support/temp_folder.ts";

const PAGE = `${ROOT}/mcp_server/docs/secrets.md`;
const ADDRESS = "http://127.0.0.1:1234";

Deno.test({
  ...requires(
    "curl",
    "the file in docs/secrets.md can be used, and its call returns what it shows",
  ),
  fn: async () => {
    const blocks = codeBlocks(await Deno.readTextFile(PAGE));
    const [file = "", answer = ""] = blocks.filter(({ language }) => language === "json")
      .map(({ code }) => code);
    const call = blocks.find(({ code }) => code.startsWith("args="))?.code ?? "";

    await using folder = await createTempFolder();
    const path = `${folder.path}/secrets.json`;
    await Deno.writeTextFile(path, file, { mode: 0o600 });
    await using server = await startServer({ args: ["--secrets", path] });
    const { stdout } = await new Deno.Command("bash", {
      args: ["-euc", call.replaceAll(ADDRESS, server.url)],
    }).output();
    deepStrictEqual(JSON.parse(new TextDecoder().decode(stdout)), JSON.parse(answer));
  },
});
