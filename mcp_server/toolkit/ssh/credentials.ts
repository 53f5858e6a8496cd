import type { Socket } from "node:net";
import { messageOf } from "../../shared/error.ts";
import { type Certificate, parseCertificate, withCertificate } from "./certificate.ts";
import { LOGIN_METHODS, type LoginMethod } from "./host_config.ts";
import { isSameKey } from "./known_hosts.ts";
import type { Hop } from "./route.ts";
import {
  type Agent,
  type AgentKey,
  type AuthAttempt,
  type KeyboardPrompt,
  type ParsedKey,
  type Ssh2,
  SshError,
} from "./ssh2.ts";
import type { SshFile, SshFiles } from "./ssh_files.ts";

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

/** What the operator sets about logins. */
export interface LoginSettings {
  /** The folder that contains `.ssh`. */
  readonly home: string;
  /** Socket of the SSH agent. */
  readonly agent?: string;
  /** The one key file to use instead of those that OpenSSH would try. */
  readonly keyFile?: string;
  readonly passphrase?: string;
  readonly password?: string;
}

/**
 * Collects what to log in with: the agent, key files, then the password, unless the config has
 * another order. Rejects with an `SshError` of phase `auth` if a file does not answer in time.
 */
export async function toCredentials(
  hop: Hop,
  settings: LoginSettings,
  ssh2: Ssh2,
  files: SshFiles,
): Promise<Credentials> {
  const { user: username } = hop;
  const { agent = settings.agent, identitiesOnly, methods = LOGIN_METHODS } = hop.settings;
  const keys = await readKeys(hop, settings, ssh2, files);
  const only = identitiesOnly ? () => readPublicKeys(keys, ssh2, files) : undefined;
  const bounded = agent === undefined || agent === "none"
    ? undefined
    : openAgent(agent, ssh2, only);
  const certificates = await readCertificates(hop, keys, files);
  const tries = methods.flatMap((method): Try[] => {
    if (method !== "publickey") return passwordTries(username, method, settings);
    const ofKeys = certificateTries(username, keys, certificates);
    if (bounded === undefined) return ofKeys;
    const attempt = { type: "agent", username, agent: bounded.agent } as const;
    return [{ attempt, text: "the agent's keys" }, ...ofKeys];
  });
  return {
    attempts: tries.flatMap(({ attempt }) => attempt ?? []),
    attempted: [...new Set(tries.map(({ text }) => text))],
    release: () => bounded?.release(),
  };
}

/** One attempt, or none if it can't be made, and the text for it. */
interface Try {
  readonly attempt?: AuthAttempt;
  readonly text: string;
}

/** The private key of a file, or why there is none. */
interface KeyFile {
  readonly file: string;
  readonly key: ParsedKey | string;
}

async function readKeys(
  hop: Hop,
  { keyFile, home, passphrase }: LoginSettings,
  ssh2: Ssh2,
  files: SshFiles,
): Promise<KeyFile[]> {
  const named = keyFile === undefined ? hop.settings.identityFiles : [keyFile];
  const keys: KeyFile[] = [];
  for (const file of named ?? KEY_NAMES.map((name) => `${home}/.ssh/${name}`)) {
    const key = await readKey(hop, file, passphrase, ssh2, files);
    if (key !== undefined || named !== undefined) keys.push({ file, key: key ?? "missing" });
  }
  return keys;
}

/** The text of a certificate's file, parsed, or why it can't be used. */
interface CertificateFile {
  readonly file: string;
  readonly certificate: Certificate | string;
}

/** The certificates of the config, and those next to the keys, which need not exist. */
async function readCertificates(
  hop: Hop,
  keys: readonly KeyFile[],
  files: SshFiles,
): Promise<CertificateFile[]> {
  const { certificateFiles = [] } = hop.settings;
  const beside = keys.map(({ file }) => `${file}-cert.pub`);
  const all = new Set([...certificateFiles, ...beside]);
  const found = await Promise.all([...all].map(async (file) => {
    const { text, fault } = inTime(hop, file, await files.read(file, MOST_BYTES));
    if (text === undefined && fault === undefined && beside.includes(file)) return [];
    const state = fault ?? (text === undefined ? "missing" : "not a certificate of a known type");
    return [{ file, certificate: parseCertificate(text ?? "") ?? state }];
  }));
  return found.flat();
}

