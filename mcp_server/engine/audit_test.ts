import { deepStrictEqual, match, notStrictEqual, strictEqual } from "node:assert/strict";
import { AuditLog, toAuditName } from "./audit.ts";

Deno.test("toAuditName() keeps names whole up to the longest that a tool can have", () => {
  strictEqual(toAuditName("x".repeat(64)), "x".repeat(64));
  strictEqual(toAuditName("x".repeat(65)), `${"x".repeat(64)}...`);
});

Deno.test("AuditLog writes a JSON line at the start and one at the end of a call", () => {
  const lines: string[] = [];
  const audit = new AuditLog((line) => lines.push(line));
  const end = audit.start({ transport: "http", tool: 'a"\n', caller: 'c"\n' });
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
