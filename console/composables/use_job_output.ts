import type { Job, OutputStream } from "@trestle/mcp-server";
import { type Ref, ref } from "vue";
import { jobs } from "../api/jobs.ts";
import { Problem } from "../api/problem.ts";
import { type OutputPiece, OutputWindow, partBefore, toPiece } from "../terminal/output_window.ts";
import { createTerminal, type Terminal } from "./use_terminal.ts";

/** Output of a job, as it is shown. */
export interface ShownOutput {
  readonly terminal: Terminal;
  /** How many bytes there are so far. */
  readonly size: Readonly<Ref<number>>;
  /** Whether there is more before what is shown. */
  readonly hasEarlier: Readonly<Ref<boolean>>;
  /** Loads the part before what is shown. */
  loadEarlier(): Promise<void>;
}

/** Takes a stream as it was written, with its control sequences. */
export interface RawReader {
  /** Takes what comes now, or, with `isPast`, what was shown before: nobody waits for answers to that. */
  write(text: string, isPast: boolean): void;
  /** Forgets what was written: all of it follows again. */
  reset(): void;
}

/** One stream of a job: its end, which grows, and as much before it as the user has asked for. */
export interface JobOutput extends ShownOutput {
  /** Passes on what is shown and what is appended; returns how to stop that. */
  read(reader: RawReader): () => void;
  /** Forgets what is shown: a job that is started again writes anew. */
  clear(): void;
  /** Loads the end of the stream; returns the offset after it. */
  loadEnd(job: Job): Promise<number>;
  /** Appends what has just been written. */
  append(piece: OutputPiece): void;
}

const PART_BYTES = 128 * 1024;
/** Everything that is shown is drawn again when an earlier part is loaded. */
const MOST_BYTES = 8 * 1024 * 1024;

/** Creates the view of one stream of a job. */
export function createJobOutput(id: string, stream: OutputStream): JobOutput {
  const terminal = createTerminal(MOST_BYTES);
  let window = new OutputWindow();
  const size = ref(0);
  const hasEarlier = ref(false);
  const readers = new Set<RawReader>();
  let isLoading = false;

  function write({ from, to, text }: OutputPiece, isPast: boolean): void {
    if (text === undefined) return terminal.note(`[${to - from} bytes are not kept]`);
    terminal.write(text, stream);
    for (const reader of readers) reader.write(text, isPast);
  }

  function empty(): void {
    terminal.clear();
    for (const reader of readers) reader.reset();
  }

  function append(piece: OutputPiece, isPast = false): void {
    for (const added of window.append(piece)) write(added, isPast);
    window.trim(MOST_BYTES);
    size.value = window.end;
    hasEarlier.value = window.start > 0;
  }

  function clear(): void {
    window = new OutputWindow();
    empty();
    size.value = 0;
    hasEarlier.value = false;
  }

  async function load(from: number, to: number): Promise<OutputPiece> {
    const { data } = await jobs.bytes(id, stream, from, to);
    return toPiece(new Uint8Array(data), from);
  }

  async function loadEnd({ output }: Job): Promise<number> {
    const { end, gap } = output[stream];
    const part = partBefore(end, gap, PART_BYTES);
    if (part === undefined) return 0;
    const piece = await load(part.from, part.to).catch(ignoreMoved);
    if (piece === undefined) return end;
    append(piece, true);
    return piece.to;
  }

  async function loadEarlier(): Promise<void> {
    if (isLoading) return;
    isLoading = true;
    try {
      const { data: job } = await jobs.get(id);
      const part = partBefore(window.start, job.output[stream].gap, PART_BYTES);
      const piece = part && await load(part.from, part.to).catch(ignoreMoved);
      if (piece === undefined) return;
      window.prepend(piece);
      empty();
      for (const one of window.pieces) write(one, true);
      hasEarlier.value = window.start > 0;
    } finally {
      isLoading = false;
    }
  }

  function read(reader: RawReader): () => void {
    for (const { text = "" } of window.pieces) reader.write(text, true);
    readers.add(reader);
    return () => void readers.delete(reader);
  }

  return { terminal, size, hasEarlier, clear, loadEnd, append, loadEarlier, read };
}

/** While a job writes, what was kept a moment ago may be in the gap now. */
function ignoreMoved(error: unknown): undefined {
  if (error instanceof Problem && error.status === 416) return undefined;
  throw error;
}
