import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { createTempFolder } from "../test_support/temp_folder.ts";
import { bearerOf, writeCallers } from "./testing/callers_file.ts";
import { callApi } from "./testing/http_caller.ts";
import { startServer } from "./testing/server_process.ts";

/** Where the server's packages are, whose home is another one here. */
const DENO_DIR = Deno.env.get("DENO_DIR") ?? `${Deno.env.get("HOME")}/.cache/deno`;

/** The temporary folder is the home, and has two folders; links in its path are resolved. */
async function createHome() {
  const folder = await createTempFolder();
  const home = await Deno.realPath(folder.path);
  await Deno.mkdir(`${home}/own`);
  await Deno.mkdir(`${home}/other`);
  return { home, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

Deno.test("a path that starts with ~/ is below the HOME of commands, in every tool", async () => {
  await using scene = await createHome();
  const { home } = scene;
  await using server = await startServer({
    env: { HOME: home, DENO_DIR, MCP_DATA_DIR: `${home}/data` },
  });
  const call = async (tool: string, args: object) => (await callApi(server.url, tool, args)).body;
  const outOf = async (tool: string, args: object) => {
    const { stdout, results } = await call(tool, args);
    return stdout ?? (Array.isArray(results) ? results.map((one) => one.stdout) : results);
  };
  const path = `${home}/own/x.txt`;
  deepStrictEqual(await call("write-file", { path: "~/own/x.txt", content: "a" }), {
    path,
    bytesWritten: 1,
  });
  strictEqual(await Deno.readTextFile(path), "a");
  deepStrictEqual(await call("read-file", { path: "~/own/x.txt" }), {
    content: "a",
    size: 1,
  });

  const command = "pwd -P; echo $HOME";
  const cwds = [{ cwd: "~" }, { cwd: "~/own" }, { cwd: "~", env: { HOME: `${home}/other` } }];
  const commands = cwds.map((more) => ({ command, ...more }));
  deepStrictEqual(await outOf("exec-command", { commands }), [
    `${home}\n${home}\n`,
    `${home}/own\n${home}\n`,
    `${home}/other\n${home}/other\n`,
  ]);
  strictEqual(await outOf("bash-script", { script: "pwd -P", cwd: "~/own" }), `${home}/own\n`);

  const { code, detail } = await call("bash-script", { script: "pwd", cwd: "~/none" });
  strictEqual(code, "CWD_NOT_FOUND");
  match(String(detail), /\/none/);
});

Deno.test("the rights of a caller apply to what ~ means", async () => {
  await using scene = await createHome();
  const { home } = scene;
  const ci = { tools: ["*"], paths: [`${home}/own/**`] };
  const file = await writeCallers(home, { ci });
  const env = { HOME: home, DENO_DIR, MCP_DATA_DIR: `${home}/data` };
  await using server = await startServer({ args: ["--callers", file], env });
  const call = (tool: string, args: object) =>
    callApi(server.url, tool, args, { headers: bearerOf("ci") });
  const touch = { command: "touch ran" };
  const other = { HOME: `${home}/other` };
  const [inside, ...outside] = [
    await call("exec-command", { commands: [{ ...touch, cwd: "~/own" }] }),
    await call("exec-command", { commands: [{ ...touch, cwd: "~/own" }, { ...touch, cwd: "~" }] }),
    await call("exec-command", { commands: [touch, { ...touch, cwd: "~", env: other }] }),
    await call("bash-script", { script: "touch ran", cwd: "~/other" }),
    await call("write-file", { path: "~/other/f", content: "a" }),
    await call("read-file", { path: "~/own/../other/f" }),
  ];
  strictEqual(inside?.status, 200);
  await Deno.remove(`${home}/own/ran`);
  deepStrictEqual(outside.map(({ body }) => body.code), outside.map(() => "NOT_ALLOWED"));
  for (const name of ["own", "other"]) {
    deepStrictEqual([...Deno.readDirSync(`${home}/${name}`)], []);
  }
});
