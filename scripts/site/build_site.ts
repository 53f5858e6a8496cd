import { ROOT } from "../../test_support/root.ts";
import { createTempFolder } from "../../test_support/temp_folder.ts";
import {
  buildExample,
  copyFolder,
  installPackages,
  packForExample,
} from "../example/example_app.ts";
import { runProgram } from "../run_program.ts";
import type { HomeAction } from "./home.ts";
import type { SitePage } from "./pages.ts";
import { stagePages } from "./stage_pages.ts";

/** What the site has besides its pages. */
export type SitePart = "example" | "playground";

/** The parts that a build has, with the links to them. */
const PARTS: Readonly<Record<SitePart, HomeAction>> = {
  playground: { text: "Playground", link: "/playground/", target: "_self" },
  example: { text: "Example", link: "/example/", target: "_self" },
};

/** How the site is built. */
export interface BuildSiteOptions {
  /** Folder of the site's files, which is made anew. */
  readonly output: string;
  /** The path that it will be served at, with a slash at both ends. @default {"/"} */
  readonly base?: string;
  /** Its parts besides the pages; no page links to one that is left out. @default {those there are} */
  readonly parts?: readonly SitePart[];
  /** Archives of the packages that the example is built with. @default {packed for it} */
  readonly packages?: readonly string[];
  /** Ends the build. */
  readonly signal: AbortSignal;
  /** Gets what the programs print. @default {nothing is kept} */
  readonly report?: (text: string) => void;
}

/**
 * Builds the documentation site, with VitePress, from the repository's Markdown files and JSDoc.
 * Resolves with its pages; rejects if a page can't be built or has a dead link.
 */
export async function buildSite(options: BuildSiteOptions): Promise<readonly SitePage[]> {
  const { output, base = "/", signal, report = () => {} } = options;
  if (!/^\/(?:[\w.~-]+\/)*$/.test(base)) {
    throw new RangeError(`Cannot use the base "${base}": it must begin and end with a slash`);
  }
  const parts = options.parts ?? await partsThere();
  await using staged = await createTempFolder();
  const pages = await stagePages(ROOT, staged.path, {
    base,
    parts: parts.map((part) => PARTS[part]),
  });
  // The pages import Vue, from where they are.
  await Deno.symlink(`${SITE}/node_modules`, `${staged.path}/node_modules`);
  const run = async (folder: string, program: string, args: string[], env = {}) => {
    await installPackages(folder);
    const bin = `${folder}/node_modules/.bin/${program}`;
    const code = await runProgram(bin, args, { signal, cwd: folder, env, output: report });
    if (code !== 0) throw new Error(`Cannot build "${folder}": ${program} ended with ${code}`);
  };
  await run(SITE, "vitepress", ["build", "--outDir", output], {
    SITE_STAGED: staged.path,
    SITE_BASE: base,
  });
  if (parts.includes("example")) {
    await using packed = await createTempFolder();
    const packages = options.packages ?? await packForExample(packed.path);
    await using example = await buildExample(packages, `${base}example/`);
    await copyFolder(example.site, `${output}/example`);
  }
  if (parts.includes("playground")) {
    await run(PLAYGROUND, "vite", ["build", "--outDir", `${output}/playground`]);
  }
  return pages;
}

const SITE = `${ROOT}/site`;
const PLAYGROUND = `${SITE}/playground`;

async function partsThere(): Promise<SitePart[]> {
  const there = await Deno.stat(`${PLAYGROUND}/package.json`).then(() => true, () => false);
  return there ? ["playground", "example"] : ["example"];
}