/** Each key with its certificates first, as in OpenSSH; then the certificates that have no key. */
function certificateTries(
  username: string,
  keys: readonly KeyFile[],
  certificates: readonly CertificateFile[],
): Try[] {
  const left = new Set(certificates);
  const tries = keys.flatMap(({ file, key }): Try[] => {
    if (typeof key === "string") return [{ text: `key ${file} (${key})` }];
    const keyOf = (key: ParsedKey) => ({ type: "publickey", username, key }) as const;
    const own = certificates.flatMap((each): Try[] => {
      const { certificate } = each;
      if (typeof certificate === "string") return [];
      if (!isSameKey(certificate.publicKey, key.getPublicSSH())) return [];
      left.delete(each);
      const attempt = keyOf(withCertificate(key, certificate));
      return [{ attempt, text: `certificate ${each.file}` }];
    });
    return [...own, { attempt: keyOf(key), text: `key ${file}` }];
  });
  const others = [...left].map(({ file, certificate }) => {
    const state = typeof certificate === "string" ? certificate : "its private key is missing";
    return { text: `certificate ${file} (${state})` };
  });
  return [...tries, ...others];
}

function passwordTries(
  username: string,
  method: Exclude<LoginMethod, "publickey">,
  { password }: LoginSettings,
): Try[] {
  const text = "the password";
  if (password === undefined) return [];
  if (method === "password") return [{ attempt: { type: method, username, password }, text }];
  const prompt: KeyboardPrompt = (_name, _text, _language, prompts, finish) =>
    finish(prompts.map(({ echo }) => echo === true ? "" : password));
  return [{ attempt: { type: method, username, prompt }, text }];
}

/** The public keys of the files, of which an agent may hold the private ones. */
async function readPublicKeys(
  keys: readonly KeyFile[],
  { utils }: Ssh2,
  files: SshFiles,
): Promise<Uint8Array[]> {
  const found = await Promise.all(keys.map(async ({ file, key }) => {
    if (typeof key !== "string") return [key.getPublicSSH()];
    const texts = await Promise.all(
      [`${file}.pub`, file].map((path) => files.read(path, MOST_BYTES)),
    );
    return texts.flatMap(({ text }) => {
      const key = text === undefined ? undefined : firstKey(utils.parseKey(text));
      return key === undefined || key instanceof Error ? [] : [key.getPublicSSH()];
    });
  }));
  return found.flat();
}

/** A private key, `undefined` if there is no file, or why it can't be used. */
async function readKey(
  hop: Hop,
  file: string,
  passphrase: string | undefined,
  { utils }: Ssh2,
  files: SshFiles,
): Promise<ParsedKey | string | undefined> {
  const state = inTime(hop, file, await files.stat(file));
  if (state.stamp === undefined) return state.fault;
  const stamp = `${state.stamp} ${passphrase ?? ""}`;
  const kept = parsedKeys.get(file);
  if (kept?.stamp === stamp) return kept.key;
  const { text, fault } = inTime(hop, file, await files.read(file, MOST_BYTES));
  if (text === undefined) return fault;
  try {
    const read = firstKey(utils.parseKey(text, passphrase));
    if (read === undefined || read instanceof Error || !read.isPrivateKey()) return stateOf(read);
    const key = toSigningKey(read, utils);
    parsedKeys.set(file, { stamp, key });
    return key;
  } catch (error) {
    return messageOf(error);
  }
}

function firstKey(parsed: ReturnType<Ssh2["utils"]["parseKey"]>): ParsedKey | Error | undefined {
  return Array.isArray(parsed) ? parsed[0] : parsed;
}

/** Returns what was found, or throws the error of a file system that does not answer. */
function inTime<Found extends Pick<SshFile, "fault" | "isLate">>(
  { alias, user }: Hop,
  file: string,
  found: Found,
): Found {
  if (found.isLate !== true) return found;
  const state = `"${file}" can't be read: ${found.fault}`;
  throw new SshError(`Cannot log in to "${alias}" as "${user}": ${state}`, "auth");
}

function stateOf(fault: unknown): string {
  const text = messageOf(fault);
  if (/no passphrase/i.test(text)) return "encrypted: set MCP_SSH_PASSPHRASE";
  if (/bad passphrase|integrity|decrypt|passphrase/i.test(text)) return "wrong passphrase";
  return "not a readable private key";
}

