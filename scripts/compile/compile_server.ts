import { findProgramParts, type ProgramParts } from "./program_parts.ts";
import { type Architecture, architectureOf, TARGETS } from "./targets.ts";

/** Where the program goes, and what it is made of. */
export interface CompileOptions {
  /** Folder of the repository. */
  readonly root: string;
  /** Folder that gets the programs. */
  readonly folder: string;
  /** What to compile for; if a base program is given, only its architecture is compiled. */
  readonly architectures: readonly Architecture[];
  /** Path of a base program (`denort`), if Deno is not to download it. */
  readonly basePath?: string;
}

const HEADER_BYTES = 64;

/**
 * Compiles the server into one program for each architecture, `trestle-mcp-<architecture>`; the one
 * for this machine is also written as `trestle-mcp`. Resolves with the paths. Rejects with one line
 * that says what is missing.
 */
export async function compileServer(options: CompileOptions): Promise<string[]> {
  const { root, folder, basePath } = options;
  const architectures = await withBase(options.architectures, basePath);
  const parts = await findProgramParts(root);
  await Deno.mkdir(folder, { recursive: true });
  const made: string[] = [];
  for (const architecture of architectures) {
    const output = `${folder}/trestle-mcp-${architecture}`;
    await compile(compileArgs(parts, { architecture, output }), architecture, options);
    made.push(output);
    if (architecture === Deno.build.arch) made.push(await copyAs(output, `${folder}/trestle-mcp`));
  }
  return made;
}

/** A base program is built for one architecture, which its header names. */
async function withBase(
  architectures: readonly Architecture[],
  basePath: string | undefined,
): Promise<readonly Architecture[]> {
  if (basePath === undefined) return architectures;
  const built = architectureOf(await readHeader(basePath));
  const matching = architectures.filter((architecture) => architecture === built);
  if (matching.length > 0) return matching;
  const names = architectures.join(" or ");
  throw new RangeError(
    `Cannot use DENORT_BIN "${basePath}": it is not a Linux program for ${names}`,
  );
}

async function readHeader(path: string): Promise<Uint8Array> {
  try {
    using file = await Deno.open(path);
    const header = new Uint8Array(HEADER_BYTES);
    return header.subarray(0, await file.read(header) ?? 0);
  } catch (cause) {
    const why = cause instanceof Deno.errors.NotFound ? "it does not exist" : "it can't be read";
    throw new RangeError(`Cannot use DENORT_BIN "${path}": ${why}`, { cause });
  }
}

/** The arguments by which `deno` compiles a program for an architecture into a file. */
function compileArgs(
  { entry, modules, excluded, permissions }: ProgramParts,
  { architecture, output }: { architecture: Architecture; output: string },
): string[] {
  return [
    "compile",
    "--no-prompt",
    "--node-modules-dir=none",
    "--exclude-unused-npm",
    ...permissions,
    `--target=${TARGETS[architecture].triple}`,
    ...modules.map((module) => `--include=${module}`),
    ...excluded.map((path) => `--exclude=${path}`),
    `--output=${output}`,
    entry,
  ];
}

async function compile(
  args: readonly string[],
  architecture: Architecture,
  { root, basePath }: CompileOptions,
): Promise<void> {
  const command = new Deno.Command(Deno.execPath(), {
    args: [...args],
    cwd: root,
    env: { NO_COLOR: "1", ...(basePath === undefined ? {} : { DENORT_BIN: basePath }) },
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  });
  const { success, stderr } = await command.output();
  if (success) return;
  throw new Error(faultOf(new TextDecoder().decode(stderr), architecture));
}

/**
 * Distinguishes a failed download, which the user can fix, from what Deno reports about the
 * sources.
 */
export function faultOf(report: string, architecture: Architecture): string {
  const what = `Cannot compile for ${architecture}`;
  const url = /https?:\/\/\S+\/denort-[\w-]+\.zip/.exec(report)?.[0];
  if (url === undefined || !report.includes("base binary")) return `${what}: ${report.trim()}`;
  return `${what}: the base program can't be downloaded from ${url}; ` +
    `obtain it in another way, unpack it and set DENORT_BIN to its path`;
}

async function copyAs(file: string, path: string): Promise<string> {
  await Deno.copyFile(file, path);
  return path;
}
