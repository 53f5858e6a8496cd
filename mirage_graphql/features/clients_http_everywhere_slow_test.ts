import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { openPage } from "../../test_support/browser/browser_page.ts";
import { bundle } from "../../test_support/browser/bundle.ts";
import { requires } from "../../test_support/services.ts";
import { createTempFolder } from "../../test_support/temp_folder.ts";
import { ALL_CLIENTS } from "../testing/clients/all_clients.ts";
import {
  EXPECTED_OF_FEATURES,
  expectedOf,
  featuresOf,
  type HttpClient,
} from "../testing/clients/http_clients.ts";
import { SOCKET_CLIENTS } from "../testing/clients/socket_clients.ts";
import { STREAM_CLIENTS } from "../testing/clients/stream_clients.ts";

const PROGRAM = new URL("../testing/clients/features_program.ts", import.meta.url);

const PAGE = new URL("../docs/clients.md", import.meta.url);

/** The clients of the other tests, by the column of the table. */
const STREAMS = {
  "WebSocket": SOCKET_CLIENTS,
  "server-sent events": STREAM_CLIENTS,
  "multipart stream": STREAM_CLIENTS,
} as const;

Deno.test({
  ...requires("chromium", "all clients work with a fetch handler in Chromium"),
  fn: async () => {
    await using tab = await openPage(PROGRAM);
    await tab.page.waitForFunction("document.title.startsWith('{')");
    deepStrictEqual(JSON.parse(await tab.page.title()), expectedOf(ALL_CLIENTS));
    deepStrictEqual([tab.pageErrors, tab.failedRequests], [[], []]);
  },
});

Deno.test({
  ...requires("node", "all clients work with a fetch handler on Node"),
  fn: async () => {
    await using folder = await createTempFolder();
    const file = `${folder.path}/program.mjs`;
    await Deno.writeTextFile(file, await bundle(PROGRAM));
    const { stdout } = await new Deno.Command("node", {
      args: [file],
      signal: AbortSignal.timeout(120_000),
      stderr: "inherit",
    }).output();
    deepStrictEqual(JSON.parse(new TextDecoder().decode(stdout)), expectedOf(ALL_CLIENTS));
  },
});

Deno.test("the page of clients has a check mark for each of these tests, and no other", async () => {
  const page = await Deno.readTextFile(PAGE);
  const lines = page.split("\n").filter((line) => line.startsWith("|"));
  const [head = [], , ...rows] = lines.map((line) =>
    line.split("|").slice(1, -1).map((cell) => cell.trim())
  );
  const columns = [...Object.keys(EXPECTED_OF_FEATURES), ...Object.keys(STREAMS)];
  const table = [
    ["client", ...columns],
    ...ALL_CLIENTS.map((client) => {
      const tested = testedOf(client);
      return [client.name, ...columns.map((column) => tested.has(column) ? "✓" : "")];
    }),
  ];
  ok(rows.length > 0);
  strictEqual(
    JSON.stringify([head, ...rows]),
    JSON.stringify(table),
    table.map((cells) => `| ${cells.join(" | ")} |`).join("\n"),
  );
});

/** The columns of a client that have a test. */
function testedOf(client: HttpClient): ReadonlySet<string> {
  const { streams = {} } = client;
  const tested = new Set<string>(featuresOf(client));
  for (const column of ["WebSocket", "server-sent events", "multipart stream"] as const) {
    const name = streams[column];
    if (name === undefined) continue;
    ok(name in STREAMS[column], `no test of "${name}" has ${column}`);
    tested.add(column);
  }
  return tested;
}
