import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { createTempFolder } from "../test_support/temp_folder.ts";
import { times } from "../test_support/tier.ts";
import type { FleetCallList, LiveCall, OnServer, ServerFigures } from "./mod.ts";
import { bearerOf, EVERYTHING, writeCallers } from "./testing/callers_file.ts";
import { createFleet, type Fleet, startOn } from "./testing/fleet.ts";
import { toAnswer } from "./testing/http_caller.ts";
import { type JobsServer, parseEvents } from "./testing/jobs_server.ts";
import { startPostgres } from "./testing/postgres.ts";
import { uniqueSleep, untilProcesses } from "./testing/processes.ts";
import { startHttpWire } from "./testing/task_wire.ts";

const postgres = await startPostgres();
globalThis.addEventListener("unload", () => postgres.kill());

/** A bound, not an expectation. */
const WITHIN_MS = 30_000;

/** Servers of a fleet with the callers ada, bob and the admin ops. */
async function joinAll(fleet: Fleet, folder: string, names: readonly string[]) {
  const MCP_CALLERS_FILE = await writeCallers(folder, {
    ada: EVERYTHING,
    bob: EVERYTHING,
    ops: { ...EVERYTHING, admin: true },
  });
  return await Promise.all(names.map((name) => fleet.join(name, { MCP_CALLERS_FILE })));
}

async function get(server: JobsServer, path: string, caller: string) {
  return await toAnswer(await server.send(path, { headers: bearerOf(caller) }));
}

/** A list of several servers once all of them have answered: a busy machine may need some attempts. */
async function ofAll(server: JobsServer, path: string, caller: string) {
  for (const late = performance.now() + WITHIN_MS; performance.now() < late;) {
    const { body } = await get(server, path, caller);
    if (String(body.unreachable) === "") return body;
  }
  throw new Error(`Cannot see all servers at ${path}`);
}

/** Waits until questions and answers have been taken from the store, but for a few new ones. */
async function untilTaken({ schema }: Fleet) {
  for (const late = performance.now() + WITHIN_MS; performance.now() < late;) {
    if (await postgres.ask(`SELECT count(*) < 10 FROM ${schema}.message`) === "t") return;
  }
  throw new Error("Cannot see that the messages are taken");
}

async function listOf(server: JobsServer, caller: string, which = "*") {
  const { calls, more } = await ofAll(server, `/api/calls?server=${which}`, caller);
  const all: FleetCallList["calls"] = Array.isArray(calls) ? calls : [];
  return { calls: all, more };
}

/** Begins a call that sleeps, and resolves with what it is answered. */
async function sleepOn(server: JobsServer, caller: string, seconds: string) {
  const answer = server.send("/api", {
    method: "POST",
    headers: { ...bearerOf(caller), "content-type": "application/json" },
    body: JSON.stringify({
      tool: "exec-command",
      args: { commands: [{ command: `sleep ${seconds}` }], timeoutMs: 300_000 },
    }),
  }).then(toAnswer);
  await untilProcesses(seconds, 1, WITHIN_MS);
  return { answer };
}

/** The metrics of all servers once all have answered. */
async function metricsOf(server: JobsServer): Promise<string> {
  for (const late = performance.now() + WITHIN_MS; performance.now() < late;) {
    const response = await server.send("/metrics?server=*", { headers: bearerOf("ops") });
    const text = await response.text();
    if (!/^trestle_up.* 0$/m.test(text)) return text;
  }
  throw new Error("Cannot see the metrics of all servers");
}

/** Stops a call on whichever server has it, once all have answered whether they do. */
async function stop(server: JobsServer, id: string | undefined, caller: string) {
  const init = { method: "DELETE", headers: bearerOf(caller) };
  for (const late = performance.now() + WITHIN_MS; performance.now() < late;) {
    const answer = await toAnswer(await server.send(`/api/calls/${id}`, init));
    if (answer.body.code !== "SERVER_UNREACHABLE") return answer;
  }
  throw new Error("Cannot see all servers");
}

