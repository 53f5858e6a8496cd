import { messageOf } from "../../domain/error.ts";
import { type BoundedAgent, openAgent } from "./agent.ts";
import type { Hop } from "./route.ts";
import type { AuthAttempt, ParsedKey, Ssh2 } from "./ssh2.ts";
import { readSshFile } from "./ssh_file.ts";
import type { SshSettings } from "./ssh_settings.ts";

/** The ways to log in, in the order in which they are tried, and what can't be tried. */
export interface Credentials {
  readonly attempts: readonly AuthAttempt[];
  /** One text for each attempt and for each key that can't be used; without any secret. */
  readonly attempted: readonly string[];
  /** Closes what the login had open; called when it has ended. */
  release(): void;
}

/** An RSA private key of 16,384 bits has 13 kB. */
const MOST_BYTES = 1024 * 1024;

/** The key files that OpenSSH tries (ssh_config(5), "IdentityFile"), of the types that ssh2 reads. */
const KEY_NAMES = ["id_rsa", "id_ecdsa", "id_ed25519"] as const;

/** Keys by file and time of change, because decrypting one can take most of a second. */
const parsedKeys = new Map<string, { readonly stamp: string; readonly key: ParsedKey }>();

/** Collects what to log in with: agent, key files, then the password. */
export async function toCredentials(
  { user: username, identityFiles }: Hop,
  { agent, keyFile, home, password, passphrase }: SshSettings,
  ssh2: Ssh2,
): Promise<Credentials> {
  const attempts: AuthAttempt[] = [];
  const attempted: string[] = [];
  let bounded: BoundedAgent | undefined;
  if (agent !== undefined) {
    bounded = openAgent(agent, ssh2);
    attempts.push({ type: "agent", username, agent: bounded.agent });
    attempted.push("the agent's keys");
  }
  const named = keyFile === undefined ? identityFiles : [keyFile];
  const files = named.length > 0 ? named : KEY_NAMES.map((name) => `${home}/.ssh/${name}`);
  for (const file of files) {
    const key = await readKey(file, passphrase, ssh2);
    if (key === undefined && named.length === 0) continue;
    if (typeof key === "object") attempts.push({ type: "publickey", username, key });
    attempted.push(typeof key === "object" ? `key ${file}` : `key ${file} (${key ?? "missing"})`);
  }
  if (password !== undefined) {
    attempts.push({ type: "password", username, password }, {
      type: "keyboard-interactive",
      username,
      prompt: (_name, _text, _language, prompts, finish) =>
        finish(prompts.map(({ echo }) => echo === true ? "" : password)),
    });
    attempted.push("the password");
  }
  return { attempts, attempted, release: () => bounded?.release() };
}

/** A private key, `undefined` if there is no file, or why it can't be used. */
async function readKey(
  file: string,
  passphrase: string | undefined,
  { utils }: Ssh2,
): Promise<ParsedKey | string | undefined> {
  try {
    const { mtime, size, ino } = await Deno.stat(file);
    const stamp = `${mtime?.getTime()} ${size} ${ino} ${passphrase ?? ""}`;
    const kept = parsedKeys.get(file);
    if (kept?.stamp === stamp) return kept.key;
    const { text, fault } = await readSshFile(file, MOST_BYTES);
    if (text === undefined) return fault;
    const parsed = utils.parseKey(text, passphrase);
    const key = Array.isArray(parsed) ? parsed[0] : parsed;
    if (key === undefined || key instanceof Error || !key.isPrivateKey()) return stateOf(key);
    parsedKeys.set(file, { stamp, key });
    return key;
  } catch (error) {
    return error instanceof Deno.errors.NotFound ? undefined : messageOf(error);
  }
}

function stateOf(fault: unknown): string {
  const text = messageOf(fault);
  if (/no passphrase/i.test(text)) return "encrypted: set MCP_SSH_PASSPHRASE";
  if (/bad passphrase|integrity|decrypt|passphrase/i.test(text)) return "wrong passphrase";
  return "not a readable private key";
}
