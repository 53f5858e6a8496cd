import type { OutputEvent } from "./command.ts";

/** How output is reduced before it is reported while a command runs. */
export interface DigestOptions {
  /** Called at most once an interval, with at most `maxChars` of each stream. */
  readonly emit: (event: OutputEvent) => void;
  readonly intervalMs: number;
  readonly maxChars: number;
}

interface Held {
  readonly event: Omit<OutputEvent, "bytes">;
  readonly parts: string[];
  chars: number;
  skipped: number;
}

/**
 * Gathers output and passes it on at intervals, so that a flood of output can't flood a client.
 * Output beyond `maxChars` in an interval is left out, and a line says how much; the result of the
 * command still has the first and last part of the output.
 */
export class OutputDigest implements Disposable {
  readonly #options: DigestOptions;
  readonly #held = new Map<string, Held>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Takes where the output goes, and how much of it. */
  constructor(options: DigestOptions) {
    this.#options = options;
  }

  /** Takes one piece of output. */
  add(event: OutputEvent): void {
    if (event.text === "") return;
    const held = this.#heldFor(event);
    const room = this.#options.maxChars - held.chars;
    const kept = wholeCharacters(event.text.slice(0, Math.max(room, 0)));
    held.skipped += event.text.length - kept.length;
    held.chars += kept.length;
    if (kept !== "") held.parts.push(kept);
    this.#timer ??= setTimeout(() => this.flush(), this.#options.intervalMs);
  }

  /** Passes on what it holds. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const all = [...this.#held.values()];
    this.#held.clear();
    for (const { event, parts, skipped } of all) {
      const note = skipped === 0 ? "" : `\n[... ${skipped} characters not shown here ...]\n`;
      this.#options.emit({ ...event, text: parts.join("") + note });
    }
  }

  /** Passes on what it holds, for the last time. */
  [Symbol.dispose](): void {
    this.flush();
  }

  #heldFor({ bytes: _, ...event }: OutputEvent): Held {
    const key = `${event.stream} ${event.command ?? ""} ${event.host ?? ""}`;
    const held = this.#held.get(key) ?? { event, parts: [], chars: 0, skipped: 0 };
    this.#held.set(key, held);
    return held;
  }
}

/** Removes a character of which only the first half has arrived. */
function wholeCharacters(text: string): string {
  return text.isWellFormed() ? text : text.replace(/[\uD800-\uDBFF]$/, "");
}
