import { ok, strictEqual } from "node:assert/strict";
import { type JobsServer, startJobsServer } from "../testing/jobs_server.ts";

const MIB = 1024 * 1024;
/** More than the system and the server hold for a client that reads nothing. */
const KEPT = 16 * MIB;

/** A job that has written as much as is kept, and writes as much again for a line of input. */
async function startFlood(jobs: JobsServer): Promise<string> {
  const flood = `head -c ${KEPT} /dev/zero`;
  const { id } = await jobs.sh(`${flood}; read line && ${flood}`, { stdin: true });
  for (let times = 0; (await jobs.job(id)).output.stdout.end < KEPT; times++) {
    if (times === 3_000) throw new Error("Cannot see the output in time");
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return id;
}

/** Sends a request, and reads the headers of its response only. */
async function request({ server }: JobsServer, path: string): Promise<Deno.TcpConn> {
  const { hostname, port } = new URL(server.url);
  const connection = await Deno.connect({ hostname, port: Number(port) });
  const head = `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`;
  await connection.write(new TextEncoder().encode(head));
  await connection.read(new Uint8Array(16));
  return connection;
}

/** How many bytes come before the connection ends, in whatever way. */
async function readAll(connection: Deno.TcpConn): Promise<number> {
  const buffer = new Uint8Array(MIB);
  let size = 0;
  try {
    for (let read = await connection.read(buffer); read !== null;) {
      size += read;
      read = await connection.read(buffer);
    }
  } catch {
    // The server has reset the connection.
  }
  return size;
}

Deno.test("a response breaks off if the job overtakes its client, and is not taken for whole", async () => {
  await using jobs = await startJobsServer();
  const id = await startFlood(jobs);
  using slow = await request(jobs, `/api/jobs/${id}/stdout`);
  await jobs.send(`/api/jobs/${id}/stdin`, { method: "POST", body: "\n" });
  await jobs.ended(id);
  ok(await readAll(slow) < KEPT);
  strictEqual((await (await jobs.send(`/api/jobs/${id}/stdout`)).bytes()).length, KEPT);
});

Deno.test("a client that does not read output or events is disconnected, and its job goes on", async () => {
  await using jobs = await startJobsServer({ args: ["--send-timeout-ms", "300"] });
  const id = await startFlood(jobs);
  for (const path of ["stdout", "events"]) {
    using idle = await request(jobs, `/api/jobs/${id}/${path}`);
    await untilClosed(idle);
    ok(await readAll(idle) < KEPT, path);
  }
  strictEqual((await jobs.job(id)).state, "running");
});

/** Writing fails once the server has closed the connection. */
async function untilClosed(connection: Deno.TcpConn): Promise<void> {
  for (let times = 0; times < 200; times++) {
    try {
      await connection.write(new Uint8Array([10]));
    } catch {
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error("Cannot see the server close the connection in time");
}