/** The calls of `job-list` in the last hour. */
const callsIn = ({ hour }: Record<string, unknown>) =>
  (hour as ServerFigures).tools.find(({ tool }) => tool === "job-list")?.calls;

const toShown = ({ server, caller, tool }: LiveCall & OnServer) => [server, caller, tool];

Deno.test("all servers are seen from any of them", async (t) => {
  await using fleet = await createFleet(postgres);
  await using folder = await createTempFolder();
  const [one, two, three] = await joinAll(fleet, folder.path, ["web-1", "web-2", "web-3"]);
  await t.step(
    "calls of all servers are listed and stopped on any of them, for those who may see them",
    async () => {
      const [first, second] = [uniqueSleep(), uniqueSleep()];
      const adas = await sleepOn(one!, "ada", first);
      const bobs = await sleepOn(two!, "bob", second);
      for (const server of [one!, two!, three!]) {
        const { calls, more } = await listOf(server, "ops");
        deepStrictEqual([calls.map(toShown), more], [
          [["web-1", "ada", "exec-command"], ["web-2", "bob", "exec-command"]],
          0,
        ]);
        deepStrictEqual((await listOf(server, "bob")).calls.map(toShown), [
          ["web-2", "bob", "exec-command"],
        ]);
      }
      const [ofOne] = (await listOf(three!, "ops", "web-1")).calls;
      strictEqual(ofOne?.caller, "ada");
      const unknown = await stop(three!, "no-such-call", "bob");
      deepStrictEqual([unknown.status, unknown.body.code], [404, "CALL_NOT_FOUND"]);
      strictEqual((await stop(three!, ofOne?.id, "bob")).status, 404);
      const { status, body } = await stop(three!, ofOne?.id, "ops");
      deepStrictEqual([status, body.server, body.stopping], [200, "web-1", false]);
      await untilProcesses(first, 0, WITHIN_MS);
      const refused = await adas.answer;
      deepStrictEqual([refused.status, refused.body.code], [499, "CANCELLED"]);
      match(JSON.stringify(refused.body.detail), /stopped by the caller \\"ops\\"/);
      deepStrictEqual((await listOf(one!, "ops")).calls.map(toShown), [
        ["web-2", "bob", "exec-command"],
      ]);
      const [left] = (await listOf(one!, "bob")).calls;
      strictEqual((await stop(one!, left?.id, "bob")).body.server, "web-2");
      strictEqual((await bobs.answer).status, 499);
    },
  );
  await t.step(
    "a server that does not answer is named, and what may be on it is not said to be nowhere, and a caller who asks in a flood keeps no other from asking",
    async () => {
      const names = (list: unknown) => Array.isArray(list) ? list.map(({ server }) => server) : [];
      const before = await ofAll(one!, "/api/health?server=*", "ada");
      deepStrictEqual(names(before.servers), ["web-1", "web-2", "web-3"]);
      strictEqual((await get(one!, "/metrics?server=*", "ada")).status, 403);
      const metrics = await metricsOf(one!);
      match(metrics, /^trestle_runs\{server="web-1"\} 0\ntrestle_runs\{server="web-2"\} 0\n/m);
      strictEqual(metrics.split("# TYPE trestle_runs gauge").length, 2);
      for (const server of [two!, three!]) {
        await (await server.send("/api", {
          method: "POST",
          headers: { ...bearerOf("ada"), "content-type": "application/json" },
          body: JSON.stringify({ tool: "job-list", args: {} }),
        })).body?.cancel();
      }
      strictEqual((await get(one!, "/api/figures?server=*", "ada")).status, 403);
      const [all, own] = await Promise.all(
        ["*", "web-2"].map((which) => ofAll(one!, `/api/figures?server=${which}`, "ops")),
      );
      deepStrictEqual(all!.servers, ["web-1", "web-2", "web-3"]);
      deepStrictEqual([callsIn(all!), callsIn(own!)], [2, 1]);
      three!.server.process.kill("SIGSTOP");
      try {
        const { body } = await get(one!, "/api/health?server=*", "ada");
        strictEqual(names(body.servers).includes("web-3"), false);
        ok([body.unreachable].flat().includes("web-3"), JSON.stringify(body));
        const stopped = await toAnswer(
          await two!.send("/api/calls/no-such", { method: "DELETE", headers: bearerOf("ops") }),
        );
        deepStrictEqual([stopped.status, stopped.body.code], [503, "SERVER_UNREACHABLE"]);
        match(String(stopped.body.detail), /it may be on .*web-3.*, which did not answer$/);
        const flood = { method: "DELETE", headers: bearerOf("bob") };
        const asked = Array.from({ length: 80 }, () => one!.send("/api/calls/no-such", flood));
        // The first answer is that too many wait: the others wait for the server that does not answer.
        await Promise.race(asked);
        strictEqual((await get(one!, "/api/approvals?server=*", "ops")).status, 200);
        await Promise.all(asked.map(async (answer) => (await answer).body?.cancel()));
      } finally {
        three!.server.process.kill("SIGCONT");
      }
      await ofAll(one!, "/api/health?server=*", "ada");
      const gone = await get(one!, "/api/health?server=web-9", "ada");
      deepStrictEqual([gone.body.servers, gone.body.unreachable], [[], ["web-9"]]);
      await untilTaken(fleet);
    },
  );
});

