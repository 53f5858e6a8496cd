import type { Architecture } from "./targets.ts";
import { TARGETS } from "./targets.ts";

/** What goes into the program. */
export interface ProgramParts {
  /** The file that runs first. */
  readonly entry: string;
  /** Modules that are loaded by computed names. */
  readonly modules: readonly string[];
  /** Paths of what shall not be embedded. */
  readonly excluded: readonly string[];
  /** Flags of what the program may do, which can't be changed later. */
  readonly permissions: readonly string[];
}

/** The arguments by which `deno` compiles a program for an architecture into a file. */
export function compileArgs(
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
