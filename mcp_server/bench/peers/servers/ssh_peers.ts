import { type Contender, timeOutOf } from "./contender.ts";
import type { Program } from "../counting_transport.ts";
import { nodeProgram } from "./local_peers.ts";
import { SHORT_MS } from "./ours.ts";
import type { Testbed } from "./testbed.ts";

/** ssh-mcp with one host, for commands of every class and without prompts. */
export async function sshMcp(testbed: Testbed): Promise<Contender> {
  const call = (command: string) => ({ name: "run-command", arguments: { command } });
  const run: NonNullable<Contender["ownStop"]>["run"] = async (session, work) =>
    void await session.call(call(work));
  return {
    name: "ssh-mcp",
    program: await sshMcpProgram(testbed, "ssh-mcp", ""),
    call,
    ownStop: {
      name: "`commandTimeoutMs`",
      program: await sshMcpProgram(testbed, "ssh-mcp-limited", `commandTimeoutMs = ${SHORT_MS}`),
      run,
    },
  };
}

async function sshMcpProgram(testbed: Testbed, name: string, defaults: string): Promise<Program> {
  const program = await nodeProgram(testbed, name, { file: "ssh-mcp/build/index.js" });
  const folder = `${program.env["HOME"]}/.config/ssh-mcp`;
  await Deno.mkdir(folder, { recursive: true, mode: 0o700 });
  const { sshd, user } = testbed;
  const config = `[defaults]
defaultProfile = "bench"
${defaults}

[[profiles]]
name = "bench"
host = "127.0.0.1"
port = ${sshd.port}
user = "${user}"
auth = "key"
keyRef = "${sshd.home}/.ssh/id_ed25519"
group = "dev"
role = "admin"
approvalPolicy = "auto"
`;
  await Deno.writeTextFile(`${folder}/config.toml`, config, { mode: 0o600 });
  return program;
}

/** mcp-ssh-manager with one host, and all its tools. */
export async function sshManager(testbed: Testbed): Promise<Contender> {
  const { sshd, user } = testbed;
  const call = (command: string, timeout = 120_000) => ({
    name: "ssh_execute",
    arguments: { server: "bench", command, timeout },
  });
  return {
    name: "mcp-ssh-manager",
    program: await nodeProgram(testbed, "ssh-manager", {
      file: "mcp-ssh-manager/src/index.js",
      env: {
        SSH_SERVER_BENCH_HOST: "127.0.0.1",
        SSH_SERVER_BENCH_PORT: `${sshd.port}`,
        SSH_SERVER_BENCH_USER: user,
        SSH_SERVER_BENCH_KEYPATH: `${sshd.home}/.ssh/id_ed25519`,
      },
    }),
    call,
    ownStop: timeOutOf((work) => call(work, SHORT_MS)),
  };
}
