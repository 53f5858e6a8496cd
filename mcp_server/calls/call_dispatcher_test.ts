import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import * as z from "zod";
import { type Caller, DEFAULT_CALLER } from "../access/caller.ts";
import type { CommandRunner } from "../tool/command.ts";
import { ArgumentsError, BusyError, ToolError } from "../shared/error.ts";
import { defaultLimits, type Limits } from "../shared/limits.ts";
import { StagedRegistrar, ToolRegistry } from "../tool/registry.ts";
import { buildResponse, type Refusal } from "../tool/result.ts";
import type { CallOptions } from "../tool/service.ts";
import type { ToolExtra } from "../tool/tool.ts";
import { AuditLog } from "./audit.ts";
import { NO_JOBS } from "../testing/no_jobs.ts";
import { CallDispatcher } from "./call_dispatcher.ts";

type Run = (args: { text?: string | undefined }, extra: ToolExtra) => Promise<object> | object;

function setUp(
  run: Run,
  limits: Partial<Limits> = {},
  written: () => Promise<void> = () => Promise.resolve(),
) {
  const audit: Record<string, unknown>[] = [];
  const logged: unknown[] = [];
  const disposed: string[] = [];
  const counted: unknown[] = [];
  const registrar = new StagedRegistrar("echo");
  registrar.registerTool("echo", {
    inputSchema: { text: z.string().optional() },
    outputSchema: { text: z.string() },
  }, async (args: { text?: string }, extra: ToolExtra) => {
    const value = await run(args, extra);
    return "content" in value ? value : buildResponse(value);
  });
  const registry = new ToolRegistry();
  registry.replace(registrar.tools);
  const ignore = () => {};
  const runner: CommandRunner = { run: () => Promise.reject(new Error("Cannot run here")) };
  const dispatcher = new CallDispatcher({
    registry,
    limits: { ...defaultLimits(2), ...limits },
    log: {
      debug: ignore,
      info: ignore,
      warn: ignore,
      error: (message, fields) => logged.push([message, fields]),
    },
    audit: new AuditLog({ write: (line) => audit.push(JSON.parse(line)), written }),
    meter: {
      called: (call) => counted.push([call.tool, call.transport, call.outcome]),
      ran: (...ended) => counted.push(ended),
    },
    redact: (text) => text.replaceAll("hunter2", "[redacted]"),
    createRunner: () => ({ ...runner, [Symbol.dispose]: () => disposed.push("runner") }),
    jobsOf: () => NO_JOBS,
  });
  const call = (name: string, input: unknown, options: Partial<CallOptions> = {}) =>
    dispatcher.call(name, input, {
      transport: "http",
      client: new AbortController(),
      caller: DEFAULT_CALLER,
      ...options,
    });
  const refusal = async (...args: Parameters<typeof call>): Promise<Refusal> => {
    const outcome = await call(...args);
    if (outcome.ok) throw new Error("Cannot refuse: the call was carried out");
    return outcome.refusal;
  };
  return { dispatcher, call, refusal, audit, counted, logged, disposed };
}

Deno.test("CallDispatcher carries a call out and disposes of its runner", async () => {
  const { call, disposed } = setUp(({ text }, extra) => {
    extra.commands.run({ program: "true" }, extra).catch(() => {});
    return { text: `${text}!` };
  });
  const outcome = await call("echo", { text: "hi" });
  deepStrictEqual(outcome.ok && outcome.result.structuredContent, { text: "hi!" });
  deepStrictEqual(disposed, ["runner"]);
});

Deno.test("CallDispatcher starts no tool before the line is written, or once its client has stopped it", async () => {
  for (const stops of [false, true]) {
    const line = Promise.withResolvers<void>();
    let hasRun = false;
    const { call } = setUp(
      () => {
        hasRun = true;
        return { text: "" };
      },
      {},
      () => line.promise,
    );
    const client = new AbortController();
    const outcome = call("echo", {}, { client });
    await new Promise((resolve) => setTimeout(resolve));
    strictEqual(hasRun, false);
    if (stops) client.abort();
    line.resolve();
    strictEqual((await outcome).ok, !stops);
    strictEqual(hasRun, !stops);
  }
});

Deno.test("CallDispatcher audits each call twice, without arguments or output", async () => {
  const { call, audit, counted } = setUp(() => ({ text: "out-put" }));
  await call("echo", { text: "argu-ment" }, { caller: { name: "ci" }, transport: "mcp-http" });
  await call("nope", {});
  deepStrictEqual(audit.map((record) => record.audit), ["start", "end", "start", "end"]);
  deepStrictEqual(audit.map((record) => record.outcome), [
    undefined,
    "ok",
    undefined,
    "UNKNOWN_TOOL",
  ]);
  const [start, end] = audit;
  strictEqual(start?.id, end?.id);
  deepStrictEqual([start?.transport, start?.tool, start?.caller], ["mcp-http", "echo", "ci"]);
  strictEqual(/argu-ment|out-put/.test(JSON.stringify(audit)), false);
  deepStrictEqual(counted, [["echo", "mcp-http", "ok"], [undefined, "http", "UNKNOWN_TOOL"]]);
});

