import { deepStrictEqual, ok } from "node:assert/strict";
import { ROOT } from "../../test_support/root.ts";
import { requires } from "../../test_support/services.ts";
import { createTempFolder } from "../../test_support/temp_folder.ts";
import { builtPackage } from "./testing/built_package.ts";
import { startRegistry } from "./testing/local_registry.ts";
import { createMockProject } from "./testing/mock_project.ts";
import { nodeProgram, NODES } from "./testing/node_program.ts";

/** The tests of the program, which run with any that `SERVE_PROGRAM` names. */
const SUITE = ["program", "requests", "sources", "watches"].map((part) =>
  `mirage_graphql/features/serving_${part}_test.ts`
);

/** What each version of Node runs: the oldest what needs its streams, files, watchers and signals. */
const SUITES: Readonly<Record<typeof NODES[number], readonly string[]>> = {
  "20.19": [...SUITE.slice(0, 1), "--filter=/^serve (answers|reads changed|ends at once)/"],
  "24": SUITE,
};

/** Runs the suite; its temporary folders are in a project, so that config files find packages. */
async function runSuite(
  suite: readonly string[],
  program: readonly string[],
  { project, readsTypes }: { readonly project: string; readonly readsTypes: boolean },
): Promise<void> {
  const command = new Deno.Command(Deno.execPath(), {
    args: ["test", "-A", "--no-check", "--quiet", ...suite],
    cwd: ROOT,
    env: {
      NO_COLOR: "1",
      TMPDIR: project,
      SERVE_PROGRAM: JSON.stringify(program),
      SERVE_TYPESCRIPT: readsTypes ? "yes" : "no",
    },
    stdin: "null",
  });
  const { success, stdout, stderr } = await command.output();
  const decoder = new TextDecoder();
  ok(success, decoder.decode(stdout) + decoder.decode(stderr));
}

/** The limit of what npx downloads, packages as they are packed and their descriptions. */
const MOST_BYTES = 10_000_000;

Deno.test({
  ...requires("node", "npx serves a schema in an empty home, from one line"),
  ignore: Deno.build.os !== "linux",
  fn: async () => {
    await using home = await createTempFolder();
    await using built = await builtPackage("mirage_graphql");
    await using registry = await startRegistry(built);
    await Deno.writeTextFile(`${home.path}/schema.graphql`, "type Query { version: String! }");
    const env = {
      HOME: home.path,
      NO_COLOR: "1",
      npm_config_cache: `${home.path}/cache`,
      npm_config_loglevel: "error",
      npm_config_registry: registry.url,
    };
    const args = ["-y", "@trestle/mirage-graphql", "serve", "schema.graphql", "--port", "0"];
    const command = new Deno.Command("npx", {
      args,
      cwd: home.path,
      env,
      stdin: "null",
      stdout: "piped",
      stderr: "inherit",
      detached: true,
    });
    const child = command.spawn();
    try {
      const line = await firstText(child.stdout);
      const [, url] = /^Serving schema.graphql at (http:\S+): no records\n$/.exec(line) ?? [];
      ok(url !== undefined, line);
      const response = await fetch(`${url}?query={__typename}`);
      deepStrictEqual(await response.json(), { data: { __typename: "Query" } });
    } finally {
      Deno.kill(-child.pid, "SIGTERM");
      await child.status;
    }
    const bytes = await sizeOf(`${home.path}/cache/_cacache/content-v2`);
    ok(bytes < MOST_BYTES, `${bytes} bytes`);
  },
});

/** The first text of a stream. */
async function firstText(stream: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<string> {
  for await (const text of stream.pipeThrough(new TextDecoderStream())) return text;
  return "";
}

async function sizeOf(folder: string): Promise<number> {
  let size = 0;
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = `${folder}/${name}`;
    size += isDirectory ? await sizeOf(path) : (await Deno.stat(path)).size;
  }
  return size;
}

Deno.test({
  ...requires("node", "the npm package's serve passes the tests of serve on Node"),
  ignore: Deno.build.os !== "linux",
  fn: async (t) => {
    await using project = await createMockProject();
    for (const version of NODES) {
      await t.step(`Node ${version}`, async () => {
        await using node = await nodeProgram(version);
        const program = [`${node.folder}/node`, `${project.packages}/.bin/mirage-graphql`, "serve"];
        const readsTypes = version !== "20.19";
        await runSuite(SUITES[version], program, { project: project.folder, readsTypes });
      });
    }
  },
});
