import type { Connection } from "./connection.ts";
import { createMarker } from "./exec_line.ts";
import { endHoldersScript, stopScript } from "./stop_script.ts";

/** Whether the processes of a stopped command are gone; `"unknown"` where nobody could look. */
export type Stopped = boolean | "unknown";

/** SIGTERM, 2 s, SIGKILL, 1 s, and the way there and back. */
const STOP_MS = 5_000;
const HOLDERS_MS = 1_000;
const MOST_ANSWER = 10_000;

/** Ends a command's process group through a second channel, and looks that it is gone. */
export async function stopRemote(connection: Connection, group: number): Promise<Stopped> {
  const marker = createMarker();
  const script = stopScript(group, marker);
  const answer = await ask(connection, script, { marker, answer: "(gone|left)", ms: STOP_MS });
  return answer === undefined ? "unknown" : answer === "gone";
}

/** Ends the background processes that hold a finished command's output; tells how many. */
export async function endHolders(connection: Connection, group: number): Promise<number> {
  const marker = createMarker();
  const script = endHoldersScript(group, marker);
  const answer = await ask(connection, script, {
    marker,
    answer: "ended (\\d{1,9})",
    ms: HOLDERS_MS,
  });
  return Number(answer ?? 0);
}

interface Question {
  /** Stands before the answer: a login shell may print anything before the script runs. */
  readonly marker: string;
  /** A pattern whose group is the answer. */
  readonly answer: string;
  readonly ms: number;
}

/** Runs a script and gives the part of its output that is waited for, without waiting for its end. */
async function ask(
  connection: Connection,
  script: string,
  { marker, answer, ms }: Question,
): Promise<string | undefined> {
  const line = new RegExp(`${marker} ${answer}\n`);
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const timer = setTimeout(() => resolve(undefined), ms);
  const forget = connection.onLost(() => resolve(undefined));
  connection.exec(script, (channel) => {
    let text = "";
    channel.on("data", (chunk: Uint8Array) => {
      text = (text + new TextDecoder().decode(chunk)).slice(-MOST_ANSWER);
      const found = line.exec(text)?.[1];
      if (found !== undefined) resolve(found);
    });
    channel.stderr.resume();
    channel.on("close", () => resolve(undefined));
    channel.end();
  }).catch(() => resolve(undefined));
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    forget();
  }
}
