import type { OutputStream } from "../../tool/command.ts";
import { JobError } from "../../tool/job.ts";
import type { JobService, OutputPart } from "../../tool/job_service.ts";

/** How much is read at once, in bytes. */
const PART_BYTES = 1024 * 1024;

/**
 * All that is kept of a stream from an offset up to its present end, in parts: at least one, which
 * may be empty. Where the offset of a part is not the end of the one before, bytes are not kept.
 * Other calls go on between the parts. Rejects as `JobService.read()` does for the first part, unless
 * that begins where the gap ends.
 */
export async function* keptOutput(
  jobs: Pick<JobService, "read">,
  id: string,
  { stream, offset, skipsGap = false }: {
    readonly stream: OutputStream;
    readonly offset: number;
    /** Whether an offset in the gap is that of its end. @default {false} */
    readonly skipsGap?: boolean;
  },
): AsyncGenerator<OutputPart, void> {
  const request = { stream, limit: PART_BYTES };
  let part = skipsGap
    ? await readFrom(jobs, id, { ...request, offset })
    : await jobs.read(id, { ...request, offset });
  const { end } = part.range;
  while (true) {
    yield part;
    if (part.bytes.length === 0 || part.nextOffset >= end) return;
    await new Promise((resolve) => setTimeout(resolve));
    part = await readFrom(jobs, id, { ...request, offset: part.nextOffset });
  }
}

/** Reads on where there is output again if the gap has grown over the offset. */
async function readFrom(
  jobs: Pick<JobService, "read">,
  id: string,
  request: Parameters<JobService["read"]>[1],
): Promise<OutputPart> {
  try {
    return await jobs.read(id, request);
  } catch (error) {
    if (!(error instanceof JobError) || error.nextOffset === undefined) throw error;
    return await jobs.read(id, { ...request, offset: error.nextOffset });
  }
}
