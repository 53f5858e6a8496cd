import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { requires } from "../test_support/services.ts";
import { createTempFolder } from "../test_support/temp_folder.ts";
import { times } from "../test_support/tier.ts";
import { callApi, toAnswer } from "./testing/http_caller.ts";
import { postMcp } from "./testing/mcp_request.ts";
import { processesWith, uniqueSleep, untilProcesses } from "./testing/processes.ts";
import { startServer } from "./testing/server_process.ts";
import { VERSION } from "./version.ts";

const MAIN = new URL("./main.ts", import.meta.url).pathname;
/** The server's guarantee: everything that a call started is gone after 4 s. */
const STOP_MS = 4_000;
/** Slack for a machine that is busy with other tests. */
const SLACK_MS = 16_000;

async function run(args: string[], env: Record<string, string> = {}) {
  const command = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-prompt", "--quiet", MAIN, ...args],
    env: { NO_COLOR: "1", XDG_STATE_HOME: "/dev/null", ...env },
  });
  const { code, stdout, stderr } = await command.output();
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}

Deno.test("main --version and --help answer and exit 0", async () => {
  deepStrictEqual(await run(["--version"]), { code: 0, stdout: `${VERSION}\n`, stderr: "" });
  const help = await run(["--help"]);
  strictEqual(help.code, 0);
  match(help.stdout, /--port N +MCP_PORT/);
});

Deno.test("main reports a bad setting in one line and exits 2", async () => {
  const refusals: [string[], Record<string, string>, RegExp][] = [
    [["--prot", "1"], {}, /^Cannot read the flags: .*'--prot'.*\n$/],
    [[], { MCP_PORT: "x" }, /^Cannot use MCP_PORT "x": .*\n$/],
    [["--host", "0.0.0.0"], {}, /^Cannot listen on "0\.0\.0\.0" without a token: .*openssl.*\n$/],
    [["--tools", "/nowhere"], {}, /^Cannot use MCP_TOOLS_DIR: .*\/nowhere.*\n$/],
    [["--audit-file", "/nowhere/a"], {}, /^Cannot use MCP_AUDIT_FILE "\/nowhere\/a": .*\n$/],
    [
      ["--tls-cert", "/nowhere/c", "--tls-key", "/nowhere/k"],
      {},
      /^Cannot use MCP_TLS_CERT "\/nowhere\/c": .*\n$/,
    ],
  ];
  await Promise.all(refusals.map(async ([args, env, line]) => {
    const { code, stdout, stderr } = await run(args, env);
    deepStrictEqual([code, stdout], [2, ""], args.join(" "));
    match(stderr, line);
  }));
});

Deno.test("main does not wait for a certificate that nobody writes", async () => {
  await using folder = await createTempFolder();
  const fifo = `${folder.path}/fifo`;
  await new Deno.Command("mkfifo", { args: [fifo] }).output();
  const { code, stderr } = await run(["--tls-cert", fifo, "--tls-key", fifo]);
  strictEqual(code, 2);
  match(stderr, /^Cannot use MCP_TLS_CERT ".*\/fifo": it has no content within 5 s; .*\n$/);
});

Deno.test("main reports in one line that its port is taken", async () => {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  const { code, stderr } = await run(["--port", String(port)]);
  strictEqual(code, 2);
  match(stderr, new RegExp(`^Cannot listen on 127\\.0\\.0\\.1:${port}: .*in use.*\\n$`));
});

