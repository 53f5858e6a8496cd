import { deepStrictEqual, fail, match, ok, rejects, strictEqual } from "node:assert/strict";
import parse from "parse-prometheus-text-format";
import * as z from "zod";
import { createTempFolder } from "../test_support/temp_folder.ts";
import { createApp } from "./app.ts";
import { ConfigError } from "./settings/config.ts";
import { parseConfig } from "./settings/parse_config.ts";
import { serveHttp } from "./serve.ts";
import { freePort } from "./testing/free_port.ts";
import { uniqueSleep, untilProcesses } from "./testing/processes.ts";
import { requiresSshd, startSshd } from "./testing/sshd.ts";
import { type ServerProcess, startServer } from "./testing/server_process.ts";

const TOKEN = "t".repeat(32);
const HEADERS = { Authorization: `Bearer ${TOKEN}` };

const Families = z.array(z.object({
  name: z.string(),
  help: z.string(),
  type: z.enum(["COUNTER", "GAUGE", "HISTOGRAM"]),
  metrics: z.array(z.object({
    labels: z.record(z.string(), z.string()).optional(),
    value: z.string().optional(),
    buckets: z.record(z.string(), z.string()).optional(),
  })),
}));

async function readMetrics(url: string, headers: HeadersInit = HEADERS) {
  const response = await fetch(`${url}/metrics`, { headers });
  const text = await response.text();
  strictEqual(response.status, 200, text);
  match(response.headers.get("content-type") ?? "", /^text\/plain; version=0\.0\.4/);
  const families = new Map(Families.parse(parse(text)).map((family) => [family.name, family]));
  return {
    text,
    names: [...families.keys()],
    value: (name: string, labels: Record<string, string> = {}) => {
      const { metrics } = families.get(name) ?? fail(`There is no ${name}`);
      const found = metrics.find((metric) =>
        Object.entries(labels).every(([label, value]) => metric.labels?.[label] === value)
      );
      return Number(found?.value ?? 0);
    },
    /** How many values a histogram has; the parser merges those of different labels. */
    count: (series: string) =>
      Number(text.split("\n").find((line) => line.startsWith(`${series} `))?.split(" ")[1]),
  };
}

