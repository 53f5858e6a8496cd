import { join } from "node:path";

/** How a program is started, and what shows that it works. */
export interface StartOptions {
  readonly cwd: string;
  /** The folder that is Deno's cache. */
  readonly cache: string;
  /** Settings of the program. @default {{}} */
  readonly env?: Readonly<Record<string, string>>;
  /** What the program writes to stdout once it works. */
  readonly ready: RegExp;
  /** The text for its stdin, which stays open. @default {""} */
  readonly input?: string;
}

/** What a start adds to an empty cache. */
export interface Downloads {
  /** The packages as `name/version`, in their order. */
  readonly packages: readonly string[];
  /** Size of the packages and their registry metadata. */
  readonly bytes: number;
}

const DEADLINE_MS = 300_000;

/** Starts a program of Deno's, waits until it works, and stops it. */
export async function startOnce(args: readonly string[], options: StartOptions): Promise<void> {
  const { cwd, cache, env = {}, ready, input = "" } = options;
  const child = new Deno.Command(Deno.execPath(), {
    args: [...args],
    cwd,
    env: { NO_COLOR: "1", ...env, DENO_DIR: cache },
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
    signal: AbortSignal.timeout(DEADLINE_MS),
  }).spawn();
  const errors = new Response(child.stderr).text();
  const stdin = child.stdin.getWriter();
  await stdin.write(new TextEncoder().encode(input));
  let output = "";
  for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
    output += text;
    if (ready.test(output)) break;
  }
  await stdin.close().catch(() => {});
  if (ready.test(output)) child.kill();
  await child.status;
  if (ready.test(output)) return void await errors;
  throw new Error(`Cannot start "deno ${args.join(" ")}": ${await errors}`);
}

/** Lists the npm packages in a cache. */
export async function readDownloads(cache: string): Promise<Downloads> {
  const packages: string[] = [];
  let bytes = 0;
  async function read(folder: string, name: string | undefined): Promise<void> {
    const entries = await Array.fromAsync(Deno.readDir(folder));
    const isPackage = name !== undefined && entries.some(({ name }) => name === "package.json");
    if (isPackage) packages.push(name);
    for (const entry of entries) {
      const path = join(folder, entry.name);
      if (!entry.isDirectory) bytes += (await Deno.lstat(path)).size;
      else await read(path, isPackage ? undefined : name && join(name, entry.name));
    }
  }
  const npm = join(cache, "npm");
  for (const registry of await entriesOf(npm)) await read(join(npm, registry), ".");
  return { packages: packages.sort(), bytes };
}

/** The names in a folder; none if it is missing. */
async function entriesOf(folder: string): Promise<string[]> {
  try {
    return (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}
