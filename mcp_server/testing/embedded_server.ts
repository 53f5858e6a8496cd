import { createApp, parseConfig, serveHttp } from "../mod.ts";

// Embeds the server with the tools of a folder; an unhandled rejection ends this program.
const config = parseConfig(["--port", "0", "--tools", Deno.args[0] ?? ""], {}, 2);
const app = await createApp(config, { builtInTools: false });
console.log((await serveHttp(app, config)).address);