Deno.test("CallDispatcher counts the commands of a call, and audits at most 100 of their exit codes", async () => {
  const { call, audit, counted } = setUp((_, extra) => {
    extra.commandEnded({ end: "ok", exitCode: 0 });
    extra.commandEnded({ end: "stopped", exitCode: undefined });
    for (let count = 0; count < 101; count++) {
      extra.commandEnded({ end: "nonzero", exitCode: 7 });
    }
    return { text: "" };
  });
  await call("echo", {});
  deepStrictEqual(counted.slice(0, 3), [["echo", "ok"], ["echo", "stopped"], ["echo", "nonzero"]]);
  strictEqual(counted.length, 104);
  deepStrictEqual([audit[1]?.exitCodes, audit[1]?.moreCommands], [
    [0, null, ...Array(98).fill(7)],
    3,
  ]);
  deepStrictEqual([audit[0]?.args, audit[0]?.exitCodes], [undefined, undefined]);
});

Deno.test("CallDispatcher lists the existing tools if a name is unknown", async () => {
  const { refusal } = setUp(() => ({ text: "" }));
  for (const name of ["nope", "__proto__", "constructor", "", "x".repeat(1_000_000)]) {
    const { kind, message } = await refusal(name, {});
    strictEqual(kind, "UNKNOWN_TOOL");
    match(message, /there is no such tool; the tools are echo$/);
    strictEqual(message.length < 200, true);
  }
});

Deno.test("CallDispatcher names each argument that is wrong, and runs nothing", async () => {
  let ran = false;
  const { refusal } = setUp(() => ({ text: String(ran = true) }));
  const { kind, message, issues } = await refusal("echo", { text: 1, txt: 2 });
  strictEqual(kind, "INVALID_ARGUMENTS");
  match(message, /^Cannot call "echo": .*text: .*expected string.*"txt"/);
  deepStrictEqual(issues?.map(({ path }) => path), [["text"], []]);
  strictEqual(ran, false);
});

Deno.test("CallDispatcher passes on a tool's refusal, without the server's secrets", async () => {
  const { refusal } = setUp(() => {
    throw new ToolError('Cannot open "hunter2": it is locked', { code: "LOCKED" });
  });
  deepStrictEqual(await refusal("echo", {}), {
    kind: "TOOL_FAILED",
    code: "LOCKED",
    message: 'Cannot open "[redacted]": it is locked',
  });
});

Deno.test("CallDispatcher refuses an argument that only the tool knows to be wrong as the schema does", async () => {
  const { refusal } = setUp(() => {
    throw new ArgumentsError('Cannot echo: "text" hunter2 and nothing exclude each other', {
      argument: "text",
    });
  });
  const message = 'Cannot echo: "text" [redacted] and nothing exclude each other';
  deepStrictEqual(await refusal("echo", {}), {
    kind: "INVALID_ARGUMENTS",
    code: "INVALID_ARGUMENTS",
    message,
    issues: [{ path: ["text"], message }],
  });
});

Deno.test("CallDispatcher reports the details of a crash only to the log", async () => {
  const { refusal, logged } = setUp(() => {
    throw new Error("at /srv/private/path.ts");
  });
  const { kind, message } = await refusal("echo", {});
  strictEqual(kind, "TOOL_CRASHED");
  strictEqual(message, 'The tool "echo" crashed; the server\'s log says why');
  strictEqual(logged.length, 1);
});

Deno.test("CallDispatcher treats an output that breaks the tool's own schema as a crash", async () => {
  const { refusal, logged } = setUp(() => ({ txt: 1 }));
  strictEqual((await refusal("echo", {})).kind, "TOOL_CRASHED");
  match(
    String(JSON.stringify(logged, (_, value) => value?.message ?? value)),
    /its output is wrong/,
  );
});

Deno.test("CallDispatcher keeps the tool's own result if it reports a failure", async () => {
  const failed = { content: [{ type: "text", text: "no room" }], isError: true };
  const { call } = setUp(() => failed);
  const outcome = await call("echo", {});
  strictEqual(outcome.ok, false);
  if (!outcome.ok) {
    strictEqual(outcome.refusal.message, "no room");
    deepStrictEqual(outcome.result, failed);
  }
});

Deno.test("CallDispatcher rejects calls over the limit as busy, and accepts calls again later", async () => {
  const gate = Promise.withResolvers<object>();
  const { call, refusal } = setUp(() => gate.promise, { maxCalls: 1 });
  const first = call("echo", {});
  const { kind, retryAfterSeconds } = await refusal("echo", {});
  deepStrictEqual([kind, retryAfterSeconds], ["BUSY", 1]);
  gate.resolve({ text: "" });
  strictEqual((await first).ok, true);
  strictEqual((await call("echo", {})).ok, true);
});

Deno.test("CallDispatcher passes on that the runner is busy", async () => {
  const { refusal } = setUp(() => {
    throw new BusyError("Cannot start: full", 3);
  });
  const { kind, retryAfterSeconds } = await refusal("echo", {});
  deepStrictEqual([kind, retryAfterSeconds], ["BUSY", 3]);
});

