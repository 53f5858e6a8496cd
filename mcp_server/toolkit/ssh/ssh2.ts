import type { Buffer } from "node:buffer";
import type { Socket } from "node:net";
import type { Duplex, Readable } from "node:stream";
import { loadPackage } from "../../shared/environment.ts";

/** A parsed key; ssh2 accepts it instead of a key's text. */
export interface ParsedKey {
  readonly type: string;
  isPrivateKey(): boolean;
  getPublicSSH(): Buffer;
  /** In PEM: PKCS #1, or that of RFC 5915 for ECDSA. */
  getPrivatePEM(): string;
  sign(data: Uint8Array, hash?: string): Uint8Array;
  verify(data: Uint8Array, signature: Uint8Array): boolean;
}

/** Signs data, and passes the signature on. */
type Sign = (data: Uint8Array, done: (signature: Uint8Array) => void) => void;

/** The part of ssh2's protocol that sends logins with keys; its names are ssh2's own. */
export interface AuthProtocol {
  authPK(user: string, key: ParsedKey, algorithm?: string, sign?: Sign): void;
  readonly _packetRW: {
    readonly write: {
      readonly allocStart: number;
      alloc(bytes: number): Uint8Array;
      finalize(packet: Uint8Array): Uint8Array;
    };
  };
  readonly _cipher: { encrypt(packet: Uint8Array): void };
  /** Set during a key exchange. */
  readonly _kexinit?: Uint8Array;
  _queue?: Uint8Array[];
  readonly _authsQueue: string[];
}

/** A channel over which one command runs. */
export interface Channel extends Duplex {
  readonly stderr: Readable;
  close(): void;
}

/** Passes on the end of a request: its error, or its result. */
export type SftpDone<Result = void> = (
  error: (Error & { code?: number }) | undefined,
  result: Result,
) => void;

/** What SFTP says of a file (draft-ietf-secsh-filexfer-02, section 5). */
export interface SftpAttributes {
  readonly mode: number;
  readonly size: number;
  readonly uid: number;
  readonly gid: number;
}

/** The part of ssh2's client of SFTP 3 that is used here. */
export interface Sftp2 {
  /** The extensions of the host, with their versions. */
  readonly _extensions: Readonly<Record<string, string>>;
  on(event: "error" | "close" | "end", listener: () => void): this;
  open(path: string, flags: number, attributes: object, done: SftpDone<Buffer>): void;
  close(handle: Buffer, done: SftpDone): void;
  read(
    handle: Buffer,
    into: Buffer,
    offset: number,
    length: number,
    position: number,
    done: SftpDone<number>,
  ): void;
  write(
    handle: Buffer,
    from: Buffer,
    offset: number,
    length: number,
    position: number,
    done: SftpDone,
  ): void;
  stat(path: string, done: SftpDone<SftpAttributes>): void;
  fstat(handle: Buffer, done: SftpDone<SftpAttributes>): void;
  fchmod(handle: Buffer, mode: number, done: SftpDone): void;
  fchown(handle: Buffer, uid: number, gid: number, done: SftpDone): void;
  realpath(path: string, done: SftpDone<string>): void;
  rename(from: string, to: string, done: SftpDone): void;
  unlink(path: string, done: SftpDone): void;
  ext_openssh_rename(from: string, to: string, done: SftpDone): void;
  ext_openssh_fsync(handle: Buffer, done: SftpDone): void;
  end(): void;
}

/** A public key of an agent, parsed or as RFC 4253 (section 6.6) encodes it. */
export type AgentKey = Buffer | ParsedKey;

/** The agent behind a socket; each request opens a connection. */
export interface Agent {
  getStream(done: (error: Error | null, socket?: Socket) => void): void;
  getIdentities(done: (error: Error | undefined, keys?: readonly AgentKey[]) => void): void;
}

/** One attempt to log in. */
export type AuthAttempt =
  | { type: "agent"; username: string; agent: Agent }
  | { type: "publickey"; username: string; key: ParsedKey }
  | { type: "password"; username: string; password: string }
  | {
    type: "keyboard-interactive";
    username: string;
    prompt: KeyboardPrompt;
  };

/** Answers the questions of a server (RFC 4256). */
export type KeyboardPrompt = (
  name: string,
  instructions: string,
  language: string,
  prompts: readonly { prompt: string; echo?: boolean }[],
  finish: (answers: string[]) => void,
) => void;

/** What a connection is made with. */
export interface ConnectConfig {
  readonly sock: Duplex;
  readonly username: string;
  readonly readyTimeout: number;
  readonly keepaliveInterval: number;
  readonly keepaliveCountMax: number;
  readonly algorithms: Algorithms;
  readonly hostVerifier: (key: Buffer) => boolean;
  readonly authHandler: (methodsLeft: readonly string[] | null) => AuthAttempt | false;
}

