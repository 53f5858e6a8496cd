import { requires } from "../../test_support/services.ts";
import { sharedFolder } from "../../test_support/shared_folder.ts";
import { createTempFolder } from "../../test_support/temp_folder.ts";
import { childrenOf } from "./processes.ts";

/** A real sshd for one test, on a free port of 127.0.0.1 to 127.0.0.15. */
export interface Sshd extends AsyncDisposable {
  readonly port: number;
  readonly pid: number;
  /** A folder that is removed with it. */
  readonly folder: string;
  /** A home folder with a key that may log in, and with the host's key in known_hosts. */
  readonly home: string;
  /** `127.0.0.1:<port>`. */
  readonly host: string;
  /** The host's public key of a type: type and base64. */
  hostKey(type: KeyType): Promise<string>;
  /** Replaces `~/.ssh/known_hosts`. */
  writeKnownHosts(text: string): Promise<void>;
  /** The processes of its connections, one each. */
  connections(): Promise<number[]>;
  /** Waits until it has so many connections, and returns their processes; rejects after 20 s. */
  untilConnections(count: number): Promise<number[]>;
  /** Stops it and closes its connections. */
  kill(): Promise<void>;
  /** Starts it again on the same port. */
  restart(): Promise<void>;
}

const KEY_TYPES = ["ed25519", "ecdsa", "rsa"] as const;

/** Types of keys that the host has. */
export type KeyType = typeof KEY_TYPES[number];

const ADDRESSES = 15;
const WITHIN_MS = 20_000;

/**
 * Root's bash reads no startup files, which it does not below another shell: those of this machine
 * cost more than the login, and are no part of a test. Other users have what their test gives them.
 */
const NO_STARTUP_FILES = "Match User root\n  SetEnv SHLVL=1";

/** Names a test that needs a real sshd; only root can start one that other users can log in to. */
export function requiresSshd(name: string): { name: string; ignore: boolean } {
  const needed = requires("sshd", name);
  if (needed.ignore || Deno.uid() === 0) return needed;
  return { name: `${name} (needs root)`, ignore: true };
}

