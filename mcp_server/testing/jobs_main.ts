import { createApp, DEFAULT_CALLER, parseConfig } from "../mod.ts";

// A server without transports, to be killed. It starts the shell command of its argument as a job
// again and again, reads the output of all of them, and prints the responses, a line each.
const [command = ""] = Deno.args;
const app = await createApp(parseConfig([], Deno.env.toObject(), 2));
const jobs = app.jobs.forCaller(DEFAULT_CALLER);
const encoder = new TextEncoder();
const report = (line: object) => Deno.stdout.writeSync(encoder.encode(`${JSON.stringify(line)}\n`));

async function watch(id: string): Promise<void> {
  for await (const { cursor } of jobs.watch(id, { signal: new AbortController().signal })) {
    report({ id, read: cursor.stdout });
  }
  report({ id, read: 0, ended: true });
}

for (let started = 0; started < 40; started++) {
  const args = { commands: [{ command }] };
  const { job } = await jobs.start({ tool: "exec-command", args });
  report({ id: job.id, read: 0 });
  void watch(job.id);
  await new Promise((resolve) => setTimeout(resolve, 10));
}
await new Promise(() => setInterval(() => {}, 60_000));