async function call(
  server: ServerProcess,
  body: object,
  headers: HeadersInit = {},
  signal?: AbortSignal,
) {
  return await fetch(`${server.url}/api`, {
    signal: signal ?? null,
    method: "POST",
    headers: { ...HEADERS, "Content-Type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
}

/** Waits until the server has no call any more: that of a client who is gone ends a bit later. */
async function untilNoCalls({ url }: ServerProcess): Promise<void> {
  for (const late = performance.now() + 30_000;;) {
    const { calls } = await (await fetch(`${url}/api/calls`, { headers: HEADERS })).json();
    if (calls.length === 0) return;
    ok(performance.now() < late, JSON.stringify(calls));
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

Deno.test("GET /metrics counts calls, stops, jobs and their output, in the format of Prometheus", async () => {
  await using folder = await createTempFolder();
  await using server = await startServer({ env: { MCP_TOKEN: TOKEN, MCP_DATA_DIR: folder.path } });
  const run = (command: string, more: object = {}) =>
    call(server, { tool: "exec-command", args: { commands: [{ command }], ...more } });
  await (await run("echo one")).text();
  await (await run("sleep 30", { timeoutMs: 50 })).text();
  await (await call(server, { tool: "n".repeat(1_000) })).text();
  const job = await call(
    server,
    { tool: "exec-command", args: { commands: [{ command: "printf 12345" }] } },
    { Prefer: "respond-async" },
  );
  const { id } = await job.json();
  await (await fetch(`${server.url}/api/jobs/${id}?wait=10`, { headers: HEADERS })).text();
  for (const headers of [{}, { ...HEADERS, Origin: "https://evil.example" }]) {
    await (await fetch(`${server.url}/api/tools`, { headers })).text();
  }
  const { value, count, names, text } = await readMetrics(server.url);
  const calls = (labels: Record<string, string>) => value("trestle_calls_total", labels);
  strictEqual(calls({ tool: "exec-command", transport: "http", outcome: "ok" }), 2);
  strictEqual(calls({ tool: "exec-command", transport: "job", outcome: "ok" }), 1);
  strictEqual(calls({ tool: "unknown", transport: "http", outcome: "UNKNOWN_TOOL" }), 1);
  strictEqual(count('trestle_call_seconds_count{tool="exec-command"}'), 3);
  deepStrictEqual([value("trestle_stops_total"), value("trestle_stop_survivors_total")], [1, 0]);
  strictEqual(value("trestle_jobs_ended_total", { state: "completed" }), 1);
  strictEqual(value("trestle_job_output_bytes_total"), 5);
  strictEqual(count("trestle_job_wait_seconds_count"), 1);
  strictEqual(count('trestle_store_seconds_count{operation="end"}'), 1);
  strictEqual(value("trestle_refused_total", { reason: "UNAUTHORIZED" }), 1);
  strictEqual(value("trestle_refused_total", { reason: "ORIGIN_NOT_ALLOWED" }), 1);
  deepStrictEqual([value("trestle_runs"), value("trestle_queue")], [0, 0]);
  deepStrictEqual([value("trestle_jobs", { state: "running" })], [0]);
  ok(value("process_resident_memory_bytes") > 1_000_000);
  ok(names.includes("trestle_event_loop_lag_seconds"));
  ok(!text.includes("nnnn"), "a name that a caller made up is no label");
});

Deno.test("GET /metrics counts how commands end, by the tool that ran them, also as a job", async () => {
  await using folder = await createTempFolder();
  await using server = await startServer({ env: { MCP_TOKEN: TOKEN, MCP_DATA_DIR: folder.path } });
  const client = new AbortController();
  const run = async (command: string[], more: object = {}) => {
    const args = { commands: command.map((command) => ({ command })), ...more };
    await (await call(server, { tool: "exec-command", args })).text();
  };
  await run(["true", "exit 3", "kill -9 $$"]);
  await run(["sleep 30"], { timeoutMs: 50 });
  await (await call(server, { tool: "bash-script", args: { script: "exit 4" } }, {
    Prefer: "respond-async, wait=30",
  })).text();
  const sleep = uniqueSleep();
  const stopped = call(
    server,
    {
      tool: "exec-command",
      args: { commands: [{ command: `sleep ${sleep}; true` }] },
    },
    {},
    client.signal,
  );
  await untilProcesses(sleep, 2, 30_000);
  client.abort();
  await rejects(stopped);
  await untilProcesses(sleep, 0, 30_000);
  await untilNoCalls(server);
  const { text } = await readMetrics(server.url);
  deepStrictEqual(text.split("\n").filter((line) => line.startsWith("trestle_commands")).sort(), [
    'trestle_commands_total{tool="bash-script",end="nonzero"} 1',
    'trestle_commands_total{tool="exec-command",end="nonzero"} 2',
    'trestle_commands_total{tool="exec-command",end="ok"} 1',
    'trestle_commands_total{tool="exec-command",end="stopped"} 1',
    'trestle_commands_total{tool="exec-command",end="timeout"} 1',
  ]);
});

Deno.test({
  ...requiresSshd("GET /metrics counts each command on each host that ran it"),
  fn: async () => {
    await using sshd = await startSshd();
    const host = (name: string, address: string) =>
      `Host ${name}\n  HostName ${address}\n  Port ${sshd.port}\n`;
    await Deno.writeTextFile(
      `${sshd.home}/.ssh/config`,
      host("a", "127.0.0.1") + host("b", "127.0.0.2") +
        "Host gone\n  HostName 127.0.0.1\n  Port 1\n",
    );
    await using server = await startServer({
      env: { MCP_TOKEN: TOKEN, HOME: sshd.home, USER: "root" },
    });
    const connections = ["a", "b", "gone"].map((host) => ({ host, commands: ["true", "false"] }));
    const response = await call(server, { tool: "ssh-exec", args: { connections } });
    strictEqual(response.status, 200, await response.text());
    const { value } = await readMetrics(server.url);
    const ends = (end: string) => value("trestle_commands_total", { tool: "ssh-exec", end });
    deepStrictEqual(["ok", "nonzero"].map(ends), [2, 2]);
  },
});

Deno.test("GET /metrics needs the rights of an admin, and with MCP_METRICS_PORT has a port without", async () => {
  await using server = await startServer({ env: { MCP_TOKEN: TOKEN, MCP_METRICS_PORT: "0" } });
  await server.logged(/serving metrics/);
  const address = /"address":"(http:\/\/127\.0\.0\.1:\d+)\/metrics"/.exec(server.stderr())?.[1] ??
    "";
  const { names } = await readMetrics(address, {});
  ok(names.includes("trestle_calls_total"));
  const statuses = [];
  for (
    const [url, headers] of [
      [`${server.url}/metrics`, HEADERS],
      [`${server.url}/metrics`, {}],
      [`${address}/healthz`, HEADERS],
      [`${address}/api/tools`, HEADERS],
    ] as const
  ) {
    const response = await fetch(url, { headers });
    statuses.push(response.status);
    await response.body?.cancel();
  }
  deepStrictEqual(statuses, [200, 401, 404, 404]);
  const own = await readMetrics(server.url);
  ok(own.names.includes("trestle_calls_total"), "the console and docs/operate.md read it there");
});

Deno.test("the dashboard and the alerts of the docs are about series that the server has", async () => {
  await using server = await startServer({ env: { MCP_TOKEN: TOKEN } });
  const { names } = await readMetrics(server.url);
  const known = names.flatMap((name) => [name, `${name}_bucket`, `${name}_sum`, `${name}_count`]);
  for (const [file, most] of [["grafana-dashboard.json", 15], ["alert-rules.yml", 6]] as const) {
    const text = await Deno.readTextFile(new URL(`./docs/${file}`, import.meta.url));
    const shown = new Set(text.match(/\b(?:trestle|process)_[a-z_]+/g));
    deepStrictEqual([...shown.difference(new Set(known))], [], file);
    ok(shown.size >= most, `${file} ${shown.size}`);
  }
});

for (const taken of ["MCP_PORT", "MCP_METRICS_PORT"]) {
  Deno.test(`a server whose ${taken} is taken listens on neither port`, async () => {
    using other = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const ports = { MCP_PORT: freePort(), MCP_METRICS_PORT: freePort(), [taken]: other.addr.port };
    const env = Object.entries(ports).map(([name, port]) => [name, String(port)] as const);
    const config = parseConfig([], { ...Object.fromEntries(env), MCP_LOG_LEVEL: "error" }, 2);
    const app = await createApp(config, { builtInTools: false });
    await rejects(serveHttp(app, config), (error) => error instanceof ConfigError);
    for (const port of Object.values(ports).filter((port) => port !== other.addr.port)) {
      await rejects(Deno.connect({ hostname: "127.0.0.1", port }), Deno.errors.ConnectionRefused);
    }
    await app.close();
  });
}
