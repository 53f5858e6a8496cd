import { dirname } from "node:path/posix";
import { type CodeBlock, codeBlocks } from "../../../test_support/markdown.ts";
import { ROOT } from "../../../test_support/root.ts";
import { createTempFolder } from "../../../test_support/temp_folder.ts";
import { sourceFiles } from "../../source_files.ts";
import { NPM_TARGETS } from "../package_manifest.ts";
import { builtPackage } from "./built_package.ts";

/** A new Vite project that has the packages, with the READMEs' code in the files that they name. */
export interface ViteProject extends AsyncDisposable {
  readonly folder: string;
  /** Runs one of its programs; resolves with its output, rejects if it fails. */
  run(program: string, args: readonly string[], env?: Record<string, string>): Promise<string>;
}

const NPM_FLAGS = ["--no-audit", "--no-fund", "--prefer-offline", "--ignore-scripts"];
const PACKAGES = ["miragejs", "graphql", "axios", "vue"];

/** Creates the project as a front-end developer does: create, install, follow the READMEs. */
export async function createViteProject(): Promise<ViteProject> {
  await using stack = new AsyncDisposableStack();
  const temp = stack.use(await createTempFolder());
  const folder = `${temp.path}/app`;
  const create = ["create", "-y", "vite@9.3.0", "app", "--", "--template", "vue-ts"];
  const [, ...built] = await Promise.all([
    run(temp.path, "npm", [...create, "--no-interactive"]),
    builtPackage("mirage_graphql"),
    builtPackage("api_wrapper"),
  ]);
  for (const shared of built) stack.use(shared);
  const tarballs = built.map(({ tarball }) => tarball);
  await run(folder, "npm", ["install", ...NPM_FLAGS, ...tarballs, ...PACKAGES]);
  for (const [path, text] of Object.entries(await readmeFiles())) {
    await Deno.mkdir(dirname(`${folder}/src/${path}`), { recursive: true });
    await Deno.writeTextFile(`${folder}/src/${path}`, text);
  }
  const parts = stack.move();
  return {
    folder,
    run: (program, args, env) => run(folder, program, args, env),
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  };
}

/** The code blocks whose first line names their file, from `src/`, and the two components. */
async function readmeFiles(): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  const components = ["App.vue", "Posts.vue"];
  for (const { folder } of NPM_TARGETS) {
    for (const { language, code } of await blocksOf(folder)) {
      const path = language === "vue"
        ? components.shift()
        : /^\/\/ (?:src\/)?(\S+\.ts)\n/.exec(code)?.[1];
      if (path !== undefined) files[path] = code;
    }
  }
  return files;
}

/** The code blocks of a component's README, and of its further pages after that. */
async function blocksOf(folder: string): Promise<CodeBlock[]> {
  const docs = (await sourceFiles(ROOT, [".md"])).filter((page) =>
    // A recipe is a project of its own.
    page.startsWith(`${folder}/docs/`) && !page.startsWith(`${folder}/docs/recipes/`)
  );
  const pages = [`${folder}/README.md`, ...docs];
  const texts = await Promise.all(pages.map((page) => Deno.readTextFile(`${ROOT}/${page}`)));
  return texts.flatMap(codeBlocks);
}

async function run(
  cwd: string,
  program: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<string> {
  const command = new Deno.Command(program, { args: [...args], cwd, env, stdin: "null" });
  const { success, stdout, stderr } = await command.output();
  const decoder = new TextDecoder();
  const output = decoder.decode(stdout);
  if (success) return output;
  throw new Error(`Cannot run "${program} ${args.join(" ")}": ${output}${decoder.decode(stderr)}`);
}
