import { createApp, parseConfig, serveHttp } from "../mod.ts";

/** Serves as many echo tools as the argument says, and nothing else. */
const count = Number(Deno.args[0]);
const folder = await Deno.makeTempDir();
const echo = await Deno.readTextFile(new URL("../testdata/tools/echo.ts", import.meta.url));
for (let at = 0; at < count; at++) await Deno.writeTextFile(`${folder}/echo-${at}.ts`, echo);
const audit = ["--audit-file", `${folder}/audit.jsonl`];
const config = parseConfig(["--port", "0", "--tools", folder, ...audit], {}, 2);
const transport = await serveHttp(await createApp(config, { builtInTools: false }), config);
Deno.addSignalListener("SIGTERM", () => {
  Deno.removeSync(folder, { recursive: true });
  Deno.exit(0);
});
console.log(transport.address);
