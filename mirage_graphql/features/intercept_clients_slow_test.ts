import { deepStrictEqual } from "node:assert/strict";
import { openPage } from "../../test_support/browser/browser_page.ts";
import { bundle } from "../../test_support/browser/bundle.ts";
import { requires } from "../../test_support/services.ts";
import { createTempFolder } from "../../test_support/temp_folder.ts";
import { EXPECTED } from "../testing/clients/exercise.ts";
import { exerciseIntercepted } from "../testing/clients/intercepted_sockets.ts";
import { createSeedServer } from "../testing/seed_server.ts";
import { createWebSocketHandler } from "../ws.ts";
import { exerciseStreams } from "../testing/clients/intercepted_streams.ts";
import { STREAM_CLIENTS } from "../testing/clients/stream_clients.ts";
import { SOCKET_CLIENTS } from "../testing/clients/socket_clients.ts";

const PROGRAM = new URL("../testing/clients/everywhere_program.ts", import.meta.url);

const OBSERVER = new URL("../testing/observe_sockets_page.ts", import.meta.url);

/** What every client has to get, wherever it runs. */
const ALL = {
  sockets: expectedOf(SOCKET_CLIENTS),
  streams: expectedOf(STREAM_CLIENTS),
};

function expectedOf(clients: object) {
  const names = Object.keys(clients);
  return Object.fromEntries(names.map((name) => [name, { result: EXPECTED, listeners: 0 }]));
}

Deno.test("interceptors answer clients on Deno, over sockets and streams", async () => {
  const exercised = { sockets: await exerciseIntercepted(), streams: await exerciseStreams() };
  deepStrictEqual(exercised, ALL);
});

Deno.test({
  ...requires("chromium", "interceptors answer clients in Chromium, over sockets and streams"),
  fn: async () => {
    await using tab = await openPage(PROGRAM);
    await tab.page.waitForFunction("document.title.startsWith('{')");
    deepStrictEqual(JSON.parse(await tab.page.title()), ALL);
    deepStrictEqual([tab.consoleErrors, tab.pageErrors, tab.failedRequests], [[], [], []]);
  },
});

Deno.test({
  ...requires("chromium", "an intercepted socket behaves as one of Chromium"),
  fn: async () => {
    const sockets = createWebSocketHandler("type Query { size: Int }", createSeedServer().schema);
    await using tab = await openPage(OBSERVER, {
      handle: (request) => request.headers.has("upgrade") ? sockets(request) : undefined,
    });
    await tab.page.waitForFunction("'observeBoth' in globalThis");
    const { real, mock, isRestored } = await tab.page.evaluate<Record<string, string>>(
      "observeBoth()",
    );
    deepStrictEqual(JSON.parse(mock ?? ""), JSON.parse(real ?? ""));
    deepStrictEqual([isRestored, tab.pageErrors], [true, []]);
  },
});

Deno.test({
  ...requires("node", "interceptors answer clients on Node, which ends by itself"),
  fn: async () => {
    await using folder = await createTempFolder();
    const file = `${folder.path}/program.mjs`;
    await Deno.writeTextFile(file, await bundle(PROGRAM));
    const { stdout, stderr } = await new Deno.Command("node", {
      args: [file],
      signal: AbortSignal.timeout(120_000),
    }).output();
    const decoder = new TextDecoder();
    deepStrictEqual(
      [JSON.parse(decoder.decode(stdout) || "null"), decoder.decode(stderr)],
      [ALL, ""],
    );
  },
});
