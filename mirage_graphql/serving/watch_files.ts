import { stat } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";

/** How long nothing must change before it is reported: editors write a file in several steps. */
const QUIET_MS = 60;
/** The pause between two looks. */
const PAUSE_MS = 150;
/** A pause is at least this many times as long as the look before it, which bounds what looks cost. */
const PAUSES_PER_LOOK = 20;

/** What is looked at, and what follows a change. */
export interface WatchOptions {
  /** A text that is another one after a change, such as that of {@linkcode fingerprintOf}. */
  readonly look: () => Promise<string>;
  /** The text as of what has been read already. */
  readonly seen: string;
  /** Called once for a series of changes; the next call waits for its end. */
  readonly onChange: () => Promise<void>;
}

/**
 * Looks at files again and again, until it is disposed of; that alone keeps no process running.
 *
 * They are not subscribed to, because looks have no limit of the system, and work for network
 * drives, folders that are mounted into containers, links, and folders that are removed and come
 * back.
 */
export function watchFiles(options: WatchOptions): AsyncDisposable {
  const ending = new AbortController();
  const watching = watch(options, ending.signal);
  return {
    async [Symbol.asyncDispose]() {
      ending.abort();
      await watching;
    },
  };
}

async function watch({ look, seen, onChange }: WatchOptions, signal: AbortSignal): Promise<void> {
  let before = seen;
  let changed: string | undefined;
  let pause = PAUSE_MS;
  while (await waits(changed === undefined ? pause : QUIET_MS, signal)) {
    const started = performance.now();
    const now = await look();
    pause = Math.max(PAUSE_MS, PAUSES_PER_LOOK * (performance.now() - started));
    if (signal.aborted) return;
    if (now !== changed) {
      changed = now === before ? undefined : now;
      continue;
    }
    before = now;
    changed = undefined;
    await onChange();
  }
}

/** Waits; `false` at once if the signal aborts. */
async function waits(ms: number, signal: AbortSignal): Promise<boolean> {
  return await wait(ms, true, { signal, ref: false }).catch(() => false);
}

/** The list of files, and for each when it was changed and its size, or why that is unknown. */
export async function fingerprintOf(files: readonly string[]): Promise<string> {
  const lines = await Promise.all(files.map(async (path) => {
    try {
      const { mtimeNs, ctimeNs, size } = await stat(path, { bigint: true });
      return [path, mtimeNs, ctimeNs, size].join(" ");
    } catch (error) {
      return `${path} ${error instanceof Error && "code" in error ? error.code : error}`;
    }
  }));
  return lines.join("\n");
}
