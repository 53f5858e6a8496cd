import { deepStrictEqual, ok } from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { runConformance } from "../testing/conformance.ts";
import { createTempFolder } from "../../test_support/temp_folder.ts";
import { isWholeRun } from "../../test_support/tier.ts";
import { startServer } from "../testing/server_process.ts";

const TESTDATA = fileURLToPath(new URL("../testdata", import.meta.url));

/** Scenarios without a single failed check, and how many checks of them pass at least. */
const GREEN = {
  "2026-07-28": {
    "http-header-validation": 14,
    "http-custom-header-server-validation": 10,
    "json-schema-2020-12": 8,
    "dns-rebinding-protection": 2,
    "tasks-capability-negotiation": 5,
    "tasks-lifecycle": 9,
    "tasks-wire-fields": 4,
    "tasks-request-state-removal": 3,
    "tasks-mrtr-input": 4,
    "tasks-request-headers": 5,
    "tasks-dispatch-and-envelope": 9,
    "tasks-required-task-error": 3,
    "tasks-mrtr-composition": 2,
  },
  "2025-11-25": {
    "json-schema-2020-12": 8,
    "dns-rebinding-protection": 2,
  },
} as const;

/** The suite of the newer revision takes ten times as long as that of the older one. */
const REVISIONS = isWholeRun ? ["2026-07-28", "2025-11-25"] as const : ["2025-11-25"] as const;

for (const revision of REVISIONS) {
  Deno.test(`MCP ${revision}: the conformance suite`, async (t) => {
    await using folder = await createTempFolder();
    const tools = `${folder.path}/tools`;
    await copyFolder(`${TESTDATA}/conformance_tools`, tools);
    await using server = await startServer({
      args: ["--tools", tools, "--task-after-ms", "100"],
      env: { MCP_DATA_DIR: `${folder.path}/data`, MCP_WATCH_TOOLS: "1" },
    });
    const { asExpected, text, scenarios } = await runConformance(`${server.url}/mcp`, {
      revision,
      baseline: `${TESTDATA}/conformance/${revision}.yml`,
    });
    await t.step("fails only what a server without prompts and subscriptions can't do", () => {
      ok(asExpected, text);
    });
    for (const [scenario, least] of Object.entries(GREEN[revision])) {
      await t.step(`passes all of ${scenario}`, () => {
        const checks = scenarios.get(scenario) ?? [];
        deepStrictEqual(checks.filter(({ status }) => status !== "SUCCESS"), []);
        ok(checks.length >= least, `${checks.length} checks`);
      });
    }
  });
}

/** Copies the files of a folder, so that a tool may change them. */
async function copyFolder(from: string, to: string): Promise<void> {
  await Deno.mkdir(to);
  for await (const { name } of Deno.readDir(from)) {
    await Deno.copyFile(`${from}/${name}`, `${to}/${name}`);
  }
}