Deno.test("main --check prints the table of tools, and exits 1 if one is skipped", async () => {
  const folder = await Deno.makeTempDir();
  await Deno.writeTextFile(`${folder}/broken.ts`, "export const a = 1;");
  await using state = await createTempFolder();
  const env = { XDG_STATE_HOME: state.path };
  const good = await run(["--check"], env);
  strictEqual(good.code, 0);
  for (const tool of ["bash-script", "exec-command", "read-file", "write-file"]) {
    match(good.stdout, new RegExp(`^${tool} +ok +/.*${tool}\\.ts$`, "m"));
  }
  const bad = await run(["--check", "--tools", folder], env);
  strictEqual(bad.code, 1);
  match(bad.stdout, /^broken +Cannot load the module: its default export is not a function +\//m);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("main warns without a token, and says how to create one", async () => {
  await using server = await startServer();
  await server.logged(/MCP_TOKEN is not set.*openssl rand -hex 32/);
});

Deno.test("main keeps its own secrets from every child, and passes on the rest", async () => {
  await using server = await startServer({
    env: {
      MCP_TOKEN: "a-token",
      DATABASE_URL: "postgres://u:p@h/d",
      PGPASSWORD: "pg-secret",
      MCP_SSH_PASSPHRASE: "phrase",
      KEPT: "kept",
    },
  });
  const { body } = await callApi(server.url, "bash-script", {
    script: "env; tr '\\0' '\\n' < /proc/$PPID/cmdline",
  }, { headers: { authorization: "Bearer a-token" } });
  const out = String(body.stdout);
  match(out, /^KEPT=kept$/m);
  strictEqual(/a-token|postgres:|pg-secret|phrase|^MCP_(?!RUN_ID)/m.test(out), false, out);
});

Deno.test("main stops a call whose client disconnects, within 4 s", async () => {
  await using server = await startServer();
  for (const accept of ["application/json", "text/event-stream"]) {
    const sleep = uniqueSleep();
    const client = new AbortController();
    const call = callApi(server.url, "bash-script", { script: `sleep ${sleep}` }, {
      signal: client.signal,
      headers: { accept },
    }).catch((error) => error.name);
    await untilProcesses(sleep, 1, 10_000);
    client.abort();
    strictEqual(await call, "AbortError");
    await untilProcesses(sleep, 0, STOP_MS + SLACK_MS);
  }
});

Deno.test("main ends 8 running calls on SIGTERM and exits 0 within 8 s", async () => {
  const server = await startServer();
  const sleep = uniqueSleep();
  const script = `trap '' TERM; sleep ${sleep} & sleep ${sleep}; wait`;
  const calls = Array.from({ length: 8 }, () => callApi(server.url, "bash-script", { script }));
  await untilProcesses(sleep, 16, 20_000);
  const startedAt = performance.now();
  const code = await server.stop("SIGTERM");
  strictEqual(code, 0);
  strictEqual(performance.now() - startedAt < 8_000 + SLACK_MS, true);
  deepStrictEqual(await processesWith(sleep), []);
  for (const { status, body } of await Promise.all(calls)) {
    deepStrictEqual([status, body.code], [503, "SHUTTING_DOWN"]);
  }
});

for (const revision of ["2025-11-25", "2026-07-28"] as const) {
  Deno.test(`main answers a running call of MCP ${revision} on SIGTERM`, async () => {
    const server = await startServer();
    const sleep = uniqueSleep();
    const params = { name: "bash-script", arguments: { script: `sleep ${sleep}` } };
    const call = { method: "tools/call", params };
    const answer = postMcp(server.url, call, { revision }).then((response) => response.text());
    await untilProcesses(sleep, 1, 20_000);
    strictEqual(await server.stop("SIGTERM"), 0);
    match(await answer, /"text":"The server is shutting down; call again when it is back"/);
  });
}

Deno.test("main ends on SIGTERM with exit code 0 while its tools are still loaded", async () => {
  await using folder = await createTempFolder();
  const slow = 'console.error("loading"); await new Promise((end) => setTimeout(end, 60_000));';
  await Deno.writeTextFile(`${folder.path}/slow.ts`, slow);
  const server = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-prompt", "--quiet", MAIN, "--port", "0", "--tools", folder.path],
    env: { NO_COLOR: "1" },
    stdout: "null",
    stderr: "piped",
  }).spawn();
  let stderr = "";
  for await (const text of server.stderr.pipeThrough(new TextDecoderStream())) {
    stderr += text;
    if (!stderr.includes("loading")) continue;
    server.kill("SIGTERM");
    break;
  }
  strictEqual((await server.status).code, 0, stderr);
});

Deno.test("main answers 100 calls at once: each runs, waits, or is rejected as busy", async () => {
  await using folder = await createTempFolder();
  await using server = await startServer({ args: ["--max-runs", "8", "--max-queue", "64"] });
  // No command ends before each of the calls that find no room is rejected.
  const gate = `${folder.path}/gate`;
  const commands = [{ command: `until [ -e ${gate} ]; do sleep 0.05; done; echo ok` }];
  const open = () => Deno.writeTextFileSync(gate, "");
  const late = setTimeout(open, 20_000);
  let left = 28;
  const answers = await Promise.all(
    Array.from({ length: 100 }, async () => {
      const answer = await callApi(server.url, "exec-command", { commands });
      if (answer.status === 429 && --left === 0) open();
      return answer;
    }),
  );
  clearTimeout(late);
  const done = answers.filter(({ status }) => status === 200);
  const busy = answers.filter(({ status }) => status === 429);
  deepStrictEqual([done.length, busy.length], [72, 28]);
  for (const { body } of done) {
    deepStrictEqual(body, {
      results: [{ stdout: "ok\n", stderr: "", exitCode: 0, timedOut: false }],
    });
  }
  for (const { headers, body } of busy) {
    match(headers.get("retry-after") ?? "", /^[1-9]\d*$/);
    strictEqual(body.code, "BUSY");
  }
});

Deno.test("main serves with the permissions that `deno task start` spells out", async () => {
  const manifest = JSON.parse(await Deno.readTextFile(new URL("../deno.json", import.meta.url)));
  const start: string = manifest.tasks.start.command;
  const permissions = start.split(" ").filter((word) => word.startsWith("--allow-"));
  strictEqual(permissions.length > 0 && !permissions.includes("--allow-all"), true);
  deepStrictEqual(
    Object.entries(manifest.permissions.default).map((
      [name, isGiven],
    ) => [`--allow-${name}`, isGiven])
      .toSorted(),
    permissions.toSorted().map((name) => [name, true]),
    "`deno run -P` has the same",
  );
  await using server = await startServer({ permissions });
  const sleep = uniqueSleep();
  const { body } = await callApi(server.url, "bash-script", {
    script: `setsid sleep ${sleep} & sleep ${sleep}`,
    timeoutMs: 300,
  });
  deepStrictEqual([body.timedOut, await processesWith(sleep)], [true, []]);
});

