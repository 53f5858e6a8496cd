import { dirname } from "node:path/posix";
import { builtPackage } from "../../npm/testing/built_package.ts";
import { installPackages } from "../../npm/testing/consumer.ts";
import { nodeProgram } from "../../npm/testing/node_program.ts";
import { createTempFolder } from "../../../test_support/temp_folder.ts";
import type { RecipeCommand, RecipePage } from "../recipe_page.ts";

/** A folder with the packages of several recipes, and a project each in it. */
export interface RecipeTree extends AsyncDisposable {
  /** Writes the files of a recipe's project, earlier ones replaced. */
  write(recipe: string, files: Readonly<Record<string, string>>): Promise<void>;
  /** Runs a command in a recipe's project to its end; rejects with its output if it fails. */
  run(recipe: string, command: RecipeCommand): Promise<void>;
  /** Starts a server in a recipe's project; resolves once it names its address. */
  serve(recipe: string, command: RecipeCommand): Promise<RecipeSite>;
}

/** A server that runs until the end of the block. */
export interface RecipeSite extends AsyncDisposable {
  /** Its address, with a slash at the end. */
  readonly url: string;
}

/** The package that the recipes are about: of it, the archive that would be published is installed. */
const OURS = "@trestle/mirage-graphql";

/** A bound, not an expectation. */
const DEADLINE_MS = 600_000;

const ADDRESS = /https?:\/\/(?:localhost|127\.0\.0\.1):\d+/;

/** Installs the packages of pages, ours as it is published, into a temporary folder. */
export async function createRecipeTree(pages: readonly RecipePage[]): Promise<RecipeTree> {
  await using stack = new AsyncDisposableStack();
  const { tarball } = stack.use(await builtPackage("mirage_graphql"));
  const { path: folder } = stack.use(await createTempFolder());
  // most programs need a newer one than that of Debian
  const node = stack.use(await nodeProgram("24"));
  const env = {
    ...Deno.env.toObject(),
    PATH: `${node.folder}:${Deno.env.get("PATH")}`,
    CI: "true",
    NO_COLOR: "1",
    NEXT_TELEMETRY_DISABLED: "1",
    NUXT_TELEMETRY_DISABLED: "1",
    NG_CLI_ANALYTICS: "false",
    STORYBOOK_DISABLE_TELEMETRY: "1",
  };
  await installPackages(folder, [tarball, ...packagesOf(pages)], env);
  const npx = ({ words, env: more }: RecipeCommand, recipe: string) => ({
    args: ["--no-install", ...words],
    options: { cwd: `${folder}/${recipe}`, env: { ...env, ...more } },
  });
  const owned = stack.move();
  return {
    async write(recipe, files) {
      const all = { "package.json": '{ "private": true, "type": "module" }', ...files };
      for (const [path, text] of Object.entries(all)) {
        const file = `${folder}/${recipe}/${path}`;
        await Deno.mkdir(dirname(file), { recursive: true });
        await Deno.writeTextFile(file, text);
      }
    },
    async run(recipe, command) {
      const { args, options } = npx(command, recipe);
      await runToEnd("npx", args, options);
    },
    serve(recipe, command) {
      const { args, options } = npx(command, recipe);
      return startSite(args, options);
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** The packages of all pages, each once: with its version if a page names one. */
function packagesOf(pages: readonly RecipePage[]): string[] {
  const specifiers: Record<string, string> = {};
  for (const specifier of pages.flatMap(({ packages }) => packages)) {
    const name = specifier.replace(/(?<=.)@.*$/, "");
    if (specifier !== name || specifiers[name] === undefined) specifiers[name] = specifier;
  }
  delete specifiers[OURS];
  return Object.values(specifiers);
}

interface RunOptions {
  readonly cwd: string;
  readonly env: Record<string, string>;
}

async function runToEnd(
  program: string,
  args: readonly string[],
  options: RunOptions,
): Promise<void> {
  const { success, stdout, stderr } = await new Deno.Command(program, {
    args: [...args],
    ...options,
    clearEnv: true,
    stdin: "null",
    signal: AbortSignal.timeout(DEADLINE_MS),
  }).output();
  const [text, errors] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  if (!success) throw new Error(`Cannot run "${[program, ...args].join(" ")}": ${text}${errors}`);
}

/** Starts a server as the leader of a process group, which ends with it. */
async function startSite(args: readonly string[], options: RunOptions): Promise<RecipeSite> {
  const child = new Deno.Command("npx", {
    args: [...args],
    ...options,
    clearEnv: true,
    stdin: "null",
    stdout: "piped",
    stderr: "inherit",
    detached: true,
  }).spawn();
  const named = Promise.withResolvers<string>();
  const read = (async () => {
    let output = "";
    for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
      output += text;
      const address = ADDRESS.exec(output)?.[0];
      if (address !== undefined) named.resolve(`${address}/`);
    }
    named.reject(new Error(`Cannot start "${args.join(" ")}": ${output}`));
  })();
  const stop = async () => {
    Deno.kill(-child.pid, "SIGKILL");
    await Promise.allSettled([read, child.status]);
  };
  try {
    return { url: await named.promise, [Symbol.asyncDispose]: stop };
  } catch (error) {
    await child.status;
    throw error;
  }
}
