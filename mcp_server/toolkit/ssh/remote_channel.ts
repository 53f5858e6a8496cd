import type { RemoteOutput } from "./remote_output.ts";
import type { Channel } from "./ssh2.ts";

const MOST_NAME = 64;

/** A command that runs on another host. */
export interface RemoteChannel {
  readonly channel: Channel;
  /** Resolves when its first process has ended. */
  readonly ended: Promise<"ended">;
  /** Resolves when nothing holds its output any more. */
  readonly closed: Promise<void>;
  /** How it ended; neither where the host did not say. */
  exit: { code?: number; signal?: string };
}

/** Listens to a channel from the moment it is there, and closes the command's standard input. */
export function watchChannel(channel: Channel, output: RemoteOutput): RemoteChannel {
  const ended = Promise.withResolvers<"ended">();
  const closed = Promise.withResolvers<void>();
  const run: RemoteChannel = { channel, ended: ended.promise, closed: closed.promise, exit: {} };
  channel.on("exit", (code: number | null, signal?: string) => {
    run.exit = code === null ? { signal: toSignalName(signal) } : { code };
    ended.resolve("ended");
  });
  channel.on("close", () => {
    closed.resolve();
    ended.resolve("ended");
  });
  output.read(channel);
  channel.end();
  return run;
}

/** A name of a signal as RFC 4254 has it (section 6.10), whatever the host calls it. */
function toSignalName(name = ""): string {
  return name.replaceAll(/[^\w@.+-]/g, "").slice(0, MOST_NAME);
}
