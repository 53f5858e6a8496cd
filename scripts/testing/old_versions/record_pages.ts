import { type Consumer, createConsumer } from "../../npm/testing/consumer.ts";
import { needsOnly, type OldProgram, toJavaScript } from "../../npm/testing/old_programs.ts";
import { NPM_TARGETS } from "../../npm/package_manifest.ts";
import { codeBlocks } from "../../../test_support/markdown.ts";
import { ROOT } from "../../../test_support/root.ts";
import { type CheckedOut, checkOut, run } from "./check_out.ts";

/** A version whose packages are built from a commit. */
export interface OldPackages {
  readonly version: string;
  readonly commit: string;
}

/** The npm packages that there were then. */
const FOLDERS = ["api_wrapper", "mirage_graphql"];

/**
 * Leaves the programs of the npm packages' pages that run alone and print the same each time, and
 * what they print with the packages of their version.
 */
export async function recordPages(old: OldPackages): Promise<void> {
  await using sources = await checkOut(old.commit);
  await run(Deno.execPath(), ["run", "-A", "scripts/build_npm.ts"], { cwd: sources.path });
  for (const { folder } of NPM_TARGETS) {
    if (FOLDERS.includes(folder)) await recordPackage(sources, old, folder);
  }
}

async function recordPackage(
  { path }: CheckedOut,
  { version }: OldPackages,
  folder: string,
): Promise<void> {
  const name = `@trestle/${folder.replaceAll("_", "-")}`;
  const archive = `${path}/dist/npm/trestle-${folder.replaceAll("_", "-")}-${version}.tgz`;
  const peers = PEERS[folder] ?? [];
  await using consumer = await createConsumer([archive, ...peers]);
  const known = [name, ...peers.map((peer) => peer.replace(/@[^@]*$/, ""))];
  const target = `${ROOT}/${folder}/testdata/version_${version.replaceAll(".", "_")}`;
  await Deno.mkdir(target, { recursive: true });
  for (const program of await programsOf(`${path}/${folder}`)) {
    const output = needsOnly(program, known) ? await outputOf(consumer, program) : undefined;
    if (output === undefined) continue;
    await Deno.writeTextFile(`${target}/${program.name}.ts`, program.code);
    await Deno.writeTextFile(`${target}/${program.name}.txt`, output);
  }
}

/** The programs of the pages of a package, in their order, each page's beginning with 1. */
async function programsOf(folder: string): Promise<OldProgram[]> {
  const docs = await Array.fromAsync(Deno.readDir(`${folder}/docs`), ({ name }) => name)
    .catch((): string[] => []);
  const pages = ["README.md", ...docs.filter((file) => file.endsWith(".md")).sort()];
  const programs = await Promise.all(pages.map(async (page) => {
    const path = page === "README.md" ? `${folder}/${page}` : `${folder}/docs/${page}`;
    const blocks = codeBlocks(await Deno.readTextFile(path))
      .filter(({ language, info }) => language === "ts" && !info);
    const name = page.slice(0, -".md".length).toLowerCase().replaceAll("-", "_");
    return blocks.map(({ code }, at) => ({ name: `${name}_${at + 1}`, code }));
  }));
  return programs.flat();
}

/** What a program prints, unless it fails or prints something else the next time. */
async function outputOf(consumer: Consumer, program: OldProgram): Promise<string | undefined> {
  const runOnce = () => consumer.runNode(`${program.name}.mjs`, toJavaScript(program));
  try {
    const output = await runOnce();
    return await runOnce() === output ? output : undefined;
  } catch {
    // Such as one that continues the program before it.
    return undefined;
  }
}

/** What its users have installed with each package. */
const PEERS: Readonly<Record<string, readonly string[]>> = {
  api_wrapper: ["axios@1.21.1", "vue@3.5.45"],
  mirage_graphql: ["graphql@17.1.0", "miragejs@0.1.48"],
};
