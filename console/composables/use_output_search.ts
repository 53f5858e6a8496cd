import type { JsonValue, OutputStream } from "@trestle/mcp-server";
import { type Ref, ref, type ShallowRef, shallowRef } from "vue";
import { calls } from "../api/calls.ts";
import { jobs } from "../api/jobs.ts";
import { type Problem, toProblem } from "../api/problem.ts";
import { isObject } from "../schema/field.ts";

/** A line of the output that has what is looked for. */
export interface OutputHit {
  readonly stream: OutputStream;
  /** Offset of its first byte. */
  readonly offset: number;
  readonly line: string;
}

/** A search in all output of a job that is kept. */
export interface OutputSearch {
  readonly hits: Readonly<ShallowRef<readonly OutputHit[] | undefined>>;
  /** Whether there is more to search. */
  readonly hasMore: Readonly<Ref<boolean>>;
  readonly isBusy: Readonly<Ref<boolean>>;
  readonly problem: Readonly<ShallowRef<Problem | undefined>>;
  /** Searches from the beginning up to the first hits; an empty text ends it. Never rejects. */
  search(text: string): Promise<void>;
  /** Searches further, up to the next hits. Never rejects. */
  more(): Promise<void>;
  /** The text before a hit, and from it on. Rejects with a `Problem`. */
  around(hit: OutputHit): Promise<readonly [before: string, after: string]>;
}

/** The tool that searches on the server. */
export const SEARCH_TOOL = "job-output";
const STREAMS = ["stdout", "stderr"] as const;
const AROUND = { before: 1_500, after: 3_000 };

/** Creates a search in the output of a job. */
export function useOutputSearch(id: string): OutputSearch {
  const hits = shallowRef<readonly OutputHit[]>();
  const hasMore = ref(false);
  const isBusy = ref(false);
  const problem = shallowRef<Problem>();
  let wanted = "";
  /** Where to go on in each stream; one that is searched to its end has no offset. */
  let next: Partial<Record<OutputStream, number>> = {};
  let turn = 0;

  async function searchStream(stream: OutputStream, offset: number): Promise<OutputHit[]> {
    const pattern = `(?i)${wanted.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&")}`;
    const args = { id, stream, offset, search: pattern };
    const { matches, nextOffset, end } = await calls.call({ tool: SEARCH_TOOL, args });
    next = { ...next, [stream]: Number(nextOffset) < Number(end) ? Number(nextOffset) : undefined };
    return Array.isArray(matches) ? matches.flatMap((match) => toHit(stream, match)) : [];
  }

  /** Nothing where a stream is not kept. */
  async function bytes(stream: OutputStream, from: number, to: number): Promise<ArrayBuffer> {
    return await jobs.bytes(id, stream, from, to).then(({ data }) => data, () => new ArrayBuffer());
  }

  const isUnfinished = () => STREAMS.some((stream) => next[stream] !== undefined);

  /** The server looks at a part of a long output at once. */
  async function advance(): Promise<void> {
    const own = ++turn;
    isBusy.value = true;
    problem.value = undefined;
    try {
      const before = hits.value?.length ?? 0;
      do {
        for (const stream of STREAMS) {
          const offset = next[stream];
          if (offset === undefined) continue;
          const found = await searchStream(stream, offset);
          if (own !== turn) return;
          hits.value = [...hits.value ?? [], ...found];
        }
      } while (isUnfinished() && hits.value?.length === before);
    } catch (error) {
      if (own === turn) problem.value = await toProblem(error);
    } finally {
      if (own === turn) {
        isBusy.value = false;
        hasMore.value = isUnfinished();
      }
    }
  }

  return {
    hits,
    hasMore,
    isBusy,
    problem,
    async search(text) {
      wanted = text;
      hits.value = text === "" ? undefined : [];
      next = text === "" ? {} : { stdout: 0, stderr: 0 };
      await advance();
    },
    more: advance,
    async around({ stream, offset }) {
      const from = Math.max(0, offset - AROUND.before);
      const [before, after] = await Promise.all([
        offset === 0 ? new ArrayBuffer() : bytes(stream, from, offset),
        bytes(stream, offset, offset + AROUND.after),
      ]);
      const decoder = new TextDecoder();
      return [decoder.decode(before), decoder.decode(after)];
    },
  };
}

function toHit(stream: OutputStream, match: JsonValue): OutputHit[] {
  if (!isObject(match)) return [];
  const { offset, text, line } = match;
  const shown = typeof line === "string" ? line : typeof text === "string" ? text : "";
  return [{ stream, offset: Number(offset), line: shown }];
}