/** The part of ssh2's client that is used here; ssh2 has no types of its own. */
export interface Client {
  /** Set by `connect()`. */
  readonly _protocol: AuthProtocol;
  connect(config: ConnectConfig): this;
  exec(
    command: string,
    options: object,
    done: (error: Error | undefined, channel: Channel) => void,
  ): this;
  sftp(done: (error: Error | undefined, sftp: Sftp2) => void): this;
  forwardOut(
    fromHost: string,
    fromPort: number,
    host: string,
    port: number,
    done: (error: Error | undefined, channel: Channel) => void,
  ): this;
  on(event: "error", listener: (error: Error & { level?: string }) => void): this;
  on(event: "ready" | "handshake" | "close" | "end", listener: () => void): this;
  end(): this;
  destroy(): this;
}

/** The part of the package that is used. */
export interface Ssh2 {
  readonly Client: new () => Client;
  readonly OpenSSHAgent: new (socketPath: string) => Agent;
  readonly utils: { parseKey(data: string, passphrase?: string): ParsedKey | ParsedKey[] | Error };
}

/** Loads the package on first use: it takes longer to load than the whole server. */
export async function loadSsh2(): Promise<Ssh2> {
  const { default: ssh2 } = await loadPackage("ssh2", () => import("ssh2"));
  return ssh2 as Ssh2;
}

/** The algorithms of a connection by the purpose for which ssh2 takes them. */
export interface Algorithms {
  readonly kex?: readonly string[];
  readonly cipher?: readonly string[];
  readonly hmac?: readonly string[];
  readonly serverHostKey?: readonly string[];
}

/** What ssh2 1.17 implements; it rejects a list with any other name. */
export const SUPPORTED_ALGORITHMS: Readonly<Record<keyof Algorithms, readonly string[]>> = {
  kex: [
    "curve25519-sha256",
    "curve25519-sha256@libssh.org",
    "ecdh-sha2-nistp256",
    "ecdh-sha2-nistp384",
    "ecdh-sha2-nistp521",
    "diffie-hellman-group-exchange-sha256",
    "diffie-hellman-group14-sha256",
    "diffie-hellman-group15-sha512",
    "diffie-hellman-group16-sha512",
    "diffie-hellman-group17-sha512",
    "diffie-hellman-group18-sha512",
    "diffie-hellman-group-exchange-sha1",
    "diffie-hellman-group14-sha1",
    "diffie-hellman-group1-sha1",
  ],
  cipher: [
    "chacha20-poly1305@openssh.com",
    "aes128-gcm@openssh.com",
    "aes256-gcm@openssh.com",
    "aes128-ctr",
    "aes192-ctr",
    "aes256-ctr",
    "aes128-cbc",
    "aes256-cbc",
    "3des-cbc",
  ],
  hmac: [
    "hmac-sha2-256-etm@openssh.com",
    "hmac-sha2-512-etm@openssh.com",
    "hmac-sha1-etm@openssh.com",
    "hmac-sha2-256",
    "hmac-sha2-512",
    "hmac-sha1",
    "hmac-md5",
    "hmac-md5-96",
    "hmac-sha1-96",
    "hmac-ripemd160",
  ],
  serverHostKey: [
    "ssh-ed25519",
    "ecdsa-sha2-nistp256",
    "ecdsa-sha2-nistp384",
    "ecdsa-sha2-nistp521",
    "rsa-sha2-512",
    "rsa-sha2-256",
    "ssh-rsa",
    "ssh-dss",
  ],
};

/** The algorithms of a list that ssh2 implements, in the same order. */
export function supportedAlgorithms(purpose: keyof Algorithms, names: readonly string[]): string[] {
  return names.filter((name) => SUPPORTED_ALGORITHMS[purpose].includes(name));
}

/** How far a connection came before it failed. */
export type SshPhase = "resolve" | "connect" | "handshake" | "host-key" | "auth" | "exec" | "copy";

/** Why nothing could be run on a host; the message is for the caller and contains no secret. */
export class SshError extends Error {
  /** Name of the error class. */
  override readonly name: string = "SshError";
  /** How far the connection came. */
  readonly phase: SshPhase;
  /** The connection was lost before the command was sent, so another one may be tried. */
  readonly notStarted: boolean;

  constructor(message: string, phase: SshPhase, options: { notStarted?: boolean } = {}) {
    super(message);
    this.phase = phase;
    this.notStarted = options.notStarted ?? false;
  }
}

/** How much of a host's text one message repeats, in characters. */
const MOST_WORDS = 2_000;

/**
 * Returns the last part of a host's text, for a message: a host may send any text, and a call
 * may have many hosts.
 */
export function wordsOfHost(text: string): string {
  // deno-lint-ignore no-control-regex -- control characters are what it removes
  return text.replaceAll(/[\x00-\x08\x0b-\x1f\x7f]/g, "").slice(-MOST_WORDS).trim();
}
