import type { Duplex } from "node:stream";
import { firstOf } from "../../../shared/deadline.ts";
import { allowCertificates } from "../login/certificate.ts";
import type { Credentials } from "../login/credentials.ts";
import type { HostKeyCheck, ShownKey } from "../host_key_store.ts";
import type { ConnectOptions } from "./open_socket.ts";
import { PeerTraffic } from "./peer_traffic.ts";
import type { Hop } from "../route.ts";
import type { AuthAttempt, Client, Ssh2 } from "../ssh2.ts";
import { SshError, type SshPhase, wordsOfHost } from "../ssh_error.ts";

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
