import { type ShallowRef, shallowRef } from "vue";
import { type OutputSource, TerminalBuffer } from "../terminal/terminal_buffer.ts";

/** Output that is drawn at most once a frame, however fast it comes. */
export interface Terminal {
  /** Changes when there is something new to draw. */
  readonly revision: Readonly<ShallowRef<number>>;
  /** The lines; replaced by `clear()`. */
  readonly buffer: TerminalBuffer;
  /** Appends output, which came at a time in milliseconds since 1970. */
  write(text: string, source: OutputSource, at?: number): void;
  note(text: string): void;
  /** Removes everything. */
  clear(): void;
}

/** How many characters a page shows; more of a job's output is loaded on request. */
const MOST_CHARS = 1_000_000;

/** Creates a terminal that keeps so many characters. */
export function createTerminal(maxChars: number = MOST_CHARS): Terminal {
  const revision = shallowRef(0);
  let buffer = new TerminalBuffer(maxChars);
  let isScheduled = false;

  /** A page in the background gets no frames, and is drawn when it is visible again. */
  function draw(): void {
    if (isScheduled) return;
    isScheduled = true;
    requestAnimationFrame(() => {
      isScheduled = false;
      revision.value++;
    });
  }

  return {
    revision,
    get buffer() {
      return buffer;
    },
    write(text, source, at) {
      buffer.write(text, source, at);
      draw();
    },
    note(text) {
      buffer.note(text);
      draw();
    },
    clear() {
      buffer = new TerminalBuffer(maxChars);
      draw();
    },
  };
}
