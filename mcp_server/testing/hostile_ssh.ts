import type { Buffer } from "node:buffer";
import { generateKeyPairSync } from "node:crypto";
import type { Socket } from "node:net";
import type { Duplex, Writable } from "node:stream";
import ssh2 from "ssh2";
import { createTempFolder } from "../../test_support/temp_folder.ts";
import { ok } from "node:assert/strict";
import type { ToolModule } from "../tool/tool.ts";
import { createSshTool, type SshTool } from "./ssh_tool.ts";

/** The server's side of a channel of ssh2. */
interface ServerChannel extends Duplex {
  readonly stderr: Writable;
  readonly outgoing: { readonly id: number };
  exit(code: number): void;
  exit(signal: string, coreDumped: boolean, message: string): void;
  close(): void;
}

/** The packets that a peer may send at any time, whether they are allowed or not. */
interface RawProtocol {
  channelData(id: number, data: Buffer): void;
  channelExtData(id: number, data: Buffer, type: number): void;
  channelEOF(id: number): void;
  channelClose(id: number): void;
  exitStatus(id: number, code: number): void;
  /** Sends a global request that wants a reply. */
  ping(): void;
  readonly _cipher: { encrypt(packet: Buffer): void };
  readonly _packetRW: {
    readonly write: {
      readonly allocStart: number;
      alloc(length: number): Buffer;
      finalize(packet: Buffer): Buffer;
    };
  };
}

/** One connection as the peer sees it. */
export interface PeerConnection {
  readonly _protocol: RawProtocol;
  readonly _sock: Socket;
  rekey(done?: (error?: Error) => void): void;
}

/** A command that a client wants to run. */
export interface PeerExec {
  /** The client's whole command line. */
  readonly line: string;
  readonly connection: PeerConnection;
  /** Opens the channel and sends the marker line of the command, as a login shell would. */
  accept(): ServerChannel;
  /** Opens the channel and sends nothing. */
  acceptSilently(): ServerChannel;
  reject(): void;
}

/** The server's side of a channel of SFTP: emits requests in the words of the protocol, and answers. */
export interface PeerSftp {
  readonly outgoing: { readonly id: number };
  on(request: string, listener: (id: number, ...args: unknown[]) => void): this;
  handle(id: number, handle: Buffer): void;
  data(id: number, data: Buffer): void;
  attrs(id: number, attributes: object): void;
  name(id: number, names: readonly object[]): void;
  status(id: number, code: number, message?: string): void;
  end(): void;
}

/** How a peer behaves; what is left out, it does as a correct server does. */
export interface PeerBehavior {
  /** Answers an attempt to log in. @default {accepts it} */
  readonly onAuth?: (attempt: PeerAuth, connection: PeerConnection) => void;
  /** Called with each connection that has logged in. */
  readonly onReady?: (connection: PeerConnection) => void;
  /** Answers a request for a session. @default {accepts it} */
  readonly onSession?: (accept: () => void, connection: PeerConnection) => void;
  /** Answers a command. @default {prints its marker and "ok", and ends with 0} */
  readonly onExec?: (exec: PeerExec) => void;
  /** Answers a request for SFTP with a channel, which the test serves. @default {refuses it} */
  readonly onSftp?: (open: () => PeerSftp, connection: PeerConnection) => void;
  /** The banner to send before the login. */
  readonly banner?: string;
}

/** An attempt to log in. */
interface PeerAuth {
  readonly method: string;
  accept(): void;
  reject(methods?: readonly string[]): void;
}

/** An SSH server for one test, which misbehaves as the test requests. */
export interface HostilePeer extends AsyncDisposable {
  /** `127.0.0.1:<port>`. */
  readonly host: string;
  readonly port: number;
  /** A home folder with its key in known_hosts, and with a key that it accepts. */
  readonly home: string;
  /** The sockets of its open connections. */
  readonly sockets: ReadonlySet<Socket>;
}

interface Session {
  on(event: "sftp", listener: (accept: () => PeerSftp) => void): void;
  on(
    event: "exec",
    listener: (accept: () => ServerChannel, reject: () => void, info: {
      command: string;
    }) => void,
  ): void;
}

interface ServerConnection extends PeerConnection {
  on(event: "authentication", listener: (attempt: PeerAuth) => void): this;
  on(event: "session", listener: (accept: () => Session) => void): this;
  on(event: "ready", listener: () => void): this;
  on(event: "error", listener: () => void): this;
}

interface SshServer {
  readonly _srv: { on(event: "connection", listener: (socket: Socket) => void): void };
  on(event: "error", listener: () => void): this;
  listen(port: number, host: string, done: () => void): void;
  address(): { port: number };
  close(done: () => void): void;
}

const MARKER = /trestle-[0-9a-f]{32}/;
/** The process id that the peer reports for its commands; no process has it. */
const PEER_GROUP = 4_194_305;

/** The keys of all peers of a process: an RSA key takes longer to make than all else of a peer. */
let keys: Readonly<Record<"hostKey" | "ownKey", Key>> | undefined;

