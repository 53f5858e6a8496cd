import type { Socket } from "node:net";
import { isSameKey } from "../known_hosts.ts";
import type { Agent, AgentKey, Ssh2 } from "../ssh2.ts";

/** How long an agent may take to list its keys; signing may wait for its user. */
const LIST_MS = 3_000;

/** An agent whose open requests end with their login. */
export interface BoundedAgent {
  /** What ssh2 asks for keys and signatures. */
  readonly agent: Agent;
  /** Closes the connections to it, so that unanswered requests fail. */
  release(): void;
}

/**
 * Connects to the agent behind a socket. If it does not list its keys within 3 s, its requests fail,
 * so that key files and the password are still tried. With `findOnly`, its other keys are not used.
 */
export function openAgent(
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
