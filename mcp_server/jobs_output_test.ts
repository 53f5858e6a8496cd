import { deepStrictEqual, ok, rejects, strictEqual } from "node:assert/strict";
import { JobError, type JobEvent } from "./tool/job.ts";
import { createJobsApp, readWhole, untilEnd } from "./testing/jobs_app.ts";

const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

Deno.test("a job keeps the exact bytes of commands, and the text of other tools", async () => {
  await using server = await createJobsApp();
  const bytes = Uint8Array.from({ length: 100_000 }, (_, at) => (at * 7) % 256);
  const path = `${server.folder}/bytes`;
  await Deno.writeFile(path, bytes);
  const job = await server.sh(`cat ${path}; head -c 5 ${path} >&2`);
  await untilEnd(server.jobs, job.id);
  deepStrictEqual(await readWhole(server.jobs, job.id), bytes);
  deepStrictEqual(await readWhole(server.jobs, job.id, "stderr"), bytes.subarray(0, 5));
  const { job: report } = await server.jobs.start({ tool: "report", args: { steps: 3 } });
  await untilEnd(server.jobs, report.id);
  strictEqual(decode(await readWhole(server.jobs, report.id)), "step €1\nstep €3\n");
  strictEqual(decode(await readWhole(server.jobs, report.id, "stderr")), "step €2\n");
});

Deno.test("a flood leaves head, tail and a gap, with flat memory and a bounded file", async () => {
  const kept = 1_048_576;
  await using server = await createJobsApp({ MCP_JOB_OUTPUT_BYTES: String(kept) });
  const before = Deno.memoryUsage().rss;
  const job = await server.sh("seq -f %015.0f 1 2000000");
  const { output: { stdout } } = await untilEnd(server.jobs, job.id);
  const grown = Deno.memoryUsage().rss - before;
  ok(grown < 96 * 1024 * 1024, `memory grew by ${grown} bytes`);
  const length = 32_000_000;
  deepStrictEqual(stdout, {
    start: 0,
    end: length,
    gap: { from: kept / 16, to: length - kept / 16 * 15 },
  });
  const lines = (first: number, last: number) =>
    Array.from({ length: last - first }, (_, at) => `${first + at}`.padStart(15, "0") + "\n").join(
      "",
    );
  const whole = decode(await readWhole(server.jobs, job.id));
  strictEqual(whole.slice(0, kept / 16), lines(1, 4_097));
  strictEqual(whole.slice(kept / 16), lines(2_000_001 - 61_440, 2_000_001));
  const { size } = await Deno.stat(`${server.folder}/jobs.db`);
  ok(size < 4 * kept, `the file has ${size} bytes`);
  await rejects(server.jobs.read(job.id, { stream: "stdout", offset: 70_000 }), (error) => {
    return error instanceof JobError && error.code === "BAD_OFFSET" &&
      error.nextOffset === stdout.gap?.to;
  });
  await rejects(server.jobs.read(job.id, { stream: "stdout", offset: length + 1 }), (error) => {
    return error instanceof JobError && error.nextOffset === length;
  });
  const tail = await server.jobs.read(job.id, { stream: "stdout", offset: -16 });
  deepStrictEqual([tail.offset, decode(tail.bytes)], [length - 16, lines(2_000_000, 2_000_001)]);
  const start = await server.jobs.read(job.id, { stream: "stdout", offset: 65_520, limit: 999 });
  deepStrictEqual([start.bytes.length, start.nextOffset], [16, stdout.gap?.to]);
});

Deno.test("a watcher that returns after any event sees the rest, and nothing twice", async () => {
  await using server = await createJobsApp();
  const { job } = await server.jobs.start({ tool: "report", args: { steps: 40 } });
  const command = await server.sh(
    "for i in 1 2 3 4; do printf 'a\\342'; sleep 0.12; printf '\\202\\254'; done",
  );
  for (const id of [job.id, command.id]) {
    const signal = AbortSignal.timeout(30_000);
    const seen = await Array.fromAsync(server.jobs.watch(id, { signal }));
    strictEqual(seen.filter(({ type }) => type === "state").length, 3);
    deepStrictEqual(seen.at(-1)?.type, "state");
    for (const [at, { cursor }] of seen.entries()) {
      const rest = await Array.fromAsync(server.jobs.watch(id, { signal, from: cursor }));
      deepStrictEqual(toContent(rest), toContent(seen.slice(at + 1)));
    }
    for (const event of seen) {
      if (event.type === "stdout") ok(!decode(event.bytes).includes("\ufffd"));
    }
  }
});

/** The seen output, however it was split into events. */
function toContent(events: readonly JobEvent[]) {
  const text = (stream: string) =>
    events.map((event) => event.type === stream && "bytes" in event ? decode(event.bytes) : "")
      .join("");
  const others = events.flatMap((event): unknown[] => {
    if (event.type === "progress") return [event.update];
    return event.type === "state" ? [event.state] : [];
  });
  return { stdout: text("stdout"), stderr: text("stderr"), others };
}

Deno.test("a late watcher sees the gap as one event", async () => {
  await using server = await createJobsApp({ MCP_JOB_OUTPUT_BYTES: "16384" });
  const job = await server.sh("seq -f %015.0f 1 10000");
  await untilEnd(server.jobs, job.id);
  const signal = AbortSignal.timeout(30_000);
  const events = await Array.fromAsync(server.jobs.watch(job.id, { signal }));
  const gaps = events.flatMap((event) => event.type === "gap" ? [[event.stream, event.gap]] : []);
  deepStrictEqual(gaps, [["stdout", { from: 1_024, to: 160_000 - 15_360 }]]);
  const { stdout } = toContent(events);
  strictEqual(stdout.length, 16_384);
});