Deno.test("CallDispatcher stops a call with its caller, and reports it as cancelled", async () => {
  const controller = new AbortController();
  const started = Promise.withResolvers<void>();
  const { refusal } = setUp((_, { signal }) => {
    started.resolve();
    return new Promise((_, reject) =>
      signal.addEventListener("abort", () => reject(signal.reason))
    );
  });
  const refused = refusal("echo", {}, { client: controller });
  await started.promise;
  controller.abort();
  strictEqual((await refused).kind, "CANCELLED");
});

Deno.test("CallDispatcher stops a call whose client has disconnected before it starts", async () => {
  const { refusal } = setUp((_, { signal }) => {
    signal.throwIfAborted();
    return { text: "carried out" };
  });
  const client = { signal: AbortSignal.abort() };
  strictEqual((await refusal("echo", {}, { client })).kind, "CANCELLED");
});

Deno.test("CallDispatcher.close() stops every call and rejects new ones", async () => {
  const { call, refusal, dispatcher } = setUp((_, { signal }) => {
    return new Promise((_, reject) =>
      signal.addEventListener("abort", () => reject(signal.reason))
    );
  });
  const running = [call("echo", {}), call("echo", {})];
  await dispatcher.close();
  for (const outcome of await Promise.all(running)) {
    strictEqual(!outcome.ok && outcome.refusal.kind, "SHUTTING_DOWN");
  }
  strictEqual((await refusal("echo", {})).kind, "SHUTTING_DOWN");
});

Deno.test("CallDispatcher rejects a result that is too large as JSON, and says so", async () => {
  const most = 1_000;
  const large: [string, object][] = [
    ["structured", { text: "\0".repeat(200) }],
    ["content", {
      content: [{ type: "text", text: "x".repeat(4_000) }],
      structuredContent: { text: "" },
    }],
  ];
  for (const [what, result] of large) {
    const { kind, code, message } = await setUp(() => result, { maxResultBytes: most }).refusal(
      "echo",
      {},
    );
    deepStrictEqual([kind, code], ["TOOL_FAILED", "RESULT_TOO_LARGE"], what);
    match(message, /^Cannot answer for "echo": its result takes more than 1000 characters as JSON/);
  }
  const { call } = setUp(() => ({ text: "\0".repeat(150) }), { maxResultBytes: most });
  strictEqual((await call("echo", {})).ok, true);
});

Deno.test("CallDispatcher carries out nothing that the scopes of a token do not allow", async () => {
  let runs = 0;
  const { dispatcher, call, refusal } = setUp(() => ({ text: `${++runs}` }));
  const toCaller = (...scopes: string[]) => ({ name: "ci", scopes });
  const input = { text: "" };
  for (const caller of [toCaller(), toCaller("openid"), toCaller("tools:read", "tools:write")]) {
    deepStrictEqual((await dispatcher.list(caller)).map(({ name }) => name), ["echo"]);
    const { kind, message } = await refusal("echo", input, { caller });
    strictEqual(kind, "NOT_ALLOWED");
    match(
      message,
      /the token of the caller does not have the scope tools:exec; get one that does$/,
    );
    const options = { transport: "job", client: new AbortController(), caller } as const;
    const prepared = await dispatcher.prepare("echo", input, options);
    strictEqual(!prepared.ok && prepared.refusal.kind, "NOT_ALLOWED");
  }
  strictEqual(runs, 0);
  strictEqual((await call("echo", input, { caller: toCaller("admin") })).ok, true);
});

Deno.test("CallDispatcher lists, finds and carries out only the tools of a caller", async () => {
  let runs = 0;
  const { dispatcher, call, refusal } = setUp(() => ({ text: `${++runs}` }));
  const toCaller = (...tools: string[]) => ({
    name: "ci",
    rights: { tools, hosts: [], databases: {}, paths: [], admin: false },
  });
  const allowed = toCaller("ec*");
  const denied = toCaller("exec-*");
  const names = async (caller: Caller) => (await dispatcher.list(caller)).map(({ name }) => name);
  deepStrictEqual([await names(allowed), await names(denied)], [["echo"], []]);
  strictEqual(await dispatcher.list(allowed), await dispatcher.list(allowed));
  strictEqual((await dispatcher.find("echo", allowed))?.name, "echo");
  strictEqual(await dispatcher.find("echo", denied), undefined);
  const input = { text: "" };
  strictEqual((await call("echo", input, { caller: allowed })).ok, true);
  const { kind, message } = await refusal("echo", input, { caller: denied });
  deepStrictEqual([kind, message], [
    "NOT_ALLOWED",
    'Cannot call "echo": it is not among the tools of the caller "ci" (exec-*)',
  ]);
  strictEqual((await refusal("nope", input, { caller: denied })).kind, "UNKNOWN_TOOL");
  const options = { transport: "job", client: new AbortController(), caller: denied } as const;
  const prepared = await dispatcher.prepare("echo", input, options);
  strictEqual(!prepared.ok && prepared.refusal.kind, "NOT_ALLOWED");
  strictEqual(runs, 1);
});
