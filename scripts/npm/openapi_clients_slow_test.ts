import { deepStrictEqual } from "node:assert/strict";
import { BUILT_IN_TOOLS } from "../../mcp_server/testing/built_in_tools.ts";
import { startServer } from "../../mcp_server/testing/server_process.ts";
import { requires } from "../../test_support/services.ts";
import { createTempFolder } from "../../test_support/temp_folder.ts";
import { type Consumer, createConsumer } from "./testing/consumer.ts";
import { CLIENTS, LINT, STRICT_SCHEMAS } from "./testing/openapi_programs.ts";

const TOKEN = "open-sesame-open-sesame";

/** Exact versions, so that a new release can't fail the tests without a change here. */
const PACKAGES = [
  "@hey-api/openapi-ts@0.95.0",
  "@redocly/openapi-core@2.64.0",
  "@stoplight/spectral-core@1.24.1",
  "@stoplight/spectral-rulesets@1.23.1",
  "ajv@8.20.0",
  "openapi-fetch@0.17.0",
  "openapi-typescript@7.13.0",
  "typescript@5.9.3",
];

async function download(url: string, file: string): Promise<void> {
  const response = await fetch(url, { headers: { authorization: `Bearer ${TOKEN}` } });
  await Deno.writeTextFile(file, await response.text());
}

/** Runs a TypeScript program of the project with Deno, because Node can't run it. */
async function runTypeScript({ folder }: Consumer, file: string): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--quiet", "--no-check", "--no-lock", "--unstable-sloppy-imports", file],
    cwd: folder,
  }).output();
  const decoder = new TextDecoder();
  if (!success) throw new Error(`Cannot run "${file}": ${decoder.decode(stderr)}`);
  return decoder.decode(stdout);
}

const NAME = "GET /openapi.json passes linters, and generated clients compile and call the server";

Deno.test({
  ...requires("node", NAME),
  fn: async (t) => {
    await using data = await createTempFolder();
    await using server = await startServer({
      env: { MCP_TOKEN: TOKEN, MCP_DATA_DIR: data.path },
    });
    await using consumer = await createConsumer(PACKAGES);
    const { folder } = consumer;
    await download(`${server.url}/openapi.json`, `${folder}/openapi.json`);
    await download(`${server.url}/api/tools`, `${folder}/tools.json`);

    await t.step("redocly and spectral find no error", async () => {
      const found: [linter: string, rule: string][] = JSON.parse(
        await consumer.runNode("lint.mjs", LINT),
      );
      // The reader runs the server, so there is no contact to name.
      deepStrictEqual(found, [["spectral", "info-contact"]]);
    });

    await t.step("every schema of every tool compiles in ajv's strict mode", async () => {
      deepStrictEqual(JSON.parse(await consumer.runNode("ajv.mjs", STRICT_SCHEMAS)), {
        compiled: 2 * BUILT_IN_TOOLS.length,
        faults: [],
      });
    });

    for (const { generator, generate, file, program } of CLIENTS) {
      await t.step(
        `a client of ${generator} compiles with tsc --strict and calls the server`,
        async () => {
          await consumer.runNode("generate.mjs", generate);
          await Deno.writeTextFile(`${folder}/${file}`, program(server.url, TOKEN));
          deepStrictEqual(await consumer.compile([file], "bundler"), []);
          deepStrictEqual(JSON.parse(await runTypeScript(consumer, file)), {
            stdout: "hello\n",
            refused: "INVALID_ARGUMENTS",
            tools: BUILT_IN_TOOLS.length,
            health: "ok",
            isSame: true,
          });
        },
      );
    }
  },
});
