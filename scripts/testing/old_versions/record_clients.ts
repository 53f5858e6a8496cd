import { type RecordedRequest, sendRecorded } from "../../../mcp_server/testing/recorded_calls.ts";
import { codeBlocks } from "../../../test_support/markdown.ts";
import { createTempFolder } from "../../../test_support/temp_folder.ts";
import { type CheckedOut, checkOut } from "./check_out.ts";
import { startOldServer } from "./old_server.ts";
import { writeJson } from "./record_release.ts";
import { TOKEN } from "./requests.ts";

/**
 * Leaves what those who use a release have: the custom tools of its pages, a tool about jobs, the clients' files
 * that its page shows, the names and arguments of its tools, and what the custom tools answered.
 */
export async function recordClients(target: string, commit: string): Promise<void> {
  await using sources = await checkOut(commit);
  await copyOwnTools(sources, target);
  await Deno.copyFile(`${sources.path}/tools/job-cancel.ts`, `${target}/job-cancel.txt`);
  await writeJson(`${target}/clients.json`, await clientFiles(sources));
  await writeJson(`${target}/tools.json`, await toolArguments(sources));
  await recordCalls(sources, target);
}

async function pageBlocks({ path }: CheckedOut, page: string) {
  return codeBlocks(await Deno.readTextFile(`${path}/mcp_server/docs/${page}.md`));
}

/** The tools of the page about custom tools, which name their files. */
async function copyOwnTools(sources: CheckedOut, target: string): Promise<void> {
  await Deno.mkdir(`${target}/own_tools`, { recursive: true });
  for (const { code } of await pageBlocks(sources, "own-tools")) {
    const name = /^\/\/ my_tools\/([a-z-]+\.ts)$/m.exec(code)?.[1];
    if (name !== undefined) await Deno.writeTextFile(`${target}/own_tools/${name}`, code);
  }
}

/** The clients' files of its page: some have the address, and one starts the server. */
async function clientFiles(sources: CheckedOut): Promise<unknown[]> {
  const blocks = await pageBlocks(sources, "clients");
  return blocks.filter(({ language }) => language === "json").map(({ code }) => JSON.parse(code));
}

interface ToolDefinition {
  readonly name: string;
  readonly inputSchema: { readonly properties?: object; readonly required?: readonly string[] };
}

/** Which arguments each tool takes, and which of them it needs. */
async function toolArguments({ path }: CheckedOut): Promise<object> {
  const text = await Deno.readTextFile(`${path}/mcp_server/testdata/tool_definitions.json`);
  const tools: readonly ToolDefinition[] = JSON.parse(text);
  return Object.fromEntries(
    tools.map(({ name, inputSchema: { properties = {}, required = [] } }) => {
      return [name, { takes: Object.keys(properties), needs: required }];
    }),
  );
}

async function recordCalls(sources: CheckedOut, target: string): Promise<void> {
  await using work = await createTempFolder();
  await using server = await startOldServer(sources, {
    HOME: work.path,
    MCP_TOKEN: TOKEN,
    MCP_DATA_DIR: `${work.path}/data`,
    MCP_TOOLS_DIR: `${target}/own_tools`,
    MCP_LOG_LEVEL: "error",
    MCP_AUDIT_FILE: "/dev/null",
  });
  const calls = [];
  for (const request of [call("disk-usage", { path: "/proc" }), call("drop-cache", {})]) {
    calls.push({ request, response: await sendRecorded(server.url, request, work.path) });
  }
  await writeJson(`${target}/calls.json`, calls);
}

function call(tool: string, args: object): RecordedRequest {
  const headers = { authorization: `Bearer ${TOKEN}` };
  return { method: "POST", path: "/api", headers, body: { tool, args } };
}
