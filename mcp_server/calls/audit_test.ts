import { deepStrictEqual, match, notStrictEqual, strictEqual } from "node:assert/strict";
import { AuditLog, RefusalLimit, toAuditName } from "./audit.ts";

Deno.test("toAuditName() keeps names whole up to the longest that a tool can have", () => {
  strictEqual(toAuditName("x".repeat(64)), "x".repeat(64));
  strictEqual(toAuditName("x".repeat(65)), `${"x".repeat(64)}...`);
});

Deno.test("AuditLog writes a JSON line at the start and one at the end of a call", () => {
  const lines: string[] = [];
  const audit = new AuditLog((line) => lines.push(line));
  const { end } = audit.start({ transport: "http", tool: 'a"\n', caller: 'c"\n' });
  end("INVALID_ARGUMENTS");
  audit.start({ transport: "mcp-stdio", tool: "b", caller: "default" });
  strictEqual(lines.every((line) => line.indexOf("\n") === line.length - 1), true);
  const [started, ended, next] = lines.map((line) => JSON.parse(line));
  const { time, id, ...rest } = started;
  strictEqual(new Date(time).toISOString(), time);
  match(id, /^[0-9a-f]{8}-1$/);
  deepStrictEqual(rest, { audit: "start", transport: "http", tool: 'a"\n', caller: 'c"\n' });
  deepStrictEqual([ended.audit, ended.id, ended.outcome], ["end", id, "INVALID_ARGUMENTS"]);
  strictEqual(ended.durationMs >= 0, true);
  notStrictEqual(next.id, id);
  strictEqual(next.caller, "default");
});

Deno.test("AuditLog records who stops a call, which keeps its two lines", () => {
  const lines: Record<string, unknown>[] = [];
  const audit = new AuditLog((line) => lines.push(JSON.parse(line)));
  const started = audit.start({ transport: "mcp-http", tool: "t", caller: "ci" });
  const stop = { call: started.id, tool: "t", caller: 'o"', address: "192.0.2.1" };
  void audit.did("stop", { ...stop, transport: "http" });
  started.end("CANCELLED");
  deepStrictEqual(lines.map(({ audit, id }) => [audit, id]), [
    ["start", started.id],
    ["stop", undefined],
    ["end", started.id],
  ]);
  const { time: _time, ...line } = lines[1] ?? {};
  deepStrictEqual(line, { audit: "stop", transport: "http", ...stop });
  strictEqual(started.time, lines[0]?.time);
  strictEqual(started.startedAt <= performance.now(), true);
});

Deno.test("AuditLog names the job of a call as soon as there is one, and has no control character", () => {
  const lines: string[] = [];
  const audit = new AuditLog((line) => lines.push(line));
  const known: { job?: string } = {};
  const { end } = audit.start({
    transport: "job",
    tool: "t\u009b",
    caller: "c\u2028",
    job: () => known.job,
  });
  known.job = "an-id";
  end("ok");
  void audit.did("input", {
    transport: "http",
    caller: "c\u0085",
    ...known,
    tool: "\u007f",
    bytes: 2,
  });
  deepStrictEqual(lines.filter((line) => !/^[\x20-\x7e]+\n$/.test(line)), []);
  const [started, ended, input] = lines.map((line) => JSON.parse(line));
  deepStrictEqual([started.job, ended.job, input.job], [undefined, "an-id", "an-id"]);
  deepStrictEqual([started.tool, started.caller, input.tool], ["t\u009b", "c\u2028", "\u007f"]);
});

Deno.test("AuditLog writes at most one line a second about what it rejects of an address", () => {
  const lines: Record<string, unknown>[] = [];
  const audit = new AuditLog((line) => lines.push(JSON.parse(line)));
  const refused = (address: string) =>
    audit.refused({ code: "UNAUTHORIZED", transport: "http", address });
  for (let count = 0; count < 100; count++) refused("192.0.2.1");
  refused("192.0.2.2");
  const call = {
    code: "NOT_ALLOWED",
    transport: "job",
    tool: "t".repeat(99),
    caller: 'c"',
  } as const;
  audit.refused(call);
  audit.refused(call);
  deepStrictEqual(lines.map(({ time: _time, ...rest }) => rest), [
    { audit: "refused", code: "UNAUTHORIZED", transport: "http", address: "192.0.2.1" },
    { audit: "refused", code: "UNAUTHORIZED", transport: "http", address: "192.0.2.2" },
    {
      audit: "refused",
      code: "NOT_ALLOWED",
      transport: "job",
      tool: `${"t".repeat(64)}...`,
      caller: 'c"',
    },
  ]);
});

Deno.test("RefusalLimit lets one of an address through in a while, and counts the others", () => {
  const limit = new RefusalLimit(1_000);
  const taken = [0, 1, 999, 1_000, 1_500, 2_500].map((now) => limit.take("a", now));
  deepStrictEqual(taken, [0, undefined, undefined, 2, undefined, 1]);
  strictEqual(limit.take("b", 2_500), 0);
});

Deno.test("RefusalLimit remembers a bounded number of addresses, which share the rest", () => {
  const limit = new RefusalLimit(1_000);
  const throughAt = (now: number) => {
    const addresses = Array.from({ length: 5_000 }, (_, at) => `${now}-${at}`);
    return addresses.filter((address) => limit.take(address, now) !== undefined).length;
  };
  strictEqual(throughAt(0), 1_025);
  strictEqual(limit.take("0-0", 500), undefined);
  strictEqual(throughAt(500), 0);
  strictEqual(throughAt(1_000) <= 1_026, true);
});
