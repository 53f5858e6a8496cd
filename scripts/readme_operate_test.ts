import { match, ok, strictEqual } from "node:assert/strict";
import { startServer } from "../mcp_server/testing/server_process.ts";
import { codeBlocks } from "../test_support/markdown.ts";
import { ROOT } from "../test_support/root.ts";
import { requires } from "../test_support/services.ts";
import { createTempFolder } from "../test_support/temp_folder.ts";

const ADDRESS = "http://127.0.0.1:1234";
const TOKEN = "token-of-the-operator";
const HEADERS = { authorization: `Bearer ${TOKEN}` };

const page = await Deno.readTextFile(`${ROOT}/mcp_server/docs/operate.md`);
const [settings = "", ...sections] = page.split(/^## /m);

/** The commands of one section, after those that the page begins with. */
function commandsOf(heading: string): string {
  const section = sections.find((text) => text.startsWith(`${heading}\n`)) ?? "";
  const blocks = [settings, section].flatMap(codeBlocks).filter(({ language, info }) =>
    language === "sh" && info === ""
  );
  ok(blocks.length === 2, heading);
  return blocks.map(({ code }) => code).join("");
}

Deno.test({
  ...requires("jq", "the commands in docs/operate.md show what runs, stop it, and read the audit"),
  fn: async () => {
    await using folder = await createTempFolder();
    await using server = await startServer({
      env: { MCP_TOKEN: TOKEN, MCP_DATA_DIR: `${folder.path}/data` },
    });
    const run = async (heading: string): Promise<string> => {
      const { stdout, stderr, success } = await new Deno.Command("bash", {
        args: ["-euc", commandsOf(heading).replaceAll(ADDRESS, server.url)],
        cwd: folder.path,
        env: { MCP_TOKEN: TOKEN },
      }).output();
      const decoder = new TextDecoder();
      strictEqual(success, true, decoder.decode(stderr));
      return decoder.decode(stdout);
    };
    const nextState = async (id: string, known: string) => {
      const headers = { ...HEADERS, "if-none-match": `"${known}-0-0"` };
      const response = await fetch(`${server.url}/api/jobs/${id}?wait=20`, { headers });
      return (await response.json()).state;
    };
    const post = (body: object, more: Record<string, string>) =>
      fetch(`${server.url}/api`, {
        method: "POST",
        headers: { ...HEADERS, "content-type": "application/json", ...more },
        body: JSON.stringify({ tool: "bash-script", ...body }),
      });
    const call = await post({ args: { script: "echo up; sleep 300" } }, {
      accept: "text/event-stream",
    });
    const events = (call.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream());
    const reader = events.getReader();
    const readUntil = async (text: string) => {
      let read = "";
      while (!read.includes(text)) {
        const { done, value } = await reader.read();
        if (done) break;
        read += value;
      }
      return read;
    };
    match(await readUntil("up"), /up/);
    const started = await post({ args: { script: "read line" }, stdin: true }, {
      prefer: "respond-async",
    });
    const { id } = await started.json();
    strictEqual(await nextState(id, "queued"), "running");
    await (await fetch(`${server.url}/api/tools`)).body?.cancel();
    await server.logged(/"audit":"refused"/);
    const writeAudit = async () => {
      const lines = server.stderr().split("\n").filter((line) => line.startsWith('{"audit"'));
      await Deno.writeTextFile(`${folder.path}/audit.jsonl`, lines.join("\n"));
    };
    await writeAudit();

    const jobLine = `${id} default bash-script\n`;
    const runs = await run("See what runs");
    const [callId] = runs.split(" ", 1);
    strictEqual(
      runs.replaceAll(/ \d+s /g, " Ns "),
      `${callId} Ns default http bash-script \n` +
        `${callId?.replace(/\d+$/, "2")} Ns default job bash-script ${id}\n` +
        "trestle_runs 2\ntrestle_queue 0\n",
    );
    match(
      await run("Read the audit"),
      /^ +2 default bash-script\n(\S+Z default bash-script\n){2}\S+Z UNAUTHORIZED 127\.0\.0\.1 \n$/,
    );
    strictEqual(await run("Stop something"), `${callId} default bash-script\n${jobLine}`);
    match(await readUntil("CANCELLED"), /"The call was stopped by an operator of the server"/);
    strictEqual(await nextState(id, "running"), "cancelled");
    await server.logged(/"audit":"stop".*"job"/);
    await writeAudit();
    match(
      await run("Read the audit"),
      new RegExp(
        `\\S+Z default ${callId} bash-script\n\\S+Z default ${id} bash-script\n\\S+Z UNAUTHORIZED`,
      ),
    );
  },
});
