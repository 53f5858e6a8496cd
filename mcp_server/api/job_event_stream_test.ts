import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { createTempFolder } from "../../test_support/temp_folder.ts";
import { toAnswer } from "../testing/http_caller.ts";
import { parseEvents, type ReceivedEvent, startJobsServer } from "../testing/jobs_server.ts";

const jobs = await startJobsServer();
addEventListener("unload", () => jobs.server.process.kill("SIGKILL"));

/** All events of a job after an id. */
async function eventsOf(id: string, lastEventId = ""): Promise<ReceivedEvent[]> {
  const headers = { "last-event-id": lastEventId };
  const response = await jobs.send(`/api/jobs/${id}/events`, { headers });
  return parseEvents(await response.text());
}

const outputOf = (events: readonly ReceivedEvent[], stream: string) =>
  events.filter(({ event }) => event === stream).map(({ data }) => data.text).join("");
const othersOf = (events: readonly ReceivedEvent[]) =>
  events.filter(({ event }) => event !== "stdout" && event !== "stderr")
    .map(({ event, data }) => [event, data]);

Deno.test("GET events sends everything from the start, and then the result", async () => {
  const started = await jobs.start({ tool: "report", args: { steps: 3 } });
  const { id } = await started.json();
  const response = await jobs.send(`/api/jobs/${id}/events`);
  strictEqual(response.headers.get("content-type"), "text/event-stream");
  const events = parseEvents(await response.text());
  deepStrictEqual(othersOf(events), [
    ["state", { state: "queued" }],
    ["state", { state: "running" }],
    ["progress", { progress: 1, total: 3 }],
    ["progress", { progress: 2, total: 3 }],
    ["progress", { progress: 3, total: 3 }],
    ["state", { state: "completed" }],
    ["result", { steps: 3, timeoutMs: 600_000 }],
  ]);
  strictEqual(outputOf(events, "stdout"), "step €1\nstep €3\n");
  strictEqual(outputOf(events, "stderr"), "step €2\n");
});

Deno.test("a watcher that comes back after any event sees the rest, exactly", async () => {
  const { id } = await jobs.sh("printf 'a€'; sleep 0.3; printf b >&2; sleep 0.3; printf c; exit 3");
  await jobs.ended(id);
  const all = await eventsOf(id);
  ok(all.length >= 6);
  for (const [at, event] of all.entries()) {
    deepStrictEqual(await eventsOf(id, event.id), all.slice(at + 1), event.id);
  }
  const last = await jobs.send(`/api/jobs/${id}/events`, {
    headers: { "last-event-id": all.at(-1)?.id ?? "" },
  });
  deepStrictEqual([last.status, await last.text()], [204, ""]);
});

/** A server that waits for a client is killed after it. */
const WAITED_FOR_MS = 7_000;
const LINES = 100_000;
const CUTS = 100;

Deno.test("a stream that is cut at 100 random places and resumed is exact", async () => {
  const { id } = await jobs.sh(
    `seq -f '%.0f € 𝄞 a line of some length, so that there are many bytes' ${LINES}; ` +
      `seq -f '%.0f ä' ${LINES} >&2; sleep 0.2; echo end`,
  );
  const events: ReceivedEvent[] = [];
  for (let cuts = 0; events.at(-1)?.event !== "result"; cuts++) {
    const most = cuts < CUTS ? Math.floor(Math.random() ** 2 * 300_000) : Infinity;
    ok(cuts < CUTS + 10, "the stream does not end");
    events.push(...parseEvents(await readPart(id, events.at(-1)?.id ?? "", most)));
  }
  const lines = (suffix: string) =>
    Array.from({ length: LINES }, (_, at) => `${at + 1}${suffix}\n`).join("");
  const text = lines(" € 𝄞 a line of some length, so that there are many bytes");
  ok(outputOf(events, "stdout") === `${text}end\n`);
  ok(outputOf(events, "stderr") === lines(" ä"));
  deepStrictEqual(othersOf(events).map(([event, data]) => event === "state" ? data : event), [
    { state: "queued" },
    { state: "running" },
    { state: "completed" },
    "result",
  ]);
  const encoder = new TextEncoder();
  for (const stream of ["stdout", "stderr"]) {
    let end = 0;
    for (const { data } of events.filter(({ event }) => event === stream)) {
      strictEqual(data.offset, end);
      end += encoder.encode(String(data.text)).length;
    }
  }
});

/** Reads so many bytes of a stream, or all of it, and disconnects. */
async function readPart(id: string, lastEventId: string, most: number): Promise<string> {
  const gone = new AbortController();
  const headers = { "last-event-id": lastEventId };
  const response = await jobs.send(`/api/jobs/${id}/events`, { headers, signal: gone.signal });
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let text = "";
  let size = 0;
  for await (const chunk of response.body ?? []) {
    const part = chunk.subarray(0, most - size);
    text += decoder.decode(part, { stream: true });
    size += part.length;
    if (size === most) break;
  }
  gone.abort();
  return text;
}

Deno.test("output that is no longer kept is a gap event, also within a character", async () => {
  await using small = await startJobsServer({ args: ["--job-output-bytes", "16384"] });
  const { id } = await small.sh("yes '€€' | head -n 100000");
  const { output: { stdout: { end, gap } } } = await small.ended(id);
  const response = await small.send(`/api/jobs/${id}/events`);
  const events = parseEvents(await response.text());
  deepStrictEqual(othersOf(events).filter(([event]) => event === "gap"), [
    ["gap", { stream: "stdout", ...gap }],
  ]);
  const bytes = new TextEncoder().encode("€€\n".repeat(100_000));
  const decoder = new TextDecoder();
  const at = events.findIndex(({ event }) => event === "gap");
  strictEqual(events[at + 1]?.data.offset, gap?.to);
  strictEqual(outputOf(events.slice(at), "stdout"), decoder.decode(bytes.subarray(gap?.to, end)));
  const head = outputOf(events.slice(0, at), "stdout");
  strictEqual(head.replaceAll("\ufffd", ""), "€€\n".repeat(146));
});