Deno.test("a job is followed at any server", async (t) => {
  await using fleet = await createFleet(postgres);
  const servers = await Promise.all(["web-1", "web-2", "web-3"].map((name) => fleet.join(name)));
  await t.step(
    "events of a job go on at any server where they were left, with no output twice",
    async () => {
      const lines = Array.from({ length: times(4, 12) }, (_, at) => `line ${at + 1}\n`);
      const job = await startOn(servers[0]!, "while read line; do echo $line; done", {
        on: "name:web-1",
        stdin: true,
      });
      await servers[2]!.running(job.id);
      let lastId = "";
      let text = "";
      for (const [at, line] of lines.entries()) {
        const [feeding, watching] = [servers[at % 3], servers[(at + 1) % 3]];
        await feeding!.send(`/api/jobs/${job.id}/stdin`, { method: "POST", body: line });
        const headers: Record<string, string> = lastId === "" ? {} : { "last-event-id": lastId };
        const response = await watching!.send(`/api/jobs/${job.id}/events`, { headers });
        let stream = "";
        for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
          stream += chunk;
          if (parseEvents(stream).some(({ event }) => event === "stdout")) break;
        }
        const events = parseEvents(stream);
        lastId = events.at(-1)?.id ?? lastId;
        text += events.map(({ data }) => data.text ?? "").join("");
      }
      await servers[1]!.send(`/api/jobs/${job.id}/stdin?end=true`, { method: "POST" });
      strictEqual((await servers[2]!.ended(job.id)).state, "completed");
      const rest = await servers[0]!.send(`/api/jobs/${job.id}/events`, {
        headers: { "last-event-id": lastId },
      });
      text += parseEvents(await rest.text()).map(({ data }) => data.text ?? "").join("");
      strictEqual(text, lines.join(""));
    },
  );
  await t.step(
    "job-wait goes on at any server where it was left, with no output twice",
    async () => {
      const job = await startOn(servers[0]!, "while read line; do echo $line; done", {
        on: "name:web-1",
        stdin: true,
      });
      await servers[2]!.running(job.id);
      const lines = Array.from({ length: times(3, 6) }, (_, at) => `line ${at + 1}`);
      let from: unknown;
      let text = "";
      for (const [at, line] of lines.entries()) {
        const [feeding, waiting] = [servers[at % 3], servers[(at + 1) % 3]];
        await feeding!.send(`/api/jobs/${job.id}/stdin`, { method: "POST", body: `${line}\n` });
        const answer = await toAnswer(
          await waiting!.send("/api", {
            method: "POST",
            headers: { "content-type": "application/json" },
            body: JSON.stringify({
              tool: "job-wait",
              args: { id: job.id, until: line, seconds: 50, from },
            }),
          }),
        );
        strictEqual(answer.status, 200, JSON.stringify(answer.body));
        from = answer.body.next;
        text += answer.body.stdout;
      }
      strictEqual(text, lines.map((line) => `${line}\n`).join(""));
      await servers[1]!.send(`/api/jobs/${job.id}/cancel`, { method: "POST" });
      strictEqual((await servers[2]!.ended(job.id)).state, "cancelled");
    },
  );
});

