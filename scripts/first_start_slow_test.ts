import { deepStrictEqual, fail, ok } from "node:assert/strict";
import { codeBlocks } from "../test_support/markdown.ts";
import { ROOT } from "../test_support/root.ts";
import { createTempFolder } from "../test_support/temp_folder.ts";
import { createCleanCheckout } from "./publish/testing/clean_checkout.ts";
import { sourceFiles } from "./source_files.ts";
import { readDownloads, startOnce } from "./testing/first_start.ts";

/** What a program may download when it is first started; all packages of the workspace are 228 MB. */
const MOST_PACKAGES = 40;
const MOST_BYTES = 20_000_000;

/** Packages that are downloaded only once they are needed. */
const ON_DEMAND = /^(jose|oidc-provider)\b/;

const INITIALIZE = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "test", version: "1" },
  },
});

/** The arguments of `deno` in every command of the pages that starts the tool server, without its own. */
async function serverStarts(): Promise<string[]> {
  const starts = new Set<string>();
  for (const path of await sourceFiles(ROOT, [".md"])) {
    for (const { code } of codeBlocks(await Deno.readTextFile(`${ROOT}/${path}`))) {
      for (const [, start = ""] of code.matchAll(START)) starts.add(start);
    }
  }
  ok(starts.size > 1, "the pages show how the tool server is started");
  return [...starts].sort();
}

/** A command that starts the server, up to its own arguments. */
const START = /\bdeno(?:@\S+)? ((?:run (?:-\S+ )*mcp_server\/main\.ts)|(?:task start))\b/g;

/** The arguments of `deno` by which a client starts it over stdio, in the configuration shown. */
async function stdioArgs(): Promise<string[]> {
  const blocks = codeBlocks(await Deno.readTextFile(`${ROOT}/mcp_server/docs/clients.md`));
  const shown = blocks.map(({ code }) => /"args": (\[.*"run".*--stdio"\])/.exec(code)?.[1]);
  const args: string[] = JSON.parse(shown.find(Boolean) ?? fail("clients.md shows --stdio"));
  return args.slice(args.indexOf("run")).map((arg) => arg.replace("/path/to/trestle/", ""));
}

/** What starts a program, and shows that it works. */
interface Start {
  readonly args: readonly string[];
  readonly ready: RegExp;
  readonly input?: string;
}

/** The ways of starting each program that the pages show. */
const PROGRAMS: Readonly<Record<string, readonly Start[]>> = {
  "the tool server": [
    ...(await serverStarts()).map((start) => ({
      args: start.split(" "),
      ready: /\/mcp and \/api/,
    })),
    { args: await stdioArgs(), ready: /"serverInfo"/, input: `${INITIALIZE}\n` },
  ],
  "the program that serves a mock": [{
    args: ["run", "-A", "mirage_graphql/serve.ts", "schema.graphql", "--port", "0"],
    ready: /^Serving schema\.graphql/,
  }],
};

Deno.test("the first start downloads only what the program needs, the next ones nothing", async (t) => {
  await using checkout = await createCleanCheckout(ROOT);
  const cwd = checkout.path;
  await Deno.writeTextFile(`${cwd}/schema.graphql`, "type Query { version: String! }");
  for (const [name, starts] of Object.entries(PROGRAMS)) {
    const [first] = starts;
    ok(first !== undefined);
    await using cache = await createTempFolder();
    const env = { MCP_PORT: "0", MCP_DATA_DIR: `${cache.path}/data` };
    const options = { cwd, env, cache: cache.path };
    let downloaded: readonly string[] = [];
    await t.step(`${name}, by deno ${first.args.join(" ")}`, async () => {
      await startOnce(first.args, { ...first, ...options });
      const { packages, bytes } = await readDownloads(cache.path);
      ok(packages.length > 0 && packages.length <= MOST_PACKAGES, packages.join(" "));
      deepStrictEqual(packages.filter((name) => ON_DEMAND.test(name)), []);
      ok(bytes <= MOST_BYTES, `${bytes} bytes: ${packages.join(" ")}`);
      downloaded = packages;
    });
    for (const { args, ...start } of starts) {
      await t.step(`again, by deno ${args.join(" ")}`, async () => {
        const [run = "", ...rest] = args;
        // all ways of starting it need the same, so that the first one to be used doesn't matter
        await startOnce([run, "--cached-only", ...rest], { ...start, ...options });
        deepStrictEqual((await readDownloads(cache.path)).packages, downloaded);
      });
    }
  }
});