/** How long an agent may take to list its keys; signing may wait for its user. */
const LIST_MS = 3_000;

/** An agent whose open requests end with their login. */
interface BoundedAgent {
  /** What ssh2 asks for keys and signatures. */
  readonly agent: Agent;
  /** Closes the connections to it, so that unanswered requests fail. */
  release(): void;
}

/**
 * Connects to the agent behind a socket. If it does not list its keys within 3 s, its requests fail,
 * so that key files and the password are still tried. With `findOnly`, its other keys are not used.
 */
function openAgent(
  path: string,
  { OpenSSHAgent }: Ssh2,
  findOnly?: () => Promise<readonly Uint8Array[]>,
): BoundedAgent {
  const sockets = new Set<Socket>();
  let released = false;
  class TrackedAgent extends OpenSSHAgent {
    override getStream(done: (error: Error | null, socket?: Socket) => void): void {
      super.getStream((error, socket) => {
        if (socket !== undefined) {
          sockets.add(socket);
          socket.on("close", () => sockets.delete(socket));
          if (released) socket.destroy();
        }
        done(error, socket);
      });
    }

    override getIdentities(
      done: (error: Error | undefined, keys?: readonly AgentKey[]) => void,
    ): void {
      const timer = setTimeout(release, LIST_MS);
      super.getIdentities((error, keys) => {
        clearTimeout(timer);
        if (findOnly === undefined || keys === undefined) return done(error, keys);
        findOnly().then(
          (only) => done(error, keys.filter((key) => isAmong(key, only))),
          (fault) => done(fault),
        );
      });
    }
  }
  const release = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    agent: new TrackedAgent(path),
    release: () => {
      released = true;
      release();
    },
  };
}

function isAmong(key: AgentKey, only: readonly Uint8Array[]): boolean {
  const blob = key instanceof Uint8Array ? key : key.getPublicSSH();
  return only.some((each) => isSameKey(each, blob));
}

/**
 * Bytes of the private number of a curve: those of its order (RFC 5915, section 3). A number of 521
 * bits never has a zero byte for its sign, and Deno takes it as it is.
 */
const NUMBER_BYTES: Readonly<Record<string, number>> = {
  "ecdsa-sha2-nistp256": 32,
  "ecdsa-sha2-nistp384": 48,
};

/** Where the private number has its length: after the sequence's header, the version and its tag. */
const LENGTH_AT = 4;

/**
 * A private key that Deno can sign with. OpenSSH keeps the private number of an ECDSA key with as many
 * bytes as it needs and its sign (RFC 4251, section 5, `mpint`), which ssh2 copies into a format that
 * requires a fixed number of bytes: every second key would be rejected.
 */
export function toSigningKey(key: ParsedKey, { parseKey }: Ssh2["utils"]): ParsedKey {
  const size = NUMBER_BYTES[key.type];
  if (size === undefined) return key;
  const base64 = key.getPrivatePEM().replaceAll(/-----.*-----|\s/g, "");
  const der = withNumberOf(Uint8Array.fromBase64(base64), size);
  const pem = der.toBase64().replaceAll(/.{64}/g, "$&\n");
  const parsed = parseKey(`-----BEGIN EC PRIVATE KEY-----\n${pem}\n-----END EC PRIVATE KEY-----\n`);
  const signing = firstKey(parsed);
  return signing === undefined || signing instanceof Error ? key : signing;
}

/** The same `ECPrivateKey` (RFC 5915) with leading zeros added to its number, or removed. */
function withNumberOf(der: Uint8Array, size: number): Uint8Array {
  const body = der.subarray(der[1] === 0x81 ? 3 : 2);
  const end = LENGTH_AT + 1 + (body[LENGTH_AT] ?? 0);
  const number = body.subarray(LENGTH_AT + 1, end);
  const padded = new Uint8Array(size);
  padded.set(number.subarray(-size), Math.max(0, size - number.length));
  const changed = [...body.subarray(0, LENGTH_AT), size, ...padded, ...body.subarray(end)];
  const length = changed.length < 0x80 ? [changed.length] : [0x81, changed.length];
  return Uint8Array.of(der[0] ?? 0, ...length, ...changed);
}