Deno.test("tasks run on any server", async (t) => {
  await using fleet = await createFleet(postgres);
  const second = await fleet.join("web-2", { MCP_LABELS: "builder" });
  await using wire = await startHttpWire({
    args: ["--log-level", "error"],
    env: { MCP_JOBS_URL: postgres.url(), MCP_JOBS_SCHEMA: fleet.schema, MCP_NAME: "web-1" },
  });
  await t.step(
    "a task runs on the server that its metadata names, and any server answers for it",
    async () => {
      const call = (meta: object, options = {}) =>
        wire.request("tools/call", {
          name: "exec-command",
          arguments: { commands: [{ command: "echo on" }, { command: "seq 1 60000" }] },
          _meta: meta,
        }, options);
      const { result } = await call({ "io.trestle/on": "builder", "io.trestle/retries": 2 });
      strictEqual(result?.resultType, "task");
      const ended = await second.ended(String(result?.taskId));
      deepStrictEqual([ended.state, ended.server], ["completed", "web-2"]);
      const task = await wire.request("tasks/get", { taskId: ended.id });
      match(JSON.stringify(task.result), /"status":"completed".*"stdout":"on\\n"/);
      const { structuredContent } = JSON.parse(JSON.stringify(task.result)).result;
      const [, { truncated, job }] = structuredContent.results;
      deepStrictEqual([truncated, job], [true, ended.id]);
      ok(JSON.stringify(structuredContent).length <= 40_000);
      const wrong = await call({ "io.trestle/retries": "2" });
      match(wrong.error?.message ?? "", /^"io.trestle\/retries" must be 0 to 10$/);
      const plain = await call({ "io.trestle/on": "builder" }, { capabilities: {} });
      match(plain.error?.message ?? "", /^Cannot call "exec-command" on a server of its choice/);
      const { servers } = await (await fetch(`${wire.url}/api/servers`)).json();
      deepStrictEqual(servers.map(({ name }: { name: string }) => name), ["web-1", "web-2"]);
    },
  );
  await t.step("a task with retries goes on elsewhere when its server is stopped", async () => {
    await using folder = await createTempFolder();
    const gate = `${folder.path}/gate`;
    const { result } = await wire.request("tools/call", {
      name: "exec-command",
      arguments: { commands: [{ command: `[ -e ${gate} ] || sleep 300; echo on` }] },
      _meta: { "io.trestle/on": "builder", "io.trestle/retries": 1 },
    });
    const id = String(result?.taskId);
    await second.running(id);
    await Deno.writeTextFile(gate, "");
    second.server.process.kill("SIGTERM");
    strictEqual((await second.server.process.status).code, 0);
    const third = await fleet.join("web-3", { MCP_LABELS: "builder" });
    const ended = await third.ended(id);
    deepStrictEqual([ended.state, ended.attempt, ended.server], ["completed", 1, "web-3"]);
    const task = await wire.request("tasks/get", { taskId: id });
    match(JSON.stringify(task.result), /"status":"completed".*"stdout":"on\\n"/);
  });
});
