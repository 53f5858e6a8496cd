import { deepStrictEqual, strictEqual } from "node:assert/strict";
import fc from "fast-check";
import type { Rights } from "../../access/caller.ts";
import { accessTo, findDatabase } from "./database_target.ts";

type Env = Readonly<Record<string, string>>;

function find(name: string | undefined, env: Env): unknown {
  const found = findDatabase(name, (key) => env[key]);
  if (!found.ok) return found.error.code;
  const { target } = found;
  return [target.name, target.engine === "sqlite" ? target.path : target.options];
}

const URL_ENV = { DATABASE_URL: "postgres://u:p%40ss@db:5433/own?sslmode=require" };
const at = (database: string) => ({
  connectionString: `postgres://u:p%40ss@db:5433/${database}?sslmode=require`,
});

const CASES: readonly [what: string, name: string | undefined, env: Env, found: unknown][] = [
  ["the URL's own database", undefined, URL_ENV, ["own", at("own")]],
  ["another one on its server", "logs-2", URL_ENV, ["logs-2", at("logs-2")]],
  ["the user's, if the URL names none", undefined, { DATABASE_URL: "postgres://u@db" }, ["u", {
    connectionString: "postgres://u@db",
  }]],
  ["PG*", undefined, { PGHOST: "h", PGUSER: "u" }, ["u", { database: "u", host: "h", user: "u" }]],
  ["PG* with a name", "x", { PGHOST: "h", PGPORT: "6", PGPASSWORD: "s", PGDATABASE: "d" }, ["x", {
    database: "x",
    host: "h",
    port: 6,
    password: "s",
  }]],
  ["a named server", "my-logs", { MCP_DATABASE_MY_LOGS: "sqlite:///a%20b/c.db", ...URL_ENV }, [
    "my-logs",
    "/a b/c.db",
  ]],
  ["a named server as it is written first", "Logs", {
    MCP_DATABASE_Logs: "sqlite:///one",
    MCP_DATABASE_LOGS: "sqlite:///two",
  }, ["Logs", "/one"]],
  ["a named server in capitals", "logs", { MCP_DATABASE_LOGS: "postgresql://h/d" }, ["logs", {
    connectionString: "postgresql://h/d",
  }]],
  ["an SQLite file as the only database", undefined, { DATABASE_URL: "sqlite:///a" }, [
    "main",
    "/a",
  ]],
  ["no other database", "b", { DATABASE_URL: "sqlite:///a" }, "UNKNOWN_DATABASE"],
  ["the data folder", undefined, { MCP_DATA_DIR: "/d/" }, ["main", "/d/main.db"]],
  ["a file of the data folder", "a-B_1", { MCP_DATA_DIR: "/d" }, ["a-B_1", "/d/a-B_1.db"]],
  ["no file of the server itself", "Jobs", { MCP_DATA_DIR: "/d" }, "UNKNOWN_DATABASE"],
  ["a database that the operator calls so", "jobs", { MCP_DATABASE_JOBS: "sqlite:///a" }, [
    "jobs",
    "/a",
  ]],
  ["XDG's folder", "x", { XDG_DATA_HOME: "/x", HOME: "/h" }, ["x", "/x/trestle/x.db"]],
  ["the home folder", "x", { HOME: "/h" }, ["x", "/h/.local/share/trestle/x.db"]],
  ["an empty variable as none", "x", {
    DATABASE_URL: "",
    PGHOST: "",
    MCP_DATABASE_X: "",
    HOME: "/h",
  }, [
    "x",
    "/h/.local/share/trestle/x.db",
  ]],
  ["no folder", undefined, {}, "NO_DATA_FOLDER"],
  ["another engine", undefined, { DATABASE_URL: "mysql://h/d" }, "BAD_DATABASE_URL"],
  ["a relative SQLite path", undefined, { DATABASE_URL: "sqlite://a/b" }, "BAD_DATABASE_URL"],
];

for (const [what, name, env, found] of CASES) {
  Deno.test(`findDatabase() finds ${what}`, () => deepStrictEqual(find(name, env), found));
}

Deno.test("findDatabase() takes names only", () => {
  const bad = ["", ".", "../x", "a/b", "a b", "a.b", "ä", "a\n", "postgres://h/d", "x".repeat(64)];
  for (const name of bad) {
    strictEqual(find(name, { MCP_DATA_DIR: "/d", ...URL_ENV }), "UNKNOWN_DATABASE");
  }
});

type Databases = Rights["databases"];

const RIGHTS: readonly [databases: Databases, name: string, access: "ro" | "rw" | undefined][] = [
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

for (const [databases, name, access] of RIGHTS) {
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
