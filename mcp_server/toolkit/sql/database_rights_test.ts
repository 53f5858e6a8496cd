import { strictEqual } from "node:assert/strict";
import fc from "fast-check";
import type { Rights } from "../../access/caller.ts";
import { accessTo } from "./database_rights.ts";

type Databases = Rights["databases"];

const CASES: readonly [databases: Databases, name: string, access: "ro" | "rw" | undefined][] = [
  [{}, "main", undefined],
  [{ main: "rw" }, "main", "rw"],
  [{ main: "rw" }, "mains", undefined],
  [{ main: "ro", "*": "rw" }, "main", "ro"],
  [{ "*": "rw", main: "ro" }, "main", "ro"],
  [{ main: "rw", "*": "ro" }, "main", "rw"],
  [{ main: "ro", "*": "rw" }, "other", "rw"],
  [{ "*": "rw", "audit-*": "ro" }, "audit-1", "ro"],
  [{ "*": "ro", "tmp-*": "rw" }, "tmp-1", "rw"],
  [{ "a*": "rw", "*b": "ro" }, "ab", "ro"],
  [{ "my-logs": "ro", "*": "rw" }, "my_logs", "ro"],
  [{ "my-logs": "ro", "*": "rw" }, "MY_LOGS", "ro"],
  [{ "MY_*": "ro", "*": "rw" }, "my-logs", "ro"],
  [{ "my-logs": "rw", "*": "ro" }, "MY_LOGS", "ro"],
  [{ "my-logs": "ro" }, "my_logs", undefined],
  [{ "my-logs": "ro", my_logs: "rw" }, "my_logs", "rw"],
  [{ main: "rw" }, "toString", undefined],
  [{ main: "rw" }, "__proto__", undefined],
  [JSON.parse('{ "__proto__": "ro", "*": "rw" }'), "__proto__", "ro"],
];

for (const [databases, name, access] of CASES) {
  Deno.test(`accessTo() ${name} with ${JSON.stringify(databases)}`, () => {
    strictEqual(accessTo(name, databases), access);
  });
}

Deno.test("accessTo() never gives more than a spelling of the same variable, and nothing unnamed", () => {
  const name = fc.stringMatching(/^[aA][-_][bB]$/);
  const pattern = fc.oneof(name, fc.constantFrom("*", "a*", "A_*", "*b", "c*"));
  const databases = fc.dictionary(pattern, fc.constantFrom<"ro" | "rw">("ro", "rw"));
  fc.assert(fc.property(name, databases, (name, databases) => {
    const access = accessTo(name, databases);
    if (Object.hasOwn(databases, name)) return access === databases[name];
    const spelled = ["a-b", "a_b", "A_B"].filter((other) => databases[other] === "ro");
    const matched = Object.keys(databases).some((key) =>
      new RegExp(`^${key.replace("*", ".*")}$`).test(name)
    );
    return matched ? access === "ro" || spelled.length === 0 : access === undefined;
  }));
});
