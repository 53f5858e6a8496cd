import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { startJobsServer } from "../testing/jobs_server.ts";

const jobs = await startJobsServer({ args: [] });
addEventListener("unload", () => jobs.server.process.kill("SIGKILL"));

interface Merged {
  readonly parts: { readonly stream: string; readonly text: string }[];
  readonly start: string;
  readonly end: string;
}

const read = async (id: string, query = ""): Promise<Merged> =>
  await (await jobs.send(`/api/jobs/${id}/output${query}`)).json();
const textOf = ({ parts }: Merged) =>
  parts.map(({ stream, text }) => `${stream === "stdout" ? "" : "!"}${text}`).join("");

/** Writes lines of both streams in turn; before each one it is told that the last one is stored. */
const LINES = "for n in 1 2 3 4 5; do echo out $n; read x; echo é $n >&2; read x; done";
const PIECES = [1, 2, 3, 4, 5].flatMap((n) => [`out ${n}\n`, `!é ${n}\n`]);
const WHOLE = PIECES.join("");

/** Runs them to their end, and returns the id of the job. */
async function runLines(): Promise<string> {
  const { id } = await jobs.sh(LINES, { stdin: true });
  let seen = "";
  for (const piece of PIECES) {
    seen += piece;
    while (textOf(await read(id)) !== seen) await jobs.send(`/api/servers`).then((r) => r.text());
    await jobs.send(`/api/jobs/${id}/stdin`, { method: "POST", body: "\n" });
  }
  await jobs.ended(id);
  return id;
}

Deno.test("GET /api/jobs/{id}/output has both streams as they were written, whole and in parts", async () => {
  const id = await runLines();
  strictEqual(textOf(await read(id)), WHOLE);
  for (const limit of [4, 7, 30]) {
    const parts: Merged[] = [];
    for (let before = ""; before !== "0-0";) {
      const part = await read(id, `?limit=${limit}${before && `&before=${before}`}`);
      parts.unshift(part);
      before = part.start;
      if (parts.length > 100) throw new Error("Cannot reach the beginning");
    }
    const text = parts.flatMap(({ parts }) => parts).reduce(
      (whole, { stream, text }) => ({
        stream,
        text: whole.text + (stream === "stderr" && whole.stream !== stream ? "!" : "") + text,
      }),
      { stream: "", text: "" },
    ).text;
    strictEqual(text, WHOLE, `${limit} bytes at once`);
  }
});

Deno.test("the events of a job that has ended are in the order in which it wrote", async () => {
  const id = await runLines();
  const text = await (await jobs.send(`/api/jobs/${id}/events`)).text();
  const events = [...text.matchAll(/event: (stdout|stderr)\ndata: (.*)/g)].map((
    [, stream, data],
  ) => ({
    stream: String(stream),
    text: String(JSON.parse(String(data)).text),
  }));
  strictEqual(textOf({ parts: events, start: "", end: "" }), WHOLE);
});

Deno.test("GET /api/jobs/{id}/output refuses a place that is none, and another's job", async () => {
  const { id } = await jobs.sh("true");
  for (const query of ["?before=1", "?before=x-1", "?limit=many"]) {
    const response = await jobs.send(`/api/jobs/${id}/output${query}`);
    deepStrictEqual([response.status, (await response.json()).code], [422, "INVALID_ARGUMENTS"]);
  }
  const unknown = await jobs.send(`/api/jobs/${crypto.randomUUID()}/output`);
  deepStrictEqual([unknown.status, (await unknown.json()).code], [404, "JOB_NOT_FOUND"]);
});