Deno.test("bytes that are no UTF-8 are replaced in events, whose offsets lead to them", async () => {
  const { id } = await jobs.sh(String.raw`printf '\xef\xbb\xbfa\xff\x00'; printf 'b' >&2`);
  await jobs.ended(id);
  const events = await eventsOf(id);
  strictEqual(outputOf(events, "stdout"), "\ufeffa\ufffd\0");
  const bytes = await (await jobs.send(`/api/jobs/${id}/stdout`)).bytes();
  deepStrictEqual([...bytes], [0xef, 0xbb, 0xbf, 0x61, 0xff, 0]);
});

Deno.test("a job that has no result ends with its error", async () => {
  for (const [tool, code] of [["refuse", "LOCKED"], ["crash", "TOOL_CRASHED"]] as const) {
    const { id } = await (await jobs.start({ tool })).json();
    const { error } = await jobs.ended(id);
    strictEqual(error?.code, code);
    const last = (await eventsOf(id)).slice(-2).map(({ event, data }) => [event, data]);
    deepStrictEqual(last, [["state", { state: "failed" }], ["error", error]]);
  }
});

Deno.test("a Last-Event-ID of no event is 422, however long; that of an unknown job is 404", async () => {
  const { id } = await jobs.sh("true");
  for (const lastEventId of ["x", "1-2", "-1-0-0", "0-0-0-0", "9".repeat(10_000)]) {
    const headers = { "last-event-id": lastEventId };
    const answer = await toAnswer(await jobs.send(`/api/jobs/${id}/events`, { headers }));
    deepStrictEqual([answer.status, answer.body.code], [422, "BAD_CURSOR"]);
    match(String(answer.body.detail), /^.{1,250}$/);
  }
  const headers = { "last-event-id": "0-0-1-end" };
  strictEqual(
    (await jobs.send(`/api/jobs/${crypto.randomUUID()}/events`, { headers })).status,
    404,
  );
});

Deno.test("a job is watched and cancelled through another server of its folder", async () => {
  await using folder = await createTempFolder();
  const env = { MCP_DATA_DIR: folder.path };
  await using first = await startJobsServer({ env });
  await using second = await startJobsServer({ env });
  const { id } = await first.sh("echo on; sleep 60");
  const watched = await second.send(`/api/jobs/${id}/events`);
  let text = "";
  for await (const piece of watched.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const before = text;
    text += piece;
    if (before.includes("event: stdout") || !text.includes("event: stdout")) continue;
    strictEqual((await second.send(`/api/jobs/${id}/cancel`, { method: "POST" })).status, 202);
  }
  const events = parseEvents(text);
  strictEqual(outputOf(events, "stdout"), "on\n");
  deepStrictEqual(othersOf(events).slice(-2), [
    ["state", { state: "cancelled" }],
    ["error", (await first.job(id)).error],
  ]);
});

Deno.test("a server that stops ends its streams and waits, also for jobs of other servers", async () => {
  await using folder = await createTempFolder();
  const env = { MCP_DATA_DIR: folder.path };
  await using own = await startJobsServer({ env });
  await using other = await startJobsServer({ env });
  for (const { id } of [await own.sh("sleep 60"), await other.sh("sleep 60")]) {
    await own.running(id);
    const stream = await own.send(`/api/jobs/${id}/events`);
    void stream.text().catch(() => "cut");
    void own.send(`/api/jobs/${id}?wait=60`).catch(() => "cut");
  }
  const startedAt = performance.now();
  strictEqual(await own.server.stop(), 0);
  ok(performance.now() - startedAt < WAITED_FOR_MS);
});

Deno.test("a job is started by one client, watched by a second, and cancelled by a third", async () => {
  const { url } = jobs.server;
  const curl = (...args: string[]) =>
    new Deno.Command("curl", { args: ["-sN", ...args], stdout: "piped", stderr: "null" }).spawn();
  const starter = await curl(
    `${url}/api`,
    "-HContent-Type: application/json",
    "-HPrefer: respond-async",
    '-d{"tool":"bash-script","args":{"script":"while echo tick; do sleep 0.2; done"}}',
  ).output();
  const { id } = JSON.parse(new TextDecoder().decode(starter.stdout));
  const watcher = curl(`${url}/api/jobs/${id}/events`);
  let seen = "";
  let cancelled: Promise<unknown> | undefined;
  for await (const text of watcher.stdout.pipeThrough(new TextDecoderStream())) {
    seen += text;
    if (seen.includes("tick")) {
      cancelled ??= curl("-XPOST", `${url}/api/jobs/${id}/cancel`).output();
    }
  }
  await Promise.all([cancelled, watcher.status]);
  const events = seen.matchAll(/^event: (.*)\ndata: (.*)$/gm).map(([, ...event]) => event);
  deepStrictEqual(events.toArray().filter(([event]) => event !== "stdout"), [
    ["state", '{"state":"queued"}'],
    ["state", '{"state":"running"}'],
    ["state", '{"state":"cancelled"}'],
    ["error", JSON.stringify((await jobs.job(id)).error)],
  ]);
});
