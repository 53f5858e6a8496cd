import { type Contender, timeOutOf } from "./contender.ts";
import type { Program } from "../counting_transport.ts";
import type { Testbed } from "./testbed.ts";

const NAME = "trestle";
const MAIN = new URL("../../../main.ts", import.meta.url).pathname;
/** Time-outs that are to strike, in milliseconds. */
export const SHORT_MS = 5_000;
/** One that is not. */
const LONG_MS = 120_000;

/** Starts this server over stdio as docs/clients.md does, with all databases. */
export async function ours(testbed: Testbed): Promise<Program> {
  const home = await testbed.home("ours");
  return {
    command: Deno.execPath(),
    args: ["run", "--quiet", "-A", MAIN, "--stdio"],
    env: {
      PATH: Deno.env.get("PATH") ?? "",
      HOME: home,
      DENO_DIR: Deno.env.get("DENO_DIR") ?? `${Deno.env.get("HOME")}/.cache/deno`,
      DATABASE_URL: testbed.postgres.url(),
      MCP_DATABASE_LITE: `sqlite://${testbed.sqlite}`,
      MCP_SSH_KEY: `${testbed.sshd.home}/.ssh/id_ed25519`,
    },
    cwd: home,
  };
}

/** The same program with databases that it only reads. */
export function readOnlyOurs(program: Program): Program {
  return { ...program, env: { ...program.env, MCP_SQL_READ_ONLY: "1" } };
}

/** This server in each group. */
export const oursWith = {
  command(program: Program): Contender {
    const call = (command: string, timeoutMs = LONG_MS) => ({
      name: "exec-command",
      arguments: { commands: [{ command }], timeoutMs },
    });
    return { name: NAME, program, call, ownStop: timeOutOf((work) => call(work, SHORT_MS)) };
  },
  file(program: Program): Contender {
    return { name: NAME, program, call: (path) => ({ name: "read-file", arguments: { path } }) };
  },
  postgres: (program: Program) => sql(program),
  sqlite: (program: Program) => sql(program, "lite"),
  ssh(program: Program, { sshd, user }: Testbed): Contender {
    const call = (command: string, timeoutMs = LONG_MS) => ({
      name: "ssh-exec",
      arguments: {
        connections: [{ host: sshd.host, username: user, commands: [command] }],
        timeoutMs,
      },
    });
    return { name: NAME, program, call, ownStop: timeOutOf((work) => call(work, SHORT_MS)) };
  },
};

function sql(program: Program, database?: string): Contender {
  const call = (query: string, timeoutMs = LONG_MS) => ({
    name: "sql-query",
    arguments: {
      batches: [{ queries: [query], ...(database === undefined ? {} : { database }) }],
      timeoutMs,
    },
  });
  return { name: NAME, program, call, ownStop: timeOutOf((work) => call(work, SHORT_MS)) };
}
