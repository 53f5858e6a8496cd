/**
 * A start of a server, part by part and in the order of `main.ts`. Prints the processor time of each
 * part in milliseconds, as JSON. What several parts import counts for the first of them.
 *
 * @module
 */

import { processorMs } from "./processor_time.ts";

/** Those that a first call needs. */
const NODE_MODULES = ["node:buffer", "node:path", "node:url", "node:util"];
const MCP = ["../mcp/mcp_http.ts", "../mcp/mcp_server.ts"];

const PARTS: readonly (readonly [name: string, load: () => Promise<void>])[] = [
  ["the modules of Node.js", () => importAll(NODE_MODULES)],
  ["zod", () => importAll(["zod"])],
  ["the engine", () => importAll(["../app.ts"])],
  ["the toolkit", () => importAll(["../toolkit.ts"])],
  ["the modules of the tools", async () => await importAll(await findTools())],
  ["a control group", createServer],
  ["the tools' schemas", () => registerTools()],
  ["the HTTP API", () => importAll(["../serve.ts"])],
  ["the MCP SDK, after the first call", () => importAll(MCP)],
  ["what is loaded late, after that", () => loadLateModules()],
];

/** Imports modules by computed names: others are read before the first module runs. */
async function importAll(names: readonly string[]): Promise<void> {
  await Promise.all(
    names.map((name) => import(name.startsWith(".") ? new URL(name, import.meta.url).href : name)),
  );
}

async function findTools(): Promise<string[]> {
  const names: string[] = [];
  for await (const { name } of Deno.readDir(new URL("../../tools", import.meta.url))) {
    if (name.endsWith(".ts") && !name.endsWith("_test.ts")) names.push(`../../tools/${name}`);
  }
  return names;
}

async function loadLateModules(): Promise<void> {
  const url = new URL("../shared/concurrency.ts", import.meta.url).href;
  const late: typeof import("../shared/concurrency.ts") = await import(url);
  await late.loadLateModules();
}

let close = () => Promise.resolve();
let registerTools = () => Promise.resolve();

async function createServer(): Promise<void> {
  const { createApp }: typeof import("../app.ts") = await import(
    new URL("../app.ts", import.meta.url).href
  );
  const { parseConfig }: typeof import("../settings/parse_config.ts") = await import(
    new URL("../settings/parse_config.ts", import.meta.url).href
  );
  const app = await createApp(parseConfig([], { MCP_LOG_LEVEL: "error" }, 2));
  close = app.close;
  registerTools = async () => void await app.service.list(app.defaultCaller);
}

const spent: [name: string, ms: number][] = [["Deno itself", processorMs()]];
for (const [name, load] of PARTS) {
  const before = processorMs();
  await load();
  spent.push([name, processorMs() - before]);
}
console.log(JSON.stringify(spent));
await close();
