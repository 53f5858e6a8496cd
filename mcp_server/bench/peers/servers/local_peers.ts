import type { Contender } from "./contender.ts";
import type { Program } from "../counting_transport.ts";
import { SHORT_MS } from "./ours.ts";
import type { Testbed } from "./testbed.ts";

/** How long a call of DesktopCommander waits for its command, in milliseconds. */
const WAIT_MS = 40_000;

/** A program of the installed Node.js, in a home folder of its own. */
export async function nodeProgram(
  testbed: Testbed,
  name: string,
  { file, args = [], env = {} }: { file: string; args?: string[]; env?: Record<string, string> },
): Promise<Program> {
  const home = await testbed.home(name);
  return {
    command: testbed.peers.node,
    args: [testbed.peers.file(file), ...args],
    env: { PATH: Deno.env.get("PATH") ?? "", HOME: home, ...env },
    cwd: home,
  };
}

/** DesktopCommander, without telemetry, flags from the network and prompts for new users. */
export async function desktopCommander(
  testbed: Testbed,
): Promise<{ command: Contender; file: Contender }> {
  const program = await nodeProgram(testbed, "desktop-commander", {
    file: "@wonderwhy-er/desktop-commander/dist/index.js",
    args: ["--no-onboarding"],
    env: { DESKTOP_COMMANDER_DISABLE_TELEMETRY: "1", DC_FLAG_URL: "http://127.0.0.1:9/" },
  });
  await writeCommanderConfig(program.env["HOME"] ?? "", []);
  const start = (command: string, timeout_ms: number) => ({
    name: "start_process",
    arguments: { command, timeout_ms },
  });
  const name = "DesktopCommander";
  return {
    command: {
      name,
      program,
      call: (command) => start(command, WAIT_MS),
      ownStop: {
        name: "`force_terminate`",
        run: async (session, work) => {
          const { text } = await session.call(start(work, SHORT_MS));
          const pid = Number(/PID (\d+)/.exec(text)?.[1]);
          await session.call({ name: "force_terminate", arguments: { pid } });
        },
      },
    },
    file: { name, program, call: (path) => ({ name: "read_file", arguments: { path } }) },
  };
}

/** Writes its config; an empty list allows all folders. */
export async function writeCommanderConfig(
  home: string,
  allowedDirectories: readonly string[],
): Promise<void> {
  const config = { telemetryEnabled: false, allowedDirectories, defaultShell: "/bin/bash" };
  await Deno.mkdir(`${home}/.claude-server-commander`);
  await Deno.writeTextFile(
    `${home}/.claude-server-commander/config.json`,
    JSON.stringify(config),
  );
}

/** mcp-server-commands. */
export async function shellCommands(testbed: Testbed): Promise<Contender> {
  return {
    name: "mcp-server-commands",
    program: await nodeProgram(testbed, "mcp-server-commands", {
      file: "mcp-server-commands/build/index.js",
    }),
    call: (command) => ({ name: "run_command", arguments: { command } }),
  };
}

/** The reference filesystem server, which may use the folder of the files. */
export async function filesystem(testbed: Testbed): Promise<Contender> {
  return {
    name: "server-filesystem",
    program: await nodeProgram(testbed, "filesystem", {
      file: "@modelcontextprotocol/server-filesystem/dist/index.js",
      args: [testbed.files],
    }),
    call: (path) => ({ name: "read_text_file", arguments: { path } }),
  };
}
