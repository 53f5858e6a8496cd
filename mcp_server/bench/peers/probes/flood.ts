import type { Contender, Group } from "../servers/contender.ts";
import { memoryOf } from "./processes.ts";
import { startSession } from "../session.ts";

/** What becomes of a server whose work has about 200 MB of output. */
export interface Flood {
  /** Bytes that the client received. */
  readonly bytes: number;
  readonly isError: boolean;
  /** Whether the answer says that a part is missing; `undefined` if all of it came. */
  readonly saysSo: boolean | undefined;
  readonly ms: number;
  /** MiB that the server and its helpers used at most. */
  readonly peak: number;
  /** Whether it answers the next call. */
  readonly survives: boolean;
}

/** About as much as the work has; an answer of this size is complete. */
const COMPLETE_BYTES = 100_000_000;
/** Texts that say that something was left out. */
const NOTICE =
  /truncat|left out|omit|exceed|evict|remaining|maxbuffer|too (large|long|big)|larger than|limit|nextOffset/i;

/** Floods a server of its own for each contender, one after another. */
export async function measureFlood(group: Group): Promise<Flood[]> {
  const floods: Flood[] = [];
  for (const contender of group.contenders) floods.push(await flood(group, contender));
  return floods;
}

async function flood({ trivial, expected, ...group }: Group, contender: Contender): Promise<Flood> {
  await using session = await startSession(contender.program);
  const { bytes, isError, text, ms } = await session.call(contender.call(group.flood));
  const { peak } = memoryOf(session.pid);
  const next = await session.call(contender.call(trivial));
  return {
    bytes,
    isError,
    saysSo: bytes >= COMPLETE_BYTES ? undefined : saysWhatIsMissing(text),
    ms,
    peak,
    survives: !next.isError && next.text.includes(expected),
  };
}

/** Whether a text, apart from the output itself, says that a part of it is missing. */
export function saysWhatIsMissing(text: string): boolean {
  return NOTICE.test(text.replaceAll(/x{2,}/g, ""));
}
