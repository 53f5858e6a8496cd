import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { createTempFolder } from "../test_support/temp_folder.ts";
import type { Job } from "./tool/job.ts";
import { createFleet } from "./testing/fleet.ts";
import type { JobsServer } from "./testing/jobs_server.ts";
import { startPostgres } from "./testing/postgres.ts";
import { writeSecrets } from "./testing/secrets_file.ts";

const FIRST = "first-0123456789";
const SECOND = "second-0123456789-longer";

async function startNamed({ start }: JobsServer, command: string, on: string): Promise<Job> {
  const args = { command, secrets: ["TOKEN"] };
  const response = await start({ tool: "exec-command", args, on });
  strictEqual(response.status, 202);
  return await response.json();
}

Deno.test("a job takes its secrets from the server that runs it, and PostgreSQL has no value", async () => {
  await using postgres = await startPostgres();
  await using fleet = await createFleet(postgres);
  await using folder = await createTempFolder();
  await Deno.mkdir(`${folder.path}/two`);
  const first = await fleet.join("web-1", {
    MCP_SECRETS_FILE: await writeSecrets(folder.path, { TOKEN: FIRST }),
  });
  await fleet.join("web-2", {
    MCP_SECRETS_FILE: await writeSecrets(`${folder.path}/two`, { TOKEN: SECOND }),
  });
  await fleet.join("web-3");
  const command = 'echo "${#TOKEN} <$TOKEN>"; echo "$TOKEN" >&2';
  for (const [on, value] of [["name:web-1", FIRST], ["name:web-2", SECOND]] as const) {
    const { id } = await startNamed(first, command, on);
    const { state, result } = await first.ended(id);
    strictEqual(state, "completed");
    match(JSON.stringify(result), new RegExp(`"stdout":"${value.length} <\\[TOKEN\\]>\\\\n"`));
    const stdout = await (await first.send(`/api/jobs/${id}/stdout`)).text();
    strictEqual(stdout, `${value.length} <[TOKEN]>\n`);
  }
  const { id } = await startNamed(first, command, "name:web-3");
  const { state, error } = await first.ended(id);
  deepStrictEqual([state, error], ["failed", {
    code: "NOT_ALLOWED",
    message: 'Cannot use the secret "TOKEN": the server has none, they are set by MCP_SECRETS_FILE',
  }]);
  const dump = await new Deno.Command("/usr/lib/postgresql/15/bin/pg_dump", {
    args: ["--data-only", postgres.url()],
  }).output();
  const text = new TextDecoder().decode(dump.stdout);
  match(text, /exec-command/);
  strictEqual(/0123456789/.test(text), false);
  const hex = Array.from("0123456789", (digit) => digit.charCodeAt(0).toString(16)).join("");
  strictEqual(text.includes(hex), false);
});
