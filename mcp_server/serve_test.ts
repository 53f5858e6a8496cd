import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { createTempFolder } from "../test_support/temp_folder.ts";
import { createApp } from "./app.ts";
import { parseConfig } from "./settings/config.ts";
import { addressOf, listenEarly } from "./http/listen.ts";
import { serveOn } from "./serve.ts";
import { callApi } from "./testing/http_caller.ts";
import { postMcp } from "./testing/mcp_request.ts";

Deno.test("serveOn() answers MCP while a call that came first still runs", async () => {
  await using folder = await createTempFolder();
  const fifo = `${folder.path}/fifo`;
  await new Deno.Command("mkfifo", { args: [fifo] }).output();
  const config = parseConfig([], { MCP_PORT: "0", MCP_LOG_LEVEL: "error" }, 2);
  const listening = await listenEarly(config);
  const url = addressOf(listening.server.address, config);
  const call = callApi(url, "exec-command", { commands: [{ command: `cat "${fifo}"` }] });
  const list = postMcp(url, { method: "tools/list" });

  const app = await createApp(config);
  const transport = await serveOn(() => listening, app, config);
  strictEqual((await list).status, 200);
  await (await list).body?.cancel();
  await Deno.writeTextFile(fifo, "late");
  const results = [{ stdout: "late", stderr: "", exitCode: 0, timedOut: false }];
  deepStrictEqual((await call).body, { results });

  await transport.close();
  await app.close();
});
