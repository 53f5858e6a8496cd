import { createConsumer } from "../../npm/testing/consumer.ts";
import { needsOnly, type OldProgram, toJavaScript } from "../../npm/testing/old_programs.ts";
import { NPM_TARGETS } from "../../npm/package_manifest.ts";
import { codeBlocks } from "../../../test_support/markdown.ts";
import { ROOT } from "../../../test_support/root.ts";
import { type CheckedOut, checkOut, run } from "./check_out.ts";
import { RELEASE } from "./record_release.ts";

/** Leaves the programs of the npm packages' READMEs, and what they print with these packages. */
export async function recordPages(): Promise<void> {
  await using sources = await checkOut(RELEASE);
  await run(Deno.execPath(), ["run", "-A", "scripts/build_npm.ts"], { cwd: sources.path });
  for (const target of NPM_TARGETS) await recordPage(sources, target.folder);
}

async function recordPage({ path }: CheckedOut, folder: string): Promise<void> {
  const readme = await Deno.readTextFile(`${path}/${folder}/README.md`);
  const blocks = codeBlocks(readme).filter(({ language, info }) => language === "ts" && !info);
  const programs = blocks.map(({ code }, at) => ({ name: `readme_${at + 1}`, code }));
  const name = `@trestle/${folder.replaceAll("_", "-")}`;
  const archive = `${path}/dist/npm/trestle-${folder.replaceAll("_", "-")}-0.1.0.tgz`;
  const peers = PEERS[folder] ?? [];
  await using consumer = await createConsumer([archive, ...peers]);
  const known = [name, ...peers.map((peer) => peer.replace(/@[^@]*$/, ""))];
  const target = `${ROOT}/${folder}/testdata/version_0_1_0`;
  await Deno.mkdir(target, { recursive: true });
  for (const program of programs) {
    await Deno.writeTextFile(`${target}/${program.name}.ts`, program.code);
    if (needsOnly(program, known)) await recordOutput(program);
  }

  async function recordOutput(program: OldProgram): Promise<void> {
    const output = await consumer.runNode(`${program.name}.mjs`, toJavaScript(program));
    await Deno.writeTextFile(`${target}/${program.name}.txt`, output);
  }
}

/** What its users have installed with each package. */
const PEERS: Readonly<Record<string, readonly string[]>> = {
  api_wrapper: ["axios@1.21.1", "vue@3.5.45"],
  mirage_graphql: ["graphql@17.1.0", "miragejs@0.1.48"],
};
