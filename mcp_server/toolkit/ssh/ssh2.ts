import type { Buffer } from "node:buffer";
import type { Socket } from "node:net";
import type { Duplex, Readable } from "node:stream";
import { loadPackage } from "../../shared/working_folder.ts";
import type { Algorithms } from "./ssh2_algorithms.ts";

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
