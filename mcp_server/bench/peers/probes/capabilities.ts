import type { Contender, Group } from "../servers/contender.ts";
import { startSession } from "../session.ts";

/** What a server does with its protocol. */
export interface Capabilities {
  /** Whether it speaks revision 2026-07-28 of MCP. */
  readonly modern: boolean;
  /** Notifications of progress while a command prints three lines; `undefined` without a command. */
  readonly progress: number | undefined;
}

/** Asks the servers of a group. */
export async function measureCapabilities(
  { contenders, slowLines }: Group,
): Promise<Capabilities[]> {
  return await Promise.all(contenders.map(async (contender) => ({
    modern: await speaksModern(contender),
    progress: slowLines === undefined ? undefined : await countProgress(contender, slowLines),
  })));
}

async function speaksModern({ program }: Contender): Promise<boolean> {
  try {
    await using _session = await startSession(program, "2026-07-28");
    return true;
  } catch {
    return false;
  }
}

async function countProgress({ program, call }: Contender, slowLines: string): Promise<number> {
  await using session = await startSession(program);
  let count = 0;
  await session.call(call(slowLines), { onProgress: () => count++ });
  return count;
}
