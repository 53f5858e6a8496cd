import { ToolError } from "../shared/error.ts";
import { findProgram } from "../shared/environment.ts";
import type { CommandSpec, TerminalSize } from "../tool/command.ts";

/** The program of util-linux that opens a terminal for a command (script(1)). */
const SCRIPT = "script";
/** What it runs the command with; nothing else of what it may log is kept. */
const [SHELL, NO_LOG] = ["/bin/sh", "/dev/null"];
/** A terminal that understands no control sequences, so that few are among the output. */
const TERM = "dumb";

/** Where the programs of a command are found, and what `SHELL` is for it. */
interface TerminalOptions {
  readonly path: string;
  readonly shell: string | undefined;
}

/**
 * The same command on a terminal of its own, which `script` passes its input to and takes its output
 * from. Rejects as the start of the command would if its program is missing, and with a `ToolError`
 * if `script` is.
 */
export async function onTerminal(
  spec: CommandSpec,
  { rows, cols }: TerminalSize,
  { path, shell }: TerminalOptions,
): Promise<CommandSpec> {
  const { program, args = [], cwd, env } = spec;
  await findProgram(program, { path, cwd });
  await findProgram(SCRIPT, { path, cwd }).catch((cause) => {
    throw new ToolError(
      `Cannot run ${JSON.stringify(program)} on a terminal: no script(1) on the server's PATH; ` +
        "install it with: apt-get install bsdutils, or leave out tty",
      { code: "NO_TERMINAL", cause },
    );
  });
  const command = [
    `stty rows ${rows} cols ${cols} 2>/dev/null`,
    shell === undefined ? "unset SHELL" : `SHELL=${quote(shell)}`,
    `exec ${[program, ...args].map(quote).join(" ")}`,
  ].join("\n");
  return {
    ...spec,
    program: SCRIPT,
    args: ["--quiet", "--return", "--command", command, NO_LOG],
    env: { TERM, ...env, SHELL },
  };
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
