import { deepStrictEqual, match } from "node:assert/strict";
import { createTempFolder } from "../../../test_support/temp_folder.ts";
import { DEFAULT_CALLER } from "../../access/caller.ts";
import { boundedCaller } from "../../testing/bounded_caller.ts";
import { databaseNames, withNames } from "./databases.ts";

type Databases = Readonly<Record<string, "ro" | "rw">>;

function namesOf(env: Readonly<Record<string, string>>, databases?: Databases): Promise<string[]> {
  return databaseNames(databases ? boundedCaller({ databases }) : DEFAULT_CALLER, {
    env: (name) => env[name],
    envNames: Object.keys(env),
    onServer: () => Promise.resolve(["shop", "own", "a b"]),
  });
}

const PG = { DATABASE_URL: "postgres://u@db/own" };
const SETTINGS = {
  MCP_DATABASE_MY_LOGS: "sqlite:///a",
  MCP_DATABASE_Two: "sqlite:///b",
  MCP_DATABASE_EMPTY: "",
  MCP_DATABASE_: "sqlite:///c",
  OTHER: "x",
};

const CASES: readonly [what: string, Record<string, string>, Databases | undefined, string[]][] = [
  ["those of settings and of the server", { ...PG, ...SETTINGS }, undefined, [
    "own",
    "Two",
    "my-logs",
    "shop",
  ]],
  ["those that a caller may use", { ...PG, ...SETTINGS }, { "s*": "ro" }, ["shop"]],
  ["names as the rights have them", { ...PG, ...SETTINGS }, { my_logs: "ro", two: "rw" }, [
    "my_logs",
  ]],
  ["names that a pattern matches", { ...PG, ...SETTINGS }, { "my_*": "ro" }, ["my_logs"]],
  ["none without rights", { ...PG, ...SETTINGS }, {}, []],
  ["the default file alone", { DATABASE_URL: "sqlite:///d.db" }, undefined, ["main"]],
];

for (const [what, env, databases, names] of CASES) {
  Deno.test(`databaseNames() lists ${what}`, async () => {
    deepStrictEqual(await namesOf(env, databases), names);
  });
}

Deno.test("databaseNames() lists the files of the data folder but the server's own", async () => {
  await using folder = await createTempFolder();
  const env = { MCP_DATA_DIR: folder.path };
  for (const name of ["logs.db", "jobs.db", "x.db-wal", "a b.db", "a.txt"]) {
    await Deno.writeTextFile(`${folder.path}/${name}`, "");
  }
  deepStrictEqual(await namesOf(env), ["main", "logs"]);
  deepStrictEqual(await namesOf(env, { "l*": "ro", jobs: "rw" }), ["logs"]);
  deepStrictEqual(await namesOf({ MCP_DATA_DIR: `${folder.path}/missing` }), ["main"]);
});

Deno.test("withNames() lists ten names at most, and only for an unknown database", async () => {
  const names = () => Promise.resolve(Array.from({ length: 12 }, (_, at) => `d${at}`));
  const unknown = { code: "3D000", message: "there is none" };
  const { hint = "" } = await withNames(unknown, names);
  match(hint, /^Databases that you may use: d0, d1, .*, d9 and 2 more$/);
  const other = { code: "08006", message: "lost" };
  deepStrictEqual(await withNames(other, () => Promise.reject(new Error("asked"))), other);
  deepStrictEqual(await withNames(unknown, () => Promise.resolve([])), {
    ...unknown,
    hint: "Databases that you may use: none",
  });
});
