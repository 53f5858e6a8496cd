import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { bearerOf, callersText, tokenOf } from "../mcp_server/testing/callers_file.ts";
import { startServer } from "../mcp_server/testing/server_process.ts";
import { codeBlocks } from "../test_support/markdown.ts";
import { ROOT } from "../test_support/root.ts";
import { requires } from "../test_support/services.ts";
import { createTempFolder } from "../test_support/temp_folder.ts";

const ADDRESS = "http://127.0.0.1:1234";

Deno.test({
  ...requires("curl", "the example of docs/approval.md is approved, and declined as it shows"),
  fn: async () => {
    const page = await Deno.readTextFile(`${ROOT}/mcp_server/docs/approval.md`);
    const blocks = codeBlocks(page);
    const [file = "", refusal = ""] = blocks.filter(({ language }) => language === "json")
      .map(({ code }) => code);
    const [call = "", decide = ""] = blocks.filter(({ language }) => language === "sh")
      .map(({ code }) => code);
    const { agent, alice } = JSON.parse(file).callers;
    const { callers: own } = JSON.parse(callersText({ agent: {}, alice: {} }));

    await using folder = await createTempFolder();
    const path = `${folder.path}/callers.json`;
    const text = file.replace(agent.tokenSha256, own.agent.tokenSha256)
      .replace(alice.tokenSha256, own.alice.tokenSha256);
    await Deno.writeTextFile(path, text, { mode: 0o600 });
    await using server = await startServer({ args: ["--callers", path] });
    const run = async (code: string): Promise<string> => {
      const { stdout } = await new Deno.Command("bash", {
        args: ["-euc", code.replaceAll(ADDRESS, server.url).replaceAll("/tmp/", `${folder.path}/`)],
        env: { agent: tokenOf("agent"), alice: tokenOf("alice") },
        cwd: folder.path,
      }).output();
      return new TextDecoder().decode(stdout);
    };
    const untilOneWaits = async (): Promise<void> => {
      for (const late = performance.now() + 30_000; performance.now() < late;) {
        const headers = bearerOf("alice");
        const { approvals } = await (await fetch(`${server.url}/api/approvals`, { headers }))
          .json();
        if (approvals.length === 1) return;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      throw new Error("Cannot see a call that waits");
    };
    const approved = run(call);
    await untilOneWaits();
    const [shown = "", decision] = (await run(decide)).trim().split("\n");
    deepStrictEqual(JSON.parse(shown).slice(0, 2), ["write-file", "agent"]);
    match(shown, /notes/);
    strictEqual(decision, "approve");
    strictEqual(JSON.parse(await approved).bytesWritten, 1);

    const declined = run(call);
    await untilOneWaits();
    await run(decide.replace('"approve"', '"decline"'));
    deepStrictEqual(JSON.parse(await declined), JSON.parse(refusal));
  },
});
