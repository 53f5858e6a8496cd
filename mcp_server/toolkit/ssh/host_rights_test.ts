import { strictEqual } from "node:assert/strict";
import { isAllowedHost } from "./host_rights.ts";

Deno.test("isAllowedHost() compares names and addresses, and the port if one is given", () => {
  const cases: [names: string[], port: number, entries: string[], allowed: boolean][] = [
    [["web1"], 22, ["web1"], true],
    [["web1"], 2222, ["web1"], true],
    [["web1"], 22, ["web1:22"], true],
    [["web1"], 23, ["web1:22"], false],
    [["web1"], 22, ["web2", "web*"], true],
    [["web1", "10.0.0.1"], 22, ["10.0.0.*"], true],
    [["web1.evil.org"], 22, ["web1"], false],
    [["::1"], 22, ["::1"], true],
    [["::1"], 22, ["[::1]"], true],
    [["::1"], 22, ["[::1]:22"], true],
    [["::1"], 23, ["[::1]:22"], false],
    [["web1"], 22, [], false],
    [["10.77.0.evil.example"], 22, ["10.77.0.*"], false],
    [["10.77.0.evil.example"], 22, ["10.77.0.*:22"], false],
    [["10.77.0.evil.example", "10.77.0.5"], 22, ["10.77.0.*"], true],
    [["10.77.0.5"], 22, ["10.77.0.*"], true],
    [["10.evil.example"], 22, ["10.*", "10*", "1?.*", "*.77.0.*"], false],
    [["10.077.0.5"], 22, ["10.0*"], false],
    [["10.77.0.1a"], 22, ["10.77.0.??"], false],
    [["10.77.0.12"], 22, ["10.77.0.??"], true],
    [["a.b.c.d"], 22, ["*.*.*.*", "?.?.?.?"], false],
    [["10.77.0.5"], 22, ["*.*.*.*"], true],
    [["fd00::5"], 22, ["fd00::*"], true],
    [["fd00.evil.example"], 22, ["fd00:*", "[fd00:*]"], false],
    // These are patterns of names.
    [["web1"], 22, ["*1"], true],
    [["10.77.0.evil.example"], 22, ["*"], true],
    [["10.77.0.own.example"], 22, ["10.77.0.*.example"], true],
    [["42"], 22, ["42"], true],
  ];
  for (const [names, port, entries, allowed] of cases) {
    strictEqual(isAllowedHost(names, port, entries), allowed, `${names} ${port} ${entries}`);
  }
});
