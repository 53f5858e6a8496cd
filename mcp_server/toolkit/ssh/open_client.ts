import type { Duplex } from "node:stream";
import { firstOf } from "../../shared/concurrency.ts";
import { allowCertificates } from "./certificate.ts";
import type { Credentials } from "./credentials.ts";
import type { HostKeyCheck, ShownKey } from "./host_key_store.ts";
import type { ConnectOptions } from "./open_socket.ts";
import type { Hop } from "./route.ts";
import {
  type AuthAttempt,
  type Client,
  type Ssh2,
  SshError,
  type SshPhase,
  wordsOfHost,
} from "./ssh2.ts";

/** What a client is created from. */
export interface ClientParts extends ConnectOptions {
  readonly ssh2: Ssh2;
  readonly sock: Duplex;
  readonly credentials: Credentials;
  readonly hostKey: HostKeyCheck;
}

/** A client that is logged in, and its socket. */
export interface Login {
  readonly client: Client;
  readonly sock: Duplex;
  readonly traffic: PeerTraffic;
  readonly hop: Hop;
  /** The key by which the host was accepted. */
  readonly shown: ShownKey;
}

const KEEPALIVE_MS = 10_000;
const KEEPALIVES = 3;

/**
 * Speaks SSH over a socket until the user is logged in. Rejects with an `SshError` of phase
 * `handshake`, `host-key` or `auth`, and with the signal's reason; the socket is closed then.
 */
export async function openClient(hop: Hop, parts: ClientParts): Promise<Login> {
  const { ssh2, sock, credentials, hostKey, deadline, signal } = parts;
  const traffic = new PeerTraffic();
  const client = new ssh2.Client();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let phase: SshPhase = "handshake";
  let keyFault: SshError | undefined;
  let shown = new Uint8Array();
  const give = (state: string) => reject(keyFault ?? toError(hop, phase, state, credentials));
  client.on("error", (error) => {
    // If the agent can't be used, the other methods are still tried.
    if (error.level === "agent") return;
    // A proxy knows why it ended.
    if (error instanceof SshError) reject(keyFault ?? error);
    else give(wordsOfHost(error.message));
  });
  client.on("close", () => give("the host closed the connection"));
  client.on("handshake", () => phase = "auth");
  client.on("ready", resolve);
  traffic.onExcess(give);
  try {
    signal.throwIfAborted();
    const bounds = { signal, timeoutMs: deadline - performance.now() };
    using _deadline = firstOf(bounds, (expiry) => {
      if (expiry === "aborted") reject(signal.reason);
      else give(silence(hop, phase));
    });
    if (sock.errored instanceof SshError) reject(sock.errored);
    else if (sock.destroyed) give("the host closed the connection");
    client.connect({
      sock,
      username: hop.user,
      readyTimeout: 0,
      keepaliveInterval: hop.settings.keepaliveMs ?? KEEPALIVE_MS,
      keepaliveCountMax: hop.settings.keepaliveCount ?? KEEPALIVES,
      algorithms: { ...hop.settings.algorithms, serverHostKey: hostKey.algorithms },
      hostVerifier: (key) => {
        shown = new Uint8Array(key);
        keyFault = hostKey.verify(key);
        return keyFault === undefined;
      },
      authHandler: createAuthHandler(credentials.attempts),
    });
    allowCertificates(client._protocol);
    traffic.watch(sock);
    await promise;
    await hostKey.keep();
    return { client, sock, traffic, hop, shown: { key: shown, stamp: hostKey.stamp } };
  } catch (error) {
    client.destroy();
    sock.destroy();
    throw error;
  } finally {
    credentials.release();
  }
}

/** Tries the methods in order, except those that the server has said it does not accept. */
function createAuthHandler(attempts: readonly AuthAttempt[]) {
  const left = [...attempts];
  return (methods: readonly string[] | null): AuthAttempt | false => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const method = next.type === "agent" ? "publickey" : next.type;
      if (methods === null || methods.includes(method)) return next;
    }
    return false;
  };
}

function silence({ connectTimeoutMs }: Hop, phase: SshPhase): string {
  const what = phase === "auth" ? "the login is not answered" : "it is silent";
  return `${what}, after ${connectTimeoutMs / 1_000} s`;
}

function toError(
  { alias, user }: Hop,
  phase: SshPhase,
  state: string,
  { attempted }: Credentials,
): SshError {
  if (phase !== "auth") return new SshError(`Cannot speak SSH with "${alias}": ${state}`, phase);
  const tried = attempted.length === 0
    ? "there is no agent, no key file and no password"
    : `tried ${attempted.join(", ")}`;
  const refused = /authentication methods failed/.test(state) ? "refused" : state;
  return new SshError(`Cannot log in to "${alias}" as "${user}": ${refused}; ${tried}`, phase);
}

/** Bytes that may be queued for a peer that does not read. */
const MOST_UNREAD = 4 * 1024 * 1024;
/** Bytes that a peer may send in a row without any output of a command. */
const MOST_UNASKED = 1024 * 1024;
/**
 * Bytes that it may send in addition per millisecond, such as keep-alives, however long a command
 * runs.
 */
const BYTES_PER_MS = 1;
/** A packet of SSH (RFC 4253, section 6) that carries one byte takes up to 64. */
const BYTES_OF_PACKET = 64;

/**
 * Bounds what a peer can make this side keep or do: floods of requests, banners and key exchanges,
 * and answers that it does not read. Output of commands is not counted, because windows bound it.
 */
export class PeerTraffic {
  #left = MOST_UNASKED;
  #resting = false;
  #lastAt = performance.now();
  #excess: string | undefined;
  #listener: ((reason: string) => void) | undefined;

  /** Counts what arrives on a socket, which ssh2 has paused, because listening would start it. */
  watch(sock: Duplex): void {
    sock.on("data", (chunk: Uint8Array) => {
      const now = performance.now();
      this.#add((now - this.#lastAt) * BYTES_PER_MS);
      this.#lastAt = now;
      this.#left -= chunk.length;
      if (this.#left < 0) this.#exceed("it sends unrequested data without end");
      else if (sock.writableLength > MOST_UNREAD) this.#exceed("it does not read what it requests");
    });
  }

  /** Calls back once, with the reason, if the peer goes beyond the bounds. */
  onExcess(listener: (reason: string) => void): void {
    this.#listener = listener;
    if (this.#excess !== undefined) listener(this.#excess);
  }

  /** Counts output that was requested. */
  deliver(bytes: number): void {
    if (!this.#resting) this.#add(bytes * (BYTES_OF_PACKET + 1));
  }

  /** Starts counting again, with a new command. */
  restart(): void {
    this.#left = MOST_UNASKED;
    this.#resting = false;
  }

  /** No output is expected until the next command. */
  rest(): void {
    this.#resting = true;
  }

  #add(bytes: number): void {
    this.#left = Math.min(MOST_UNASKED, this.#left + bytes);
  }

  #exceed(reason: string): void {
    if (this.#excess !== undefined) return;
    this.#excess = reason;
    this.#listener?.(reason);
  }
}
