import { timeEach } from "./time_each.ts";

/** Spawns a program, detached or not as the first argument says, and reads its output to the end. */
const [way, program = "", ...args] = Deno.args;

await timeEach(async () => {
  const detached = way === "detached";
  const options = { args, detached, stdin: "null", stdout: "piped", stderr: "piped" } as const;
  const child = new Deno.Command(program, options).spawn();
  await Promise.all([child.status, drain(child.stdout), drain(child.stderr)]);
});

async function drain(stream: ReadableStream<Uint8Array>): Promise<void> {
  for await (const _ of stream);
}
