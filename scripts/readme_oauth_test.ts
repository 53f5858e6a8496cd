import { deepStrictEqual, fail } from "node:assert/strict";
import { startIssuer } from "../mcp_server/testing/issuer.ts";
import { startServer } from "../mcp_server/testing/server_process.ts";
import { codeBlocks } from "../test_support/markdown.ts";
import { ROOT } from "../test_support/root.ts";
import { requires } from "../test_support/services.ts";
import { createTempFolder } from "../test_support/temp_folder.ts";

const PAGE = `${ROOT}/mcp_server/docs/oauth.md`;
/** The issuer and the server of the page. */
const ISSUER = "https://login.example.org";
const ADDRESS = "http://127.0.0.1:1234";

Deno.test({
  ...requires("curl", "the setup in docs/oauth.md is complete, and its call returns what it shows"),
  fn: async () => {
    const blocks = codeBlocks(await Deno.readTextFile(PAGE));
    const [setup, call, answer] = blocks.map(({ code }) => code);
    const settings = [...(setup ?? "").matchAll(/^(MCP_\w+)=(\S+)/gm)]
      .map(([, name = "", value = ""]) => [name, value] as const);
    const { MCP_OAUTH_RESOURCE: resource = fail("no resource") } = Object.fromEntries(settings);

    await using issuer = await startIssuer(resource);
    await using folder = await createTempFolder();
    const env = Object.fromEntries(
      settings.map(([name, value]) => [name, value.replace(ISSUER, issuer.url)]),
    );
    await using server = await startServer({
      env: { ...env, MCP_DATA_DIR: `${folder.path}/data` },
    });
    await Deno.writeTextFile(`${folder.path}/token`, await issuer.sign());
    const { stdout } = await new Deno.Command("bash", {
      args: ["-euc", (call ?? "").replaceAll(ADDRESS, server.url)],
      cwd: folder.path,
    }).output();
    deepStrictEqual(JSON.parse(new TextDecoder().decode(stdout)), JSON.parse(answer ?? ""));
  },
});
