/** The file in which Linux counts the nanoseconds of a thread, first those on a processor. */
const COUNT = "schedstat";

/**
 * The processor time of a process in milliseconds, of all threads that it has. It depends less than
 * elapsed time on what else the machine does.
 */
export function processorMs(pid: number = Deno.pid): number {
  let nanoseconds = 0;
  for (const { name } of Deno.readDirSync(`/proc/${pid}/task`)) {
    nanoseconds += Number(readCount(`/proc/${pid}/task/${name}/${COUNT}`).split(" ")[0]);
  }
  return nanoseconds / 1e6;
}

function readCount(file: string): string {
  try {
    return Deno.readTextFileSync(file);
  } catch (error) {
    // The thread has ended.
    if (error instanceof Deno.errors.NotFound) return "";
    throw error;
  }
}
