import type { OutputStream } from "@trestle/mcp-server";
import { ref } from "vue";
import { jobs, type OutputPart } from "../api/jobs.ts";
import type { OutputPiece } from "../terminal/output_window.ts";
import type { ShownOutput } from "./use_job_output.ts";
import { createTerminal } from "./use_terminal.ts";

/** Both streams of a job, as they were written: the end, and as much before it as was asked for. */
export interface MergedOutput extends ShownOutput {
  /** Forgets what is shown. */
  clear(): void;
  /** Loads what is before a place, such as `120-40`. */
  loadEnd(place: string): Promise<void>;
  /** Appends what a stream has just written. */
  append(stream: OutputStream, piece: OutputPiece): void;
}

const PART_BYTES = 128 * 1024;
/** Everything that is shown is drawn again when an earlier part is loaded. */
const MOST_CHARS = 8 * 1024 * 1024;

/** Creates the view of both streams of a job. */
export function createMergedOutput(id: string): MergedOutput {
  const terminal = createTerminal(MOST_CHARS);
  const size = ref(0);
  const hasEarlier = ref(false);
  let parts: OutputPart[] = [];
  let chars = 0;
  /** The offsets before what is shown. */
  let start = { stdout: 0, stderr: 0 };
  let isLoading = false;

  function write({ stream, at, text, gap }: OutputPart): void {
    if (gap !== undefined) terminal.note(`[${gap.to - gap.from} bytes of ${stream} are not kept]`);
    const time = at === undefined ? undefined : Date.parse(at);
    if (text !== undefined) terminal.write(text, stream, time);
  }

  function update(): void {
    hasEarlier.value = start.stdout + start.stderr > 0;
  }

  function trim(): void {
    while (chars > MOST_CHARS && parts.length > 1) {
      const [first] = parts.splice(0, 1);
      chars -= first?.text?.length ?? 0;
      const next = parts.find(({ stream }) => stream === first?.stream);
      const to = next?.offset ?? next?.gap?.from;
      if (first !== undefined && to !== undefined) start = { ...start, [first.stream]: to };
    }
  }

  async function load(before: string): Promise<OutputPart[]> {
    const { data } = await jobs.output(id, { before, limit: PART_BYTES });
    const [stdout = 0, stderr = 0] = data.start.split("-").map(Number);
    start = { stdout, stderr };
    for (const { text = "" } of data.parts) chars += text.length;
    return data.parts;
  }

  return {
    terminal,
    size,
    hasEarlier,
    clear() {
      parts = [];
      [chars, start, size.value] = [0, { stdout: 0, stderr: 0 }, 0];
      terminal.clear();
      update();
    },
    async loadEnd(place) {
      parts = await load(place);
      const [stdout = 0, stderr = 0] = place.split("-").map(Number);
      size.value = stdout + stderr;
      parts.forEach(write);
      update();
    },
    append(stream, { from, to, text }) {
      const part = { stream, offset: from, at: new Date().toISOString(), text };
      parts.push(part);
      chars += text?.length ?? 0;
      size.value += to - from;
      write(part);
      trim();
      update();
    },
    async loadEarlier() {
      if (isLoading) return;
      isLoading = true;
      try {
        parts = [...await load(`${start.stdout}-${start.stderr}`), ...parts];
        terminal.clear();
        parts.forEach(write);
        update();
      } finally {
        isLoading = false;
      }
    },
  };
}

/** All that is kept of both streams, as one text. */
export async function wholeOutput(id: string): Promise<string> {
  const pages: string[] = [];
  let before: string | undefined;
  do {
    const { data } = await jobs.output(id, { before, limit: 1024 * 1024 });
    pages.unshift(data.parts.map(({ text = "" }) => text).join(""));
    before = data.start;
  } while (before !== "0-0");
  return pages.join("");
}
