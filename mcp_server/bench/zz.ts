import { processorMs } from "./processor_time.ts";
const imp = (n: string) => import(new URL(n, import.meta.url).href);
const t: [string, number][] = [];
let b = processorMs();
const m = (n: string) => {
  const x = processorMs();
  t.push([n, Math.round(10 * (x - b)) / 10]);
  b = x;
};
m("deno");
await import("zod");
m("zod");
await imp("../app.ts");
m("engine");
await imp("../toolkit.ts");
m("toolkit");
for await (const { name } of Deno.readDir(new URL("../../tools", import.meta.url))) {
  if (name.endsWith(".ts") && !name.endsWith("_test.ts")) await imp(`../../tools/${name}`);
}
m("tools");
const { parseConfig } = await imp("../settings/parse_config.ts");
const { openLogs } = await imp("../app/open_logs.ts");
const { loadTools } = await imp("../app/load_tools.ts");
const config = parseConfig([], { MCP_LOG_LEVEL: "error" }, 2);
m("config");
const logs = await openLogs(config);
m("logs");
const x = performance.now();
await loadTools(config, true, logs, { reloaded() {} });
m("loadTools");
t.push(["of it, schemas (wall)", (globalThis as any).SP], [
  "loadTools wall",
  performance.now() - x,
]);
const { createApp } = await imp("../app.ts");
const app = await createApp(config, { builtInTools: false });
m("createApp without tools");
await app.close();
console.log(t.map(([a, c]) => `${a} ${Math.round(c * 10) / 10}`).join(" | "));