Deno.test({
  ...requires("openssl", "main serves HTTPS with the operator's certificate"),
  fn: async () => {
    const folder = await Deno.makeTempDir();
    const [cert, key] = [`${folder}/cert.pem`, `${folder}/key.pem`];
    const subject = [
      "-subj",
      "/CN=localhost",
      "-addext",
      "subjectAltName=IP:127.0.0.1",
      "-addext",
      "basicConstraints=critical,CA:FALSE",
    ];
    await new Deno.Command("openssl", {
      args: ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", ...subject]
        .concat("-keyout", key, "-out", cert),
      stderr: "null",
    }).output();
    {
      await using server = await startServer({ args: ["--tls-cert", cert, "--tls-key", key] });
      match(server.url, /^https:/);
      using client = Deno.createHttpClient({ caCerts: [await Deno.readTextFile(cert)] });
      const answer = await toAnswer(await fetch(`${server.url}/healthz`, { client }));
      strictEqual(answer.body.text, "ok");
      const ask = async (...flags: string[]) => {
        const args = ["-s", "--cacert", cert, "-w", " %{http_version} %{http_code}", ...flags];
        const curl = new Deno.Command("curl", { args: [...args, `${server.url}/healthz`] });
        return new TextDecoder().decode((await curl.output()).stdout);
      };
      strictEqual(await ask("--http2"), "ok 2 200");
      strictEqual(await ask("--http1.1"), "ok 1.1 200");
      match(await ask("--http1.1", "-H", "Host:"), / 1\.1 400$/);
    }
    await Deno.remove(folder, { recursive: true });
  },
});

Deno.test("main writes the audit to a file that only its owner reads", async () => {
  const folder = await Deno.makeTempDir();
  const file = `${folder}/audit.jsonl`;
  {
    await using server = await startServer({ args: ["--audit-file", file] });
    await callApi(server.url, "bash-script", { script: "echo quiet-output" });
    strictEqual(await server.stop(), 0);
    strictEqual(server.stderr().includes('"audit"'), false);
  }
  const records = (await Deno.readTextFile(file)).trimEnd().split("\n").map((line) =>
    JSON.parse(line)
  );
  deepStrictEqual(records.map(({ audit }) => audit), ["start", "end"]);
  strictEqual(typeof records[1].durationMs, "number");
  strictEqual(JSON.stringify(records).includes("quiet-output"), false);
  strictEqual((await Deno.stat(file)).mode! & 0o777, 0o600);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("main keeps running when a tool forgets a promise that rejects", async () => {
  const folder = await Deno.makeTempDir();
  await Deno.writeTextFile(
    `${folder}/careless.ts`,
    `setTimeout(() => { throw new Error("at load"); }, 0);
     await new Promise((resolve) => setTimeout(resolve, 50));
     export default ({ mcpServer, toolName }) => mcpServer.tool(toolName, () => {
       Promise.reject(new Error("forgotten"));
       setTimeout(() => { throw new Error("late"); }, 0);
       return { content: [] };
     });`,
  );
  {
    await using server = await startServer({ args: ["--tools", folder] });
    strictEqual((await callApi(server.url, "careless", {})).status, 200);
    strictEqual((await callApi(server.url, "careless", {})).status, 200);
    await server.logged(/uncaught error: at load[^]*unhandled rejection.*forgotten/);
  }
  await Deno.remove(folder, { recursive: true });
});

Deno.test("main lets tools close what they hold when it stops, even if one of them fails", async () => {
  const folder = await Deno.makeTempDir();
  const tool = (end: string) =>
    `export default ({ mcpServer, toolName, onShutdown }) => {
       onShutdown(() => { ${end} });
       mcpServer.tool(toolName, () => ({ content: [] }));
     };`;
  await Deno.writeTextFile(`${folder}/a.ts`, tool("throw new Error('no')"));
  await Deno.writeTextFile(`${folder}/b.ts`, tool("console.error('b has closed')"));
  const server = await startServer({ args: ["--tools", folder] });
  strictEqual(await server.stop(), 0);
  match(server.stderr(), /b has closed/);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("main keeps serving if nobody reads its stderr", async () => {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--quiet", MAIN],
    env: { MCP_PORT: "0" },
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const lines = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  const url = /http\S+(?=\/mcp)/.exec((await lines.read()).value ?? "")?.[0] ?? "";
  // Some 300 bytes of the audit each: more than the pipe holds.
  for (let call = 0; call < times(400, 1_500); call++) {
    strictEqual((await callApi(url, "no-such-tool", {})).status, 404);
  }
  child.kill("SIGTERM");
  strictEqual((await child.status).code, 0);
  await Promise.all([lines.cancel(), child.stderr.cancel()]);
});
