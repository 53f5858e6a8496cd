import { deepStrictEqual } from "node:assert/strict";
import { createTempFolder } from "../../test_support/temp_folder.ts";
import { fuzz } from "./fuzz.ts";
import { newSeed } from "./random.ts";

const CRASHING = `export default ({ mcpServer, toolName }) =>
  mcpServer.tool(toolName, "Crashes.", {}, () => {
    Promise.reject(new Error("nobody waits"));
    throw new TypeError("crash");
  });
`;

Deno.test("fuzz() finds nothing wrong in a few hundred requests", async () => {
  const seed = newSeed() >> 0;
  const bad = (await fuzz({ requests: 200, seed })).filter(({ good }) => !good);
  deepStrictEqual(bad, [], `--seed ${seed}`);
});

Deno.test("fuzz() reports a crash and an unhandled rejection", async () => {
  await using folder = await createTempFolder();
  await Deno.writeTextFile(`${folder.path}/crashing.js`, CRASHING);
  const args = ["--tools", folder.path];
  const further = [{ tool: "crashing", args: {} }];
  const findings = await fuzz({ requests: 200, seed: 1, args, further });
  const bad = findings.filter(({ good }) => !good).map(({ what }) => what);
  deepStrictEqual(bad, ["properties that failed", "unhandled rejections"]);
});
