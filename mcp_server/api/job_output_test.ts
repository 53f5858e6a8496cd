import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { createTempFolder } from "../../test_support/temp_folder.ts";
import { startJobsServer } from "../testing/jobs_server.ts";

const MIB = 1024 * 1024;
/** What is kept of a stream: the head and the tail. */
const KEPT = { bytes: 1_600_000, head: 100_000 };

const jobs = await startJobsServer({
  args: ["--job-output-bytes", String(KEPT.bytes)],
});
addEventListener("unload", () => jobs.server.process.kill("SIGKILL"));

const read = async (path: string, range?: string) => {
  const response = await jobs.send(path, range === undefined ? {} : { headers: { range } });
  const { status, headers } = response;
  return { status, headers, bytes: await response.bytes() };
};

/** Bytes that are no UTF-8, the same in each run. */
function binary(size: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size);
  for (let at = 0, state = 1; at < size; at++) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    bytes[at] = state >> 16;
  }
  return bytes;
}

const TEXT = new TextEncoder().encode("€ 𝄞 ä\r\n\ufeff".repeat(20_000));
const CONTENTS: readonly [what: string, content: Uint8Array<ArrayBuffer>][] = [
  ["text", TEXT],
  ["binary output", binary(300_000)],
  ["binary output with a gap", binary(5 * MIB)],
];

for (const [what, content] of CONTENTS) {
  Deno.test(`ranges of ${what} are those of the file, byte for byte`, async () => {
    await using folder = await createTempFolder();
    await Deno.writeFile(`${folder.path}/file`, content);
    const { id } = await jobs.sh(`cat ${folder.path}/file >&2`);
    const { output: { stderr: { end, gap } } } = await jobs.ended(id);
    strictEqual(end, content.length);
    const path = `/api/jobs/${id}/stderr`;
    const whole = await read(path);
    deepStrictEqual([whole.status, whole.headers.get("content-type")], [
      200,
      "application/octet-stream",
    ]);
    strictEqual(whole.headers.get("accept-ranges"), "bytes");
    const expected = gap === undefined ? content : new Uint8Array([
      ...content.subarray(0, KEPT.head),
      ...content.subarray(content.length - KEPT.bytes + KEPT.head),
    ]);
    ok(sameBytes(whole.bytes, expected));
    strictEqual(
      whole.headers.get("trestle-gap"),
      gap === undefined ? null : `${gap.from}-${gap.to}`,
    );
    for (let times = 0; times < 40; times++) {
      const first = Math.floor(Math.random() * end);
      const last = first + Math.floor(Math.random() * 400_000);
      const { status, headers, bytes } = await read(path, `bytes=${first}-${last}`);
      if (gap !== undefined && first >= gap.from && first < gap.to) {
        deepStrictEqual([status, headers.get("trestle-first-offset")], [416, String(gap.to)]);
        continue;
      }
      const to = Math.min(last + 1, gap !== undefined && first < gap.from ? gap.from : end);
      deepStrictEqual(
        [status, headers.get("content-range")],
        [206, `bytes ${first}-${to - 1}/${end}`],
      );
      ok(sameBytes(bytes, content.subarray(first, to)), `${first} to ${to}`);
    }
    const suffix = await read(path, "bytes=-1000");
    ok(sameBytes(suffix.bytes, content.subarray(-1_000)));
  });
}

function sameBytes(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at]);
}

Deno.test("while a job runs the total is *, and what it wrote can be read", async () => {
  const { id } = await jobs.sh("printf hello; read line; printf ' world'", { stdin: true });
  const path = `/api/jobs/${id}/stdout`;
  await until(async () => (await jobs.job(id)).output.stdout.end === 5);
  const part = await read(path, "bytes=1-99");
  deepStrictEqual([part.status, part.headers.get("content-range")], [206, "bytes 1-4/*"]);
  const beyond = await read(path, "bytes=5-");
  deepStrictEqual(
    [
      beyond.status,
      beyond.headers.get("trestle-first-offset"),
      beyond.headers.get("content-range"),
    ],
    [416, "5", null],
  );
  match(new TextDecoder().decode(beyond.bytes), /"code":"BAD_OFFSET"/);
  await jobs.send(`/api/jobs/${id}/stdin`, { method: "POST", body: "\n" });
  await jobs.ended(id);
  const rest = await read(path, "bytes=5-");
  deepStrictEqual([rest.status, rest.headers.get("content-range")], [206, "bytes 5-10/11"]);
  strictEqual(new TextDecoder().decode(rest.bytes), " world");
  strictEqual((await read(path, "bytes=11-")).headers.get("content-range"), "bytes */11");
});

async function until(check: () => Promise<boolean>): Promise<void> {
  for (const late = performance.now() + 30_000; performance.now() < late;) {
    if (await check()) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error("Cannot see the output in time");
}

Deno.test("bad ranges are a clear 416; other units and several ranges are ignored, as is If-Range", async () => {
  const { id } = await jobs.sh("printf 0123456789");
  await jobs.ended(id);
  const path = `/api/jobs/${id}/stdout`;
  for (const range of ["bytes=5-4", "bytes=a-b", "bytes=", "bytes=-", "bytes=-0", "bytes=10-"]) {
    const { status, headers, bytes } = await read(path, range);
    const { code, detail } = JSON.parse(new TextDecoder().decode(bytes));
    deepStrictEqual([status, code], [416, "BAD_OFFSET"], range);
    match(headers.get("trestle-first-offset") ?? "", /^(0|10)$/);
    match(detail, /^Cannot send this range: .*; the next offset is \d+$/);
  }
  const large = `bytes=0-${"9".repeat(10_000)}`;
  strictEqual((await read(path, large)).status, 206);
  for (const range of ["lines=1-2", "bytes=0-1,4-5"]) {
    const { status, bytes } = await read(path, range);
    deepStrictEqual([status, bytes.length], [200, 10]);
  }
  const response = await jobs.send(path, { headers: { range: "bytes=0-1", "if-range": '"x"' } });
  deepStrictEqual([response.status, await response.text()], [200, "0123456789"]);
});

Deno.test("a job without output has an empty stream", async () => {
  const { id } = await jobs.sh("true");
  await jobs.ended(id);
  const { status, headers, bytes } = await read(`/api/jobs/${id}/stdout`);
  deepStrictEqual([status, headers.get("content-length"), bytes.length], [200, "0", 0]);
});

Deno.test("POST stdin takes any bytes, until ?end=true", async () => {
  const { id } = await jobs.sh("cat | od -An -tx1", { stdin: true });
  await jobs.running(id);
  const path = `/api/jobs/${id}`;
  const send = async (bytes: number[], query = "") =>
    (await jobs.send(`${path}/stdin${query}`, { method: "POST", body: new Uint8Array(bytes) }))
      .status;
  strictEqual(await send([0x00, 0xff]), 204);
  strictEqual(await send([]), 204);
  strictEqual(await send([0xc3], "?end=false"), 204);
  strictEqual(await send([0x28], "?end=true"), 204);
  const closed = await jobs.send(`${path}/stdin`, { method: "POST", body: "late" });
  strictEqual(closed.status, 409);
  await closed.body?.cancel();
  await jobs.ended(id);
  strictEqual(await (await jobs.send(`${path}/stdout`)).text(), " 00 ff c3 28\n");
});
