import { inTurns } from "../../test_support/bench/in_turns.ts";
import { printTable, type Row } from "../../test_support/bench/table.ts";
import register from "../../tools/ssh-exec.ts";
import { createSshTool } from "../testing/ssh_tool.ts";
import { createUser, requiresSshd, type Sshd, startSshd } from "../testing/sshd.ts";

const HOSTS = 50;
/** The number of addresses that sshd listens on. */
const ADDRESSES = 15;

/** Compares `ssh-exec` with OpenSSH's client on the same sshd; no rows without an sshd. */
export async function benchSsh(): Promise<Row[]> {
  const { ignore, name } = requiresSshd("ssh-exec");
  if (ignore) {
    console.log(`skipped: ${name}`);
    return [];
  }
  await using sshd = await startSshd();
  await Deno.mkdir(`${sshd.folder}/user`);
  await using user = await createUser("/bin/sh", `${sshd.folder}/user`);
  return [...await benchPooled(sshd, user.name), ...await benchMany(sshd, user.name)];
}

async function benchPooled(sshd: Sshd, username: string): Promise<Row[]> {
  await using tool = await createSshTool(register, { HOME: sshd.home });
  const connections = [{ host: sshd.host, username, commands: ["true"] }];
  const control = ["-o", `ControlPath=${sshd.folder}/control`];
  const ssh = (...args: string[]) => run("ssh", [...sshOptions(sshd), ...control, ...args]);
  const target = `${username}@127.0.0.1`;
  await ssh("-o", "ControlMaster=yes", "-o", "ControlPersist=600", target, "true");
  const [ours = NaN, theirs = NaN] = await inTurns([
    async () => void await tool.run({ connections }),
    () => ssh(target, "true"),
  ], 200);
  await ssh("-O", "exit", target);
  return [
    { what: "`ssh true` over an OpenSSH ControlMaster", value: ms(theirs) },
    {
      what: "`ssh-exec` of `true` on a kept connection / the same",
      value: ms(ours),
      ratio: ours / theirs,
      target: "at most 1.1",
    },
  ];
}

async function benchMany(sshd: Sshd, username: string): Promise<Row[]> {
  const addresses = Array.from({ length: HOSTS }, (_, at) => `127.0.0.${at % ADDRESSES + 1}`);
  const connections = addresses.map((address) => ({
    host: `${address}:${sshd.port}`,
    username,
    commands: ["true"],
  }));
  const list = `${sshd.folder}/hosts`;
  await Deno.writeTextFile(list, `${addresses.join("\n")}\n`);
  const args = ["-a", list, "-P", "16", "-I", "{}", "ssh", ...sshOptions(sshd)];
  await using kept = await createSshTool(register, { HOME: sshd.home });
  await kept.run({ connections });
  const [fresh = NaN, pooled = NaN, theirs = NaN] = await inTurns([
    async () => {
      await using tool = await createSshTool(register, { HOME: sshd.home });
      await tool.run({ connections });
    },
    async () => void await kept.run({ connections }),
    () => run("xargs", [...args, `${username}@{}`, "true"]),
  ], 5);
  return [
    { what: `${HOSTS} hosts through \`xargs -P 16 ssh\``, value: ms(theirs) },
    {
      what: `${HOSTS} hosts in one \`ssh-exec\`, new connections / the same`,
      value: ms(fresh),
      ratio: fresh / theirs,
    },
    { what: "... kept connections / the same", value: ms(pooled), ratio: pooled / theirs },
  ];
}

function sshOptions({ home, port }: Sshd): string[] {
  const known = `UserKnownHostsFile=${home}/.ssh/known_hosts`;
  return ["-F", "none", "-n", "-i", `${home}/.ssh/id_ed25519`, "-o", known, "-p", String(port)];
}

async function run(program: string, args: readonly string[]): Promise<void> {
  const command = new Deno.Command(program, { args: [...args], stdin: "null", stderr: "piped" });
  const { success, stderr } = await command.output();
  if (!success) throw new Error(`Cannot run "${program}": ${new TextDecoder().decode(stderr)}`);
}

function ms(time: number): string {
  return `${time.toFixed(2)} ms`;
}

if (import.meta.main) printTable(await benchSsh());
