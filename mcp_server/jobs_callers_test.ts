import { deepStrictEqual, rejects, strictEqual } from "node:assert/strict";
import { DEFAULT_CALLER } from "./access/caller.ts";
import { createJobsApp, untilEnd, untilOutput } from "./testing/jobs_app.ts";

Deno.test("callers see only their own jobs", async () => {
  await using server = await createJobsApp();
  const a = server.app.jobs.forCaller({ name: "a" });
  const b = server.app.jobs.forCaller({ name: "b" });
  const { job } = await a.start({ tool: "report", args: { steps: 1 } });
  strictEqual(job.caller, "a");
  const signal = AbortSignal.timeout(30_000);
  const unknown = crypto.randomUUID();
  const c = server.app.jobs.forCaller({ name: "c", scopes: ["tools:exec"] });
  for (const [jobs, id] of [[b, job.id], [c, job.id], [a, unknown]] as const) {
    const tries = [
      jobs.get(id),
      jobs.outcome(id),
      jobs.wait(id, { timeoutMs: 0 }),
      jobs.read(id, { stream: "stdout" }),
      Array.fromAsync(jobs.watch(id, { signal })),
      jobs.cancel(id),
      jobs.writeStdin(id, new Uint8Array(1)),
      jobs.endStdin(id),
      jobs.delete(id),
    ];
    const message =
      `Cannot find the job "${id}": it is unknown, has expired, or is another caller's; ` +
      "list the jobs to see their ids";
    for (const refused of tries) await rejects(refused, { code: "JOB_NOT_FOUND", message });
  }
  deepStrictEqual((await b.list()).jobs, []);
  strictEqual((await untilEnd(a, job.id)).state, "completed");
  await rejects(a.get("x".repeat(1_000_000)), ({ message }) => message.length < 200);
});

Deno.test("who administers the server sees and cancels all jobs, and changes no other's", async () => {
  await using server = await createJobsApp();
  const none = { tools: [], hosts: [], databases: {}, paths: [] };
  const ci = { name: "ci", rights: { ...none, tools: ["exec-command"], admin: false } };
  const args = { commands: [{ command: "echo begun; read line" }] };
  const { job: { id } } = await server.app.jobs.forCaller(ci).start({
    tool: "exec-command",
    args,
    stdin: true,
  });
  const admins = [
    { name: "root", rights: { ...none, admin: true } },
    { name: "eve", scopes: ["admin"] },
    { name: "eve", rights: { ...none, admin: true }, scopes: ["tools:read", "admin"] },
    DEFAULT_CALLER,
  ];
  for (const admin of admins) {
    const jobs = server.app.jobs.forCaller(admin);
    deepStrictEqual((await jobs.list()).jobs.map((job) => [job.id, job.caller]), [[id, "ci"]]);
    strictEqual(await untilOutput(jobs, id, "begun"), "begun\n");
    strictEqual((await jobs.read(id, { stream: "stdout" })).bytes.length, 6);
    const refused = [jobs.writeStdin(id, new Uint8Array(1)), jobs.endStdin(id), jobs.delete(id)];
    for (const attempt of refused) {
      await rejects(attempt, { code: "NOT_ALLOWED", message: /"ci", and only that caller may$/ });
    }
  }
  const others = [
    { name: "eve", rights: { ...none, admin: true }, scopes: ["tools:exec"] },
    { name: "eve", rights: { ...none, admin: false }, scopes: ["admin"] },
    { name: "eve" },
  ];
  for (const other of others) {
    const jobs = server.app.jobs.forCaller(other);
    deepStrictEqual((await jobs.list()).jobs, []);
    await rejects(jobs.cancel(id), { code: "JOB_NOT_FOUND" });
  }
  const [root] = admins;
  if (root !== undefined) await server.app.jobs.forCaller(root).cancel(id);
  strictEqual((await untilEnd(server.app.jobs.forCaller(ci), id)).state, "cancelled");
});

Deno.test("many short jobs of a caller remove its own ended jobs, and none of others", async () => {
  await using server = await createJobsApp({ MCP_MAX_JOBS: "4" });
  const [ann, bob] = [{ name: "ann" }, { name: "bob" }].map((one) =>
    server.app.jobs.forCaller(one)
  );
  if (ann === undefined || bob === undefined) throw new Error("Cannot see two callers");
  const run = async (jobs: typeof ann) => {
    const { job } = await jobs.start({ tool: "report", args: { steps: 1 } });
    return (await untilEnd(jobs, job.id)).id;
  };
  const kept = [await run(ann), await run(ann)];
  const own: string[] = [];
  for (let job = 0; job < 6; job++) own.push(await run(bob));
  deepStrictEqual((await ann.list()).jobs.map(({ id }) => id), kept.toReversed());
  deepStrictEqual((await bob.list()).jobs.map(({ id }) => id), own.slice(-2).toReversed());
});