/** Starts an sshd with its own keys; the system's sshd and `~/.ssh` stay untouched. */
export async function startSshd(extraConfig = ""): Promise<Sshd> {
  await using stack = new AsyncDisposableStack();
  const { path: folder } = stack.use(await createTempFolder());
  const home = `${folder}/home`;
  await Deno.mkdir(`${home}/.ssh`, { recursive: true });
  await Deno.mkdir("/run/sshd", { recursive: true });
  // An RSA key takes longer to make than sshd to start.
  const keys = stack.use(await sharedFolder("sshd_keys", makeKeys));
  const copy = (name: string, to: string) => Deno.copyFile(`${keys.path}/${name}`, to);
  for (const type of KEY_TYPES) {
    for (const name of [`host_${type}`, `host_${type}.pub`]) await copy(name, `${folder}/${name}`);
  }
  for (const name of ["id_ed25519", "id_ed25519.pub"]) await copy(name, `${home}/.ssh/${name}`);
  await copy("id_ed25519.pub", `${folder}/authorized_keys`);
  const port = freePort();
  await Deno.writeTextFile(`${folder}/config`, toConfig(folder, port, extraConfig));
  let process = await launch(folder, port);
  stack.defer(() => sshd.kill());
  const sshd: Sshd = {
    port,
    folder,
    home,
    host: `127.0.0.1:${port}`,
    get pid() {
      return process.pid;
    },
    hostKey: async (type) => {
      const text = await Deno.readTextFile(`${folder}/host_${type}.pub`);
      return text.split(" ").slice(0, 2).join(" ");
    },
    writeKnownHosts: (text) => Deno.writeTextFile(`${home}/.ssh/known_hosts`, text),
    connections: () => childrenOf(process.pid),
    untilConnections: (count) => untilChildren(process.pid, count),
    kill: async () => {
      for (const pid of [process.pid, ...await descendantsOf(process.pid)]) killIfThere(pid);
      await process.status;
    },
    restart: async () => {
      process = await launch(folder, port);
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
  const key = await sshd.hostKey("ed25519");
  const names = Array.from({ length: ADDRESSES }, (_, at) => `[127.0.0.${at + 1}]:${port}`);
  await sshd.writeKnownHosts(`${names.join(",")} ${key}\n`);
  const owned = stack.move();
  return sshd;
}

/** Makes a host's keys, and the key of the user who may log in. */
async function makeKeys(folder: string): Promise<void> {
  for (const type of KEY_TYPES) await makeKey(`${folder}/host_${type}`, type);
  await makeKey(`${folder}/id_ed25519`, "ed25519");
}

/** Creates a key pair; without a passphrase unless one is given. */
export async function makeKey(
  path: string,
  type: string,
  passphrase = "",
  more: readonly string[] = [],
): Promise<void> {
  await run("ssh-keygen", ["-q", "-t", type, ...more, "-N", passphrase, "-C", "test", "-f", path]);
}

/** A user account that exists for the duration of a test. */
export interface TempUser extends AsyncDisposable {
  readonly name: string;
  readonly password: string;
}

/** Creates a user with a login shell. */
export async function createUser(shell: string, home: string): Promise<TempUser> {
  const name = `trestle${crypto.getRandomValues(new Uint32Array(1))[0]}`;
  const password = crypto.randomUUID();
  await run("useradd", ["--no-create-home", "--home-dir", home, "--shell", shell, name]);
  await run("chpasswd", [], `${name}:${password}\n`);
  return {
    name,
    password,
    [Symbol.asyncDispose]: () => run("userdel", ["--force", name]),
  };
}

function toConfig(folder: string, port: number, extra: string): string {
  const addresses = Array.from({ length: ADDRESSES }, (_, at) => `ListenAddress 127.0.0.${at + 1}`);
  return `Port ${port}
${addresses.join("\n")}
HostKey ${folder}/host_rsa
HostKey ${folder}/host_ecdsa
HostKey ${folder}/host_ed25519
AuthorizedKeysFile ${folder}/authorized_keys
PidFile none
StrictModes no
UsePAM yes
PermitRootLogin yes
PasswordAuthentication yes
KbdInteractiveAuthentication yes
UseDNS no
MaxStartups 300
PrintMotd no
LogLevel ERROR
${extra}
${NO_STARTUP_FILES}
`;
}

async function launch(folder: string, port: number): Promise<Deno.ChildProcess> {
  const process = new Deno.Command("/usr/sbin/sshd", {
    args: ["-D", "-e", "-f", `${folder}/config`],
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).spawn();
  try {
    // It listens on one address after the other.
    for (const hostname of ["127.0.0.1", `127.0.0.${ADDRESSES}`]) {
      await untilListening({ hostname, port }, process);
    }
    await untilChildren(process.pid, 0);
    return process;
  } catch (error) {
    killIfThere(process.pid);
    await process.status;
    throw error;
  }
}

async function untilListening(
  address: Deno.ConnectOptions,
  { status }: Deno.ChildProcess,
): Promise<void> {
  let code: number | undefined;
  void status.then((status) => code = status.code);
  for (const deadline = performance.now() + WITHIN_MS; performance.now() < deadline;) {
    if (code !== undefined) throw new Error(`Cannot start sshd: it ended with ${code}`);
    try {
      return (await Deno.connect(address)).close();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
  throw new Error(`Cannot start sshd: it does not listen on port ${address.port}`);
}

async function untilChildren(pid: number, count: number): Promise<number[]> {
  for (const deadline = performance.now() + WITHIN_MS;;) {
    const found = await childrenOf(pid);
    if (found.length === count) return found;
    const state = `there are ${found.length}`;
    if (performance.now() > deadline) throw new Error(`Cannot see ${count} connections: ${state}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** A port that was free a moment ago. */
export function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}

async function run(program: string, args: string[], stdin?: string): Promise<void> {
  const child = new Deno.Command(program, {
    args,
    stdin: stdin === undefined ? "null" : "piped",
    stdout: "null",
    stderr: "piped",
  }).spawn();
  if (stdin !== undefined) {
    const writer = child.stdin.getWriter();
    await writer.write(new TextEncoder().encode(stdin));
    await writer.close();
  }
  const { success, stderr } = await child.output();
  if (!success) throw new Error(`Cannot run "${program}": ${new TextDecoder().decode(stderr)}`);
}

/** The children of a process, their children, and so on. */
async function descendantsOf(pid: number): Promise<number[]> {
  const children = await childrenOf(pid);
  return [...children, ...(await Promise.all(children.map(descendantsOf))).flat()];
}

function killIfThere(pid: number): void {
  try {
    Deno.kill(pid, "SIGKILL");
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound) && !(error instanceof TypeError)) throw error;
  }
}
