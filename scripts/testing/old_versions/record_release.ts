import { sendRecorded } from "../../../mcp_server/testing/recorded_calls.ts";
import { codeBlocks, moduleExample } from "../../../test_support/markdown.ts";
import { ROOT } from "../../../test_support/root.ts";
import { createTempFolder } from "../../../test_support/temp_folder.ts";
import { type CheckedOut, checkOut, run } from "./check_out.ts";
import { startOldServer } from "./old_server.ts";
import { REQUESTS, TOKEN } from "./requests.ts";

/** The last commit before the first change that the change logs count after 0.1.0. */
export const RELEASE = "4921961";

/** Leaves what 0.1.0 itself answers, writes and ships: calls, audit, databases, tools, settings. */
export async function recordRelease(target: string): Promise<void> {
  await using sources = await checkOut(RELEASE);
  await copyTools(sources, target);
  await copyEmbedding(sources, target);
  await recordSettings(sources, target);
  await recordAnswers(sources, target);
}

/** The built-in tools, which are written for the toolkit of their time, and the README's own tool. */
async function copyTools({ path }: CheckedOut, target: string): Promise<void> {
  for (const folder of ["tools", "own_tools"]) {
    await Deno.mkdir(`${target}/${folder}`, { recursive: true });
  }
  for await (const { name } of Deno.readDir(`${path}/tools`)) {
    if (/^[a-z-]+\.ts$/.test(name)) {
      await Deno.copyFile(`${path}/tools/${name}`, `${target}/tools/${name}`);
    }
  }
  const readme = codeBlocks(await Deno.readTextFile(`${path}/mcp_server/README.md`));
  const tool = readme.find(({ code }) => code.includes("disk-usage.ts"));
  if (tool === undefined) throw new Error("Cannot find the tool of the README");
  await Deno.writeTextFile(`${target}/own_tools/disk-usage.ts`, tool.code);
}

/** The program that embeds the server, from the documentation of its module. */
async function copyEmbedding({ path }: CheckedOut, target: string): Promise<void> {
  const example = moduleExample(await Deno.readTextFile(`${path}/mcp_server/mod.ts`));
  await Deno.writeTextFile(`${target}/embedding.txt`, example);
}

/** Every setting of its README, and the configuration that it made of them. */
async function recordSettings({ path }: CheckedOut, target: string): Promise<void> {
  const read = `import { parseConfig } from "${path}/mcp_server/settings/config.ts";
    const env = JSON.parse(Deno.args[0]);
    console.log(JSON.stringify(parseConfig([], env, 4)));`;
  await Deno.writeTextFile(`${path}/read_settings.ts`, read);
  const args = ["run", "-A", "--quiet", `${path}/read_settings.ts`, JSON.stringify(SETTINGS)];
  const config = JSON.parse(await run(Deno.execPath(), args, { cwd: path }));
  await writeJson(`${target}/settings.json`, { env: SETTINGS, config });
}

async function recordAnswers(sources: CheckedOut, target: string): Promise<void> {
  await using work = await createTempFolder();
  const folder = work.path;
  const audit = `${target}/audit.jsonl`;
  await Deno.remove(audit).catch(() => {});
  {
    await using server = await startOldServer(sources, {
      HOME: folder,
      MCP_TOKEN: TOKEN,
      MCP_DATA_DIR: `${folder}/data`,
      MCP_AUDIT_FILE: audit,
      MCP_TOOLS_DIR: `${target}/own_tools`,
      MCP_LOG_LEVEL: "error",
    });
    const calls = [];
    for (const request of REQUESTS) {
      calls.push({ request, response: await sendRecorded(server.url, request, folder) });
    }
    await writeJson(`${target}/calls.json`, calls);
  }
  await run("tar", ["-czf", `${target}/data.tgz`, "-C", `${folder}/data`, "."]);
}

/** Writes JSON as `deno fmt` would. */
export async function writeJson(path: string, value: unknown): Promise<void> {
  await Deno.writeTextFile(path, JSON.stringify(value, undefined, 2));
  await run(Deno.execPath(), ["fmt", "--quiet", path], { cwd: ROOT });
}

/** A value for each variable of the table in its README. */
const SETTINGS: Readonly<Record<string, string>> = {
  MCP_PORT: "4321",
  MCP_HOST: "0.0.0.0",
  MCP_TOKEN: "one,two",
  MCP_TOOLS_DIR: "/srv/tools,/srv/more",
  MCP_ALLOWED_HOSTS: "tools.example.org,[::1]:8443",
  MCP_ALLOWED_ORIGINS: "https://app.example.org",
  MCP_TLS_CERT: "/etc/trestle/cert.pem",
  MCP_TLS_KEY: "/etc/trestle/key.pem",
  MCP_JS_RUNTIME: "/usr/bin/node",
  DATABASE_URL: "postgres://user@db.example.org/main",
  MCP_DATABASE_LOGS: "sqlite:///var/lib/trestle/logs.db",
  MCP_DATA_DIR: "/var/lib/trestle",
  MCP_SQL_READ_ONLY: "1",
  MCP_AUDIT_FILE: "/var/log/trestle/audit.jsonl",
  MCP_LOG_LEVEL: "warn",
  MCP_SSH_KEY: "/etc/trestle/id_ed25519",
  MCP_SSH_PASSPHRASE: "passphrase",
  MCP_SSH_PASSWORD: "password",
  MCP_SSH_HOST_KEYS: "accept-new",
  MCP_SSH_ALLOWED_HOSTS: "*.example.org,10.0.0.*:22",
  MCP_SSH_PARALLEL: "8",
  MCP_TIMEOUT_MS: "20000",
  MCP_MAX_TIMEOUT_MS: "500000",
  MCP_OUTPUT_BYTES: "100000",
  MCP_MAX_OUTPUT_BYTES: "1000000",
  MCP_MAX_FILE_BYTES: "2000000",
  MCP_MAX_BODY_BYTES: "3000000",
  MCP_MAX_RUNS: "3",
  MCP_MAX_QUEUE: "30",
  MCP_MAX_CALLS: "100",
  MCP_TOOL_LOAD_MS: "9000",
};