/** Starts a peer on a free port of 127.0.0.1. */
export async function startHostilePeer(behavior: PeerBehavior = {}): Promise<HostilePeer> {
  await using stack = new AsyncDisposableStack();
  const { path: home } = stack.use(await createTempFolder());
  const { hostKey, ownKey } = keys ??= { hostKey: makeKey(), ownKey: makeKey() };
  const { Server } = ssh2 as {
    Server: new (
      config: object,
      listener: (connection: ServerConnection) => void,
    ) => SshServer;
  };
  const { banner } = behavior;
  const server = new Server(
    { hostKeys: [hostKey.text], banner },
    (connection) => serve(connection, behavior),
  );
  const sockets = new Set<Socket>();
  server.on("error", () => {});
  server._srv.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  stack.defer(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise<void>((resolve) => server.close(resolve));
  });
  const { port } = server.address();
  await Deno.mkdir(`${home}/.ssh`);
  await Deno.writeTextFile(`${home}/.ssh/id_rsa`, ownKey.text, { mode: 0o600 });
  await Deno.writeTextFile(`${home}/.ssh/known_hosts`, `[127.0.0.1]:${port} ${hostKey.known}\n`);
  const owned = stack.move();
  return {
    host: `127.0.0.1:${port}`,
    port,
    home,
    sockets,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

function serve(connection: ServerConnection, behavior: PeerBehavior): void {
  const { onAuth, onReady, onSession, onSftp, onExec = answerOk } = behavior;
  connection.on("error", () => {});
  connection.on("authentication", (attempt) => {
    if (onAuth === undefined) attempt.accept();
    else onAuth(attempt, connection);
  });
  connection.on("ready", () => onReady?.(connection));
  connection.on("session", (accept) => {
    const open = () => {
      const session = accept();
      if (onSftp !== undefined) session.on("sftp", (accept) => onSftp(accept, connection));
      session.on("exec", (acceptExec, reject, { command: line }) =>
        onExec({
          line,
          connection,
          reject,
          acceptSilently: () => withErrors(acceptExec()),
          accept: () => {
            const channel = withErrors(acceptExec());
            if (!isStop({ line })) channel.write(`${markerOf({ line })} ${PEER_GROUP}\n`);
            return channel;
          },
        }));
    };
    if (onSession === undefined) open();
    else onSession(open, connection);
  });
}

function withErrors(channel: ServerChannel): ServerChannel {
  channel.on("error", () => {});
  channel.resume();
  return channel;
}

/** Answers a command as a correct server does, and a script that stops one with "gone". */
export function answerOk(exec: PeerExec): void {
  const channel = exec.accept();
  channel.write(isStop(exec) ? `${markerOf(exec)} gone\n` : "ok\n");
  channel.exit(0);
  channel.end();
}

/** Whether the client sends this command to stop another one. */
export function isStop({ line }: Pick<PeerExec, "line">): boolean {
  return /sleep 0\.05/.test(line);
}

/** The marker that a command, or a script that stops one, prints first. */
export function markerOf({ line }: Pick<PeerExec, "line">): string {
  return MARKER.exec(line)?.[0] ?? "";
}

/** Reports that a signal of any name ended a command (RFC 4254, section 6.10). */
export function sendExitSignal(connection: PeerConnection, id: number, name: string): void {
  const end = [0, ...text(name), 0, ...text(""), ...text("")];
  sendPayload(connection, [98, ...uint32(id), ...text("exit-signal"), ...end]);
}

/** Codes of reasons (RFC 4253, section 11.1). */
export const DISCONNECT = { protocolError: 2, byApplication: 11 } as const;

/** Disconnects with a description that may be any text (RFC 4253, section 11.1). */
export function sendDisconnect(
  connection: PeerConnection,
  why: string,
  reason: number = DISCONNECT.protocolError,
): void {
  sendPayload(connection, [1, ...uint32(reason), ...text(why), ...text("")]);
}

function sendPayload({ _protocol }: PeerConnection, payload: readonly number[]): void {
  const { write } = _protocol._packetRW;
  const packet = write.alloc(payload.length);
  packet.set(payload, write.allocStart);
  _protocol._cipher.encrypt(write.finalize(packet));
}

function text(value: string): number[] {
  return [...uint32(value.length), ...new TextEncoder().encode(value)];
}

function uint32(value: number): number[] {
  return [24, 16, 8, 0].map((shift) => (value >>> shift) & 0xff);
}

/** A private key in PEM, and what known_hosts says of its public key. */
interface Key {
  readonly text: string;
  readonly known: string;
}

function makeKey(): Key {
  const { privateKey } = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    privateKeyEncoding: { type: "pkcs1", format: "pem" },
    publicKeyEncoding: { type: "pkcs1", format: "pem" },
  });
  const { utils } = ssh2 as {
    utils: { parseKey(text: string): { type: string; getPublicSSH(): Buffer } };
  };
  const parsed = utils.parseKey(privateKey);
  return { text: privateKey, known: `${parsed.type} ${parsed.getPublicSSH().toString("base64")}` };
}

/**
 * Runs a test of `ssh-exec` with a peer, and then waits until this process has no socket to it.
 */
export async function withPeer(
  register: ToolModule,
  behavior: PeerBehavior,
  fn: (tool: SshTool, peer: HostilePeer) => Promise<void>,
): Promise<void> {
  await using peer = await startHostilePeer(behavior);
  // Both sides share one thread, and the machine may be busy.
  await Deno.writeTextFile(`${peer.home}/.ssh/config`, "ConnectTimeout 120\n");
  {
    await using tool = await createSshTool(register, { HOME: peer.home, USER: "u" });
    await fn(tool, peer);
  }
  await untilClosed(peer.port);
}

/** Waits until this process has no more sockets to a port. */
export async function untilClosed(port: number): Promise<void> {
  const hex = port.toString(16).toUpperCase().padStart(4, "0");
  const deadline = performance.now() + 20_000;
  const open = async () => {
    const table = await Deno.readTextFile("/proc/self/net/tcp");
    const rows = table.split("\n").map((row) => row.trim().split(/\s+/));
    return rows.filter(([, , remote = "", , , , , , , inode]) =>
      remote.endsWith(`:${hex}`) && inode !== "0"
    );
  };
  while ((await open()).length > 0) {
    ok(performance.now() < deadline, `${(await open()).length} sockets are open`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
