import { ok } from "node:assert/strict";
import { ROOT } from "../../test_support/root.ts";
import { requires } from "../../test_support/services.ts";
import { createTempFolder } from "../../test_support/temp_folder.ts";
import { buildPackage } from "./build_package.ts";
import { NPM_TARGETS } from "./package_manifest.ts";
import { createConsumer } from "./testing/consumer.ts";

/** The tests of the program, which run with any that `SERVE_PROGRAM` names. */
const SUITE = ["program", "requests", "sources", "watches"].map((part) =>
  `mirage_graphql/features/serving_${part}_test.ts`
);

/** Each is a package of npm that has the program of Node. */
const VERSIONS = ["20.19", "22", "24"];
const NODE = `node-linux-${Deno.build.arch === "aarch64" ? "arm64" : "x64"}`;

/** Runs the suite; its temporary folders are in a project, so that config files find packages. */
async function runSuite(
  program: readonly string[],
  { project, readsTypes }: { readonly project: string; readonly readsTypes: boolean },
): Promise<void> {
  const command = new Deno.Command(Deno.execPath(), {
    args: ["test", "-A", "--no-check", "--quiet", ...SUITE],
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

Deno.test({
  ...requires("node", "the npm package's serve passes the tests of serve on Node"),
  ignore: Deno.build.os !== "linux",
  fn: async (t) => {
    const target = NPM_TARGETS.find(({ folder }) => folder === "mirage_graphql");
    ok(target !== undefined);
    await using output = await createTempFolder();
    const { tarball } = await buildPackage(ROOT, target, output.path);
    const peers = ["graphql", "miragejs", "@graphql-yoga/render-graphiql"];
    const nodes = VERSIONS.map((version) => `node-${version}@npm:${NODE}@${version}`);
    await using consumer = await createConsumer("app", [tarball, ...peers, ...nodes]);
    const project = consumer.folder;
    const installed = `${project}/node_modules`;
    for (const version of VERSIONS) {
      await t.step(`Node ${version}`, async () => {
        const node = `${installed}/node-${version}/bin/node`;
        const program = [node, `${installed}/.bin/mirage-graphql`, "serve"];
        await runSuite(program, { project, readsTypes: version !== "20.19" });
      });
    }
  },
});
