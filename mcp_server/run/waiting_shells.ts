import type { Log } from "../shared/log.ts";
import { messageOf } from "../shared/error.ts";
import type { CommandGroup } from "./command_group.ts";
import type { CommandGroups } from "./command_groups.ts";
import { toWaiting } from "./join_group.ts";
import { spawnSession } from "./spawn_session.ts";
import type { Env } from "./start_child.ts";

/** A shell that has joined a control group, and becomes the program that it is ordered to. */
export interface WaitingShell {
  readonly child: Deno.ChildProcess;
  readonly group: CommandGroup;
  /** The first word of its messages. */
  readonly mark: string;
}

/** What shells wait with. */
export interface WaitingParts {
  readonly groups: Pick<CommandGroups, "take" | "settle">;
  /** The environment that children inherit, without the server's secrets. */
  readonly env: Env;
  readonly log: Log;
}

/** As many as are started one after the other in the time that one takes. */
const WAITING = 2;

/**
 * Shells that wait in control groups for their commands. Joining a group makes the kernel wait for a
 * grace period of RCU, some 10 ms, unless another process has joined one just before: a shell that
 * has joined earlier makes a command start as fast as without groups.
 */
export class WaitingShells {
  readonly #parts: WaitingParts;
  readonly #ready: WaitingShell[] = [];
  #starting: Promise<void> | undefined;
  #closed = false;

  /** Takes what shells wait with; the first is started after the first command. */
  constructor(parts: WaitingParts) {
    this.#parts = parts;
  }

  /** Takes a shell, if one waits; starts others if that was the last. */
  take(): WaitingShell | undefined {
    const shell = this.#ready.shift();
    if (this.#ready.length === 0) this.refill();
    return shell;
  }

  /** Starts shells for those that were taken; best while no command runs that it would delay. */
  refill(): void {
    this.#starting ??= this.#fill();
  }

  /** Resolves when no shell is being started. */
  async settled(): Promise<void> {
    await this.#starting;
  }

  /** Ends the shells that still wait. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.settled();
    await Promise.all(this.#ready.splice(0).map((shell) => this.#end(shell)));
    this.#closed = false;
  }

  /** Ends a shell that no command needs, and returns its group; never rejects. */
  async discard(shell: WaitingShell): Promise<void> {
    try {
      await this.#end(shell);
    } catch (error) {
      this.#parts.log.error("the group of a shell can't be returned", { reason: messageOf(error) });
    }
  }

  async #fill(): Promise<void> {
    // The command that has just been taken goes first.
    await new Promise((resolve) => setTimeout(resolve));
    try {
      while (!this.#closed && this.#ready.length < WAITING) await this.#start();
    } catch (error) {
      this.#parts.log.error("no shell can wait for commands", { reason: messageOf(error) });
    } finally {
      this.#starting = undefined;
    }
  }

  async #start(): Promise<void> {
    const { groups, env } = this.#parts;
    const group = await groups.take();
    const mark = crypto.randomUUID();
    try {
      const child = await spawnSession(toWaiting(env, { procs: group.procs, mark }));
      // A server that does nothing else may end.
      child.unref();
      const shell = { child, group, mark };
      this.#ready.push(shell);
      void child.status.then(() => this.#remove(shell));
    } catch (error) {
      await groups.settle(group);
      throw error;
    }
  }

  /** Removes a shell that something has ended while it waited: it is of no use. */
  async #remove(shell: WaitingShell): Promise<void> {
    const at = this.#ready.indexOf(shell);
    if (at < 0) return;
    this.#ready.splice(at, 1);
    await this.discard(shell);
  }

  async #end({ child, group }: WaitingShell): Promise<void> {
    child.ref();
    const closed = [child.stdin.close(), child.stdout.cancel(), child.stderr.cancel()];
    await Promise.allSettled(closed);
    await child.status;
    await this.#parts.groups.settle(group);
  }
}
