import { createApp, parseConfig, serveHttp } from "../mod.ts";

/** Serves as many echo tools as the first argument says, and nothing else; further ones are flags. */
const [count = "1", ...flags] = Deno.args;
const folder = await Deno.makeTempDir();
const echo = await Deno.readTextFile(new URL("../testdata/tools/echo.ts", import.meta.url));
for (let at = 0; at < Number(count); at++) {
  await Deno.writeTextFile(`${folder}/echo-${at}.ts`, echo);
}
const audit = ["--audit-file", `${folder}/audit.jsonl`];
const env = { MCP_TOKEN: Deno.env.get("MCP_TOKEN") ?? "" };
const config = parseConfig(["--port", "0", "--tools", folder, ...audit, ...flags], env, 2);
const transport = await serveHttp(await createApp(config, { builtInTools: false }), config);
Deno.addSignalListener("SIGTERM", () => {
  Deno.removeSync(folder, { recursive: true });
  Deno.exit(0);
});
console.log(transport.address);
