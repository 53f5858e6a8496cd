import type { Program } from "../counting_transport.ts";
import type { Call, Session } from "../session.ts";

/** A server that can do what a group is about. */
export interface Contender {
  readonly name: string;
  readonly program: Program;
  /** The call that does a piece of work: a shell command, a path to read, or a query. */
  call(work: string): Call;
  /** How a call ends without its client; absent if the server has nothing of the kind. */
  readonly ownStop?: OwnStop;
}

/** The way in which a server itself ends what runs too long. */
export interface OwnStop {
  /** Such as "time-out". */
  readonly name: string;
  /** How the server is started for it, if that differs. */
  readonly program?: Program;
  /** Starts the work and lets the server end it; resolves when the server says that it has. */
  run(session: Session, work: string): Promise<void>;
}

/** The purposes for which servers are compared. */
export const GROUP_NAMES = ["commands", "files", "postgres", "sqlite", "ssh"] as const;

/** Servers for the same purpose, ours first, and what they are measured with. */
export interface Group {
  readonly name: typeof GROUP_NAMES[number];
  readonly title: string;
  readonly contenders: readonly Contender[];
  /** The same servers, started so that they may only read; absent if there is no such mode. */
  readonly readOnly?: readonly Contender[];
  /** A command that prints three lines slowly; absent if the servers run none. */
  readonly slowLines?: string;
  /** The smallest piece of work, which takes the servers hardly any time. */
  readonly trivial: string;
  /** What the answer to it contains. */
  readonly expected: string;
  /** Work with about 200 MB of output, or a million rows. */
  readonly flood: string;
}

/** A way to end a call by a time-out among the arguments. */
export function timeOutOf(call: (work: string) => Call): OwnStop {
  return {
    name: "time-out",
    run: async (session, work) => void await session.call(call(work)),
  };
}
