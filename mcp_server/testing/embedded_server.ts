import { createApp, parseConfig, serveHttp } from "../mod.ts";

// A program that embeds the server with the tools of a folder, and that an unhandled rejection ends.
const config = parseConfig(["--port", "0", "--tools", Deno.args[0] ?? ""], {}, 2);
const app = await createApp(config, { builtInTools: false });
console.log((await serveHttp(app, config)).address);
