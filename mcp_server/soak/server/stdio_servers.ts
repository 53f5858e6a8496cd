import { serverCommand } from "../../testing/server_process.ts";

/** How servers over stdio are started, and what they leave. */
export interface StdioServers {
  readonly env: Readonly<Record<string, string>>;
  /** A script that starts a server, and writes down its process id, its stderr and its exit code. */
  readonly program: string;
  readonly pids: string;
  readonly stderr: string;
  readonly exitCodes: string;
}

/**
 * The outer shell may be killed by an impatient client: the inner one still waits for the server,
 * whose input has ended.
 */
const STDIO_SCRIPT = `#!/bin/sh
exec 3<&0
(
  sh -c 'echo $$ >>"$SOAK_PIDS"; exec "$@" 2>>"$SOAK_STDERR"' sh COMMAND "$@" <&3
  echo $? >>"$SOAK_EXIT_CODES"
) &
exec 3<&-
wait
`;

/** Writes the script into a folder, and creates the files for what the servers leave. */
export async function prepareStdioServers(
  folder: string,
  env: Readonly<Record<string, string>>,
): Promise<StdioServers> {
  const [program, pids, stderr, exitCodes] = [
    `${folder}/stdio-server`,
    `${folder}/stdio-pids`,
    `${folder}/stdio-stderr`,
    `${folder}/stdio-exit-codes`,
  ];
  const { command, args } = serverCommand();
  const quoted = [command, ...args].map((part) => `'${part}'`).join(" ");
  await Deno.writeTextFile(program, STDIO_SCRIPT.replace("COMMAND", quoted), { mode: 0o755 });
  for (const path of [pids, stderr, exitCodes]) await Deno.writeTextFile(path, "");
  const files = { SOAK_PIDS: pids, SOAK_STDERR: stderr, SOAK_EXIT_CODES: exitCodes };
  return { env: { ...env, ...files }, program, pids, stderr, exitCodes };
}
