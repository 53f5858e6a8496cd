import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import type { Caller, Rights } from "../mcp_server/access/caller.ts";
import { isJsonObject } from "../mcp_server/shared/json.ts";
import type { CallToolOptions } from "../mcp_server/testing/call_tool.ts";
import { realTool } from "../mcp_server/testing/run_tool.ts";
import register, { fillLists } from "./server-info.ts";

const tool = realTool(register, "server-info");

/** The lists of an answer. */
async function accessOf(options: CallToolOptions) {
  const { access } = await tool.output({}, options);
  return isJsonObject(access) ? access : {};
}
const PATH = Deno.env.get("PATH") ?? "";

/** A home folder with a config of OpenSSH and databases, removed after the test. */
async function createHome(files: Readonly<Record<string, string>>) {
  const path = await Deno.makeTempDir();
  await Deno.mkdir(`${path}/.ssh`);
  await Deno.mkdir(`${path}/data`);
  for (const [name, text] of Object.entries(files)) {
    await Deno.writeTextFile(`${path}/${name}`, text);
  }
  return {
    env: { PATH, HOME: path, MCP_DATA_DIR: `${path}/data` },
    [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }),
  };
}

function callerWith(rights: Partial<Rights>): Caller {
  const none = { tools: ["*"], hosts: [], databases: {}, paths: [], admin: false };
  return { name: "agent", rights: { ...none, ...rights } };
}

const SSH_CONFIG = `# aliases
Host web-1 "web-2"
  HostName 10.0.0.1
host=db
Host *.internal !x *
Host web-1
`;

Deno.test("server-info says where commands run, and which programs they find", async () => {
  await using home = await createHome({});
  const { env } = home;
  const { cwd, user, home: folder, system, programs, limits } = await tool.output({}, { env });
  deepStrictEqual([cwd, folder], [Deno.cwd(), env.HOME]);
  strictEqual(typeof user, "string");
  const { kernel, processors } = isJsonObject(system) ? system : {};
  match(String(kernel), /^Linux \d/);
  strictEqual(processors, navigator.hardwareConcurrency);
  const { stdout } = await new Deno.Command("git", { args: ["--version"] }).output();
  const { git } = isJsonObject(programs) ? programs : {};
  strictEqual(new TextDecoder().decode(stdout).startsWith(`git version ${git}`), true);
  const { timeoutMs, maxJobs } = isJsonObject(limits) ? limits : {};
  deepStrictEqual([timeoutMs, maxJobs], [30_000, 1_000]);
});

Deno.test("server-info names a program whose version does not come, and no missing one", async () => {
  await using home = await createHome({});
  const folder = `${home.env.HOME}/bin`;
  await Deno.mkdir(folder);
  const add = (name: string, text: string) =>
    Deno.writeTextFile(`${folder}/${name}`, `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  await add("node", "exec sleep 60");
  await add("rg", "echo 'ripgrep 99.1'; echo more");
  await add("php", "echo broken; exit 3");
  const PATH = `${folder}:/nowhere`;
  for (const program of ["sh", "sleep"]) {
    await Deno.symlink(`/bin/${program}`, `${folder}/${program}`);
  }
  const { programs } = await tool.output({}, { env: { ...home.env, PATH } });
  deepStrictEqual(programs, { node: "", rg: "99.1", php: "" });
});

Deno.test("server-info lists what the caller may use, and its limits", async () => {
  const files = { ".ssh/config": SSH_CONFIG, "data/notes.db": "", "data/other.db": "" };
  await using home = await createHome(files);
  const env = { ...home.env, MCP_DATABASE_CRM: "postgres://nobody@127.0.0.1:1/crm" };
  const all = await accessOf({ env });
  deepStrictEqual(all.hosts, ["web-1", "web-2", "db"]);
  strictEqual("allowedHosts" in all || "paths" in all || "more" in all, false);
  deepStrictEqual(all.databases, [
    { name: "main", dialect: "sqlite", default: true },
    { name: "crm", dialect: "postgresql" },
    { name: "notes", dialect: "sqlite" },
    { name: "other", dialect: "sqlite" },
  ]);
  const caller = callerWith({
    hosts: ["web-*:22"],
    databases: { "n*": "ro", crm: "rw" },
    paths: ["/srv/**"],
    maxTimeoutMs: 5_000,
    maxJobs: 3,
  });
  const { limits } = await tool.output({}, { env, caller });
  const own = await accessOf({ env, caller });
  deepStrictEqual(own.hosts, ["web-1", "web-2"]);
  deepStrictEqual(own.allowedHosts, ["web-*:22"]);
  deepStrictEqual(own.paths, ["/srv/**"]);
  deepStrictEqual(own.databases, [
    { name: "crm", dialect: "postgresql" },
    { name: "notes", dialect: "sqlite", readOnly: true },
  ]);
  const { timeoutMs, maxJobTimeoutMs, maxJobs } = isJsonObject(limits) ? limits : {};
  deepStrictEqual([timeoutMs, maxJobTimeoutMs, maxJobs], [5_000, 5_000, 3]);
});

Deno.test("server-info lists no host that the server does not allow, and no database by default", async () => {
  await using home = await createHome({ ".ssh/config": SSH_CONFIG });
  const env = { ...home.env, MCP_SSH_ALLOWED_HOSTS: "db, 10.*" };
  const { hosts, allowedHosts } = await accessOf({ env });
  deepStrictEqual([hosts, allowedHosts], [["db"], ["db", "10.*"]]);
  const nothing = await accessOf({ env, caller: callerWith({}) });
  strictEqual("hosts" in nothing || "databases" in nothing, false);
});

Deno.test("server-info answers with at most 2 kB, and says how much it leaves out", async () => {
  await using home = await createHome({
    ".ssh/config": `Host ${Array.from({ length: 500 }, (_, at) => `host-${at}`).join(" ")}\n`,
  });
  const names = Array.from({ length: 300 }, (_, at) => [`MCP_DATABASE_D${at}`, "sqlite:///x"]);
  const env = { ...home.env, ...Object.fromEntries(names) };
  const paths = Array.from({ length: 100 }, (_, at) => `/srv/Größe/${at}/**`);
  const caller = callerWith({ hosts: ["*"], databases: { "*": "ro" }, paths });
  const output = await tool.output({}, { env, caller });
  const size = new TextEncoder().encode(JSON.stringify(output)).length;
  strictEqual(size <= 2_048 && size > 1_600, true, String(size));
  const { more, ...lists } = isJsonObject(output.access) ? output.access : {};
  const count = (name: string) => {
    const { [name]: list } = lists;
    const { [name]: rest } = isJsonObject(more) ? more : {};
    return (Array.isArray(list) ? list.length : 0) + Number(rest ?? 0);
  };
  deepStrictEqual(["hosts", "databases", "paths"].map(count), [500, 301, 100]);
});

Deno.test("fillLists() passes on what one list leaves to those after it", () => {
  const long = Array<string>(100).fill("x".repeat(20));
  const { a, b } = fillLists(1_000, { a: ["one"], b: long });
  deepStrictEqual(a, ["one"]);
  strictEqual(Array.isArray(b) && b.length > 35, true);
});
