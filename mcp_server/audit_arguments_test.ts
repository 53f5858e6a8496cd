import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { createTempFolder } from "../test_support/temp_folder.ts";
import { callApi, toAnswer } from "./testing/http_caller.ts";
import { writeSecrets } from "./testing/secrets_file.ts";
import { type ServerProcess, startServer } from "./testing/server_process.ts";

const TOKEN = "token-of-the-operator-of-tests";
const HEADERS = { authorization: `Bearer ${TOKEN}` };
const VALUE = 'npm "secret" value';
const PASSWORD = "pass-word-of-database";

/** Starts a server with secrets, whose audit is in a file. */
async function startAudited(
  folder: string,
  env: Record<string, string>,
): Promise<{ server: ServerProcess; records: () => Promise<Record<string, unknown>[]> }> {
  const path = `${folder}/audit.jsonl`;
  const server = await startServer({
    env: {
      MCP_TOKEN: TOKEN,
      MCP_DATA_DIR: folder,
      MCP_AUDIT_FILE: path,
      MCP_SECRETS_FILE: await writeSecrets(folder, { NPM_TOKEN: VALUE }),
      MCP_DATABASE_MAIN: `postgres://user:${PASSWORD}@127.0.0.1:1/db`,
      ...env,
    },
  });
  const records = async () => {
    await server.stop();
    const text = await Deno.readTextFile(path);
    for (const secret of [TOKEN, VALUE, JSON.stringify(VALUE).slice(1, -1), PASSWORD]) {
      ok(!text.includes(secret), secret);
    }
    match(text, /^[\x20-\x7e\n]*$/);
    return text.split("\n").slice(0, -1).map((line) => JSON.parse(line));
  };
  return { server, records };
}

Deno.test("MCP_AUDIT_ARGS=1 adds the arguments of calls and jobs to the audit, without secrets", async () => {
  await using folder = await createTempFolder();
  const { server, records } = await startAudited(folder.path, { MCP_AUDIT_ARGS: "1" });
  await using _server = server;
  const call = (tool: string, args: object, more: HeadersInit = {}) =>
    callApi(server.url, tool, args, { headers: { ...HEADERS, ...more } });
  const script = `echo '${VALUE}' ${PASSWORD} ${TOKEN} é\u202e; exit 5`;
  await call("bash-script", { script, env: { [VALUE]: "v", DEPLOY_TOKEN: "other" } });
  await call("bash-script", { script: "exit 6", secrets: ["NPM_TOKEN"] }, {
    prefer: "respond-async, wait=30",
  });
  await call("write-file", { path: `${folder.path}/f`, content: `${VALUE} `.repeat(50_000) });
  const many = Array.from({ length: 12 }, () => ({ command: `: ${"é".repeat(900)}` }));
  await call("exec-command", { commands: many });
  await call("no-such-tool", { a: VALUE });
  const lines = await records();
  const starts = lines.filter(({ audit }) => audit === "start");
  const shown = "echo '[NPM_TOKEN]' [redacted] [redacted] é\u202e; exit 5";
  deepStrictEqual(starts.slice(0, 2).map(({ args }) => args), [
    { script: shown, env: { "[NPM_TOKEN]": "[redacted]", DEPLOY_TOKEN: "[redacted]" } },
    { script: "exit 6", secrets: ["NPM_TOKEN"] },
  ]);
  const [, , written, ran, unknown] = starts.map(({ args }) => args);
  match(JSON.stringify(written), /"content":"(\[NPM_TOKEN\] )+.*characters are not shown/);
  match(String(ran), /^\{"commands":\[\{"command":": é+".*characters is left out\]$/);
  deepStrictEqual(unknown, { a: "[NPM_TOKEN]" });
  ok(starts.every(({ args }) => JSON.stringify(args).length <= 8_192));
  const ends = lines.filter(({ audit }) => audit === "end");
  deepStrictEqual(ends.map(({ exitCodes }) => exitCodes), [
    [5],
    [6],
    undefined,
    Array(12).fill(0),
    undefined,
  ]);
  ok(ends.every((line) => !("args" in line)));
});

Deno.test("the audit has exit codes and no arguments unless MCP_AUDIT_ARGS is 1", async () => {
  await using folder = await createTempFolder();
  const { server, records } = await startAudited(folder.path, {});
  await using _server = server;
  const answer = await toAnswer(
    await fetch(`${server.url}/api`, {
      method: "POST",
      headers: { ...HEADERS, "content-type": "application/json" },
      body: JSON.stringify({ tool: "exec-command", args: { command: "kill -9 $$" } }),
    }),
  );
  strictEqual(answer.status, 200);
  const lines = await records();
  deepStrictEqual(lines.map(({ audit, args, exitCodes }) => [audit, args, exitCodes]), [
    ["start", undefined, undefined],
    ["end", undefined, [137]],
  ]);
});
