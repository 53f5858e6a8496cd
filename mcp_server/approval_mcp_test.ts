import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import {
  Client,
  StreamableHTTPClientTransport,
  type VersionNegotiationMode,
} from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { createTempFolder } from "../test_support/temp_folder.ts";
import { type ApprovalSite, BOT, isThere, startApprovalSite } from "./testing/approvals.ts";
import { bearerOf, tokenOf, writeCallers } from "./testing/callers_file.ts";
import { serverCommand } from "./testing/server_process.ts";
import { createHttpRequest, TASKS_AND_FORMS, type WireAnswer } from "./testing/task_wire.ts";

const FORMS = { elicitation: {} };

/** What the user of a client answers. */
interface UserAnswer {
  readonly action: "accept" | "decline" | "cancel";
  readonly content?: Record<string, string>;
}

const APPROVE: UserAnswer = { action: "accept", content: { decision: "approve" } };

/** Each answer, and whether it lets the call run. */
const ANSWERS: readonly (readonly [UserAnswer, boolean])[] = [
  [{ action: "decline" }, false],
  [{ action: "cancel" }, false],
  [{ action: "accept", content: { decision: "decline" } }, false],
  [{ action: "accept", content: {} }, false],
  [APPROVE, true],
];

const MODES: readonly VersionNegotiationMode[] = ["legacy", { pin: "2026-07-28" }];

/** Connects a client whose user gives these answers, one after another. */
async function connectOverStdio(
  mode: VersionNegotiationMode,
  env: Record<string, string>,
  answers: UserAnswer[],
): Promise<{ client: Client; questions: string[] }> {
  const questions: string[] = [];
  const info = { name: "asker", version: "1.0.0" };
  const client = new Client(info, {
    capabilities: FORMS,
    versionNegotiation: { mode },
  });
  client.setRequestHandler("elicitation/create", ({ params }) => {
    questions.push(params.message);
    return { ...answers.shift() ?? { action: "cancel" } };
  });
  const { command, args, env: own } = serverCommand({ args: ["--stdio"], env });
  const program = { command, args, env: { ...Deno.env.toObject(), ...own } };
  await client.connect(new StdioClientTransport({ ...program, stderr: "ignore" }));
  return { client, questions };
}

for (const mode of MODES) {
  const name = typeof mode === "string" ? mode : "2026-07-28";
  Deno.test(`the user of a client over stdio approves a call, or nothing runs (${name})`, async () => {
    await using folder = await createTempFolder();
    const path = `${folder.path}/f`;
    const answers: UserAnswer[] = [];
    const env = { MCP_ASK: "write-file,job-start", MCP_AUDIT_FILE: `${folder.path}/audit` };
    const { client, questions } = await connectOverStdio(mode, env, answers);
    try {
      for (const [answer, isApproved] of ANSWERS) {
        answers.push(answer);
        const call = { name: "write-file", arguments: { path, content: "\u202ex" } };
        const result = JSON.stringify(await client.callTool(call));
        match(result, isApproved ? /bytesWritten/ : /the user of its client declined it/);
        match(questions.at(-1) ?? "", /^Approve this call of "write-file"\?.*"\\u202ex"/s);
        strictEqual(await isThere(path), isApproved);
      }
      strictEqual(questions.length, ANSWERS.length);
    } finally {
      await client.close();
    }
    const lines = (await Deno.readTextFile(`${folder.path}/audit`)).split("\n").slice(0, -1);
    const acts = lines.map((line) => JSON.parse(line))
      .filter(({ audit }) => !["start", "end"].includes(audit));
    deepStrictEqual(
      acts.map(({ audit, caller, transport }) => `${audit} ${caller} ${transport}`),
      ANSWERS.map(([, isApproved]) => `${isApproved ? "approve" : "decline"} default mcp-stdio`),
    );
  });
}

Deno.test("a client that can't ask is refused at once where nobody else can approve", async () => {
  await using folder = await createTempFolder();
  const { command, args, env } = serverCommand({ args: ["--stdio"], env: { MCP_ASK: "*" } });
  const client = new Client({ name: "mute", version: "1.0.0" });
  const program = { command, args, env: { ...Deno.env.toObject(), ...env } };
  await client.connect(new StdioClientTransport({ ...program, stderr: "ignore" }));
  const call = { name: "write-file", arguments: { path: `${folder.path}/f`, content: "x" } };
  const result = JSON.stringify(await client.callTool(call));
  await client.close();
  match(result, /nobody can give it: its client can't ask a user/);
  strictEqual(await isThere(`${folder.path}/f`), false);
});

Deno.test("a caller over stdio asks by its rights, and for an admin whom stdio has not, in vain", async () => {
  await using folder = await createTempFolder();
  const path = `${folder.path}/f`;
  const call = { name: "write-file", arguments: { path, content: "x" } };
  for (
    const [rights, end] of [[{ askBy: "admin" }, /nobody can give it/], [
      {},
      /bytesWritten/,
    ]] as const
  ) {
    const env = {
      MCP_CALLERS_FILE: await writeCallers(folder.path, { bot: { ...BOT, ...rights } }),
      MCP_CALLER: "bot",
      MCP_AUDIT_FILE: `${folder.path}/audit`,
    };
    const { client } = await connectOverStdio("legacy", env, [APPROVE]);
    const result = JSON.stringify(await client.callTool(call));
    await client.close();
    match(result, end);
  }
  strictEqual(await isThere(path), true);
});

/** Begins a call of `bot`, and returns what continues it. */
async function begin(
  site: ApprovalSite,
  call: { name: string; arguments: object },
  capabilities = FORMS,
) {
  const request = createHttpRequest(site.server.url);
  const token = tokenOf("bot");
  const { result = {} } = await request("tools/call", call, { capabilities, token });
  const [key = ""] = Object.keys(Object(result.inputRequests));
  return {
    result,
    answer: (reply: UserAnswer, args: object = call.arguments): Promise<WireAnswer> =>
      request("tools/call", {
        name: call.name,
        arguments: args,
        requestState: result.requestState,
        inputResponses: { [key]: reply },
      }, { capabilities, token }),
  };
}

Deno.test("a caller over HTTP is asked, or an admin", async (t) => {
  await using site = await startApprovalSite();
  await t.step("the client of the SDK approves over HTTP by input_required", async () => {
    const client = new Client({ name: "asker", version: "1.0.0" }, {
      capabilities: FORMS,
      versionNegotiation: { mode: { pin: "2026-07-28" } },
    });
    client.setRequestHandler("elicitation/create", () => ({ ...APPROVE }));
    const url = new URL(`${site.server.url}/mcp`);
    await client.connect(
      new StreamableHTTPClientTransport(url, { requestInit: { headers: bearerOf("bot") } }),
    );
    const path = `${site.folder}/input_required`;
    const result = await client.callTool({ name: "write-file", arguments: { path, content: "x" } });
    await client.close();
    match(JSON.stringify(result), /bytesWritten/);
    strictEqual(await Deno.readTextFile(path), "x");
  });
  await t.step(
    "a call that goes on with other arguments than it was approved with does not run",
    async () => {
      const [path, other] = [`${site.folder}/changed`, `${site.folder}/other`];
      const args = { path, content: "x" };
      for (const changed of [{ ...args, path: other }, { ...args, content: "y" }, { path }, {}]) {
        const { result, answer } = await begin(site, { name: "write-file", arguments: args });
        strictEqual(result.resultType, "input_required");
        const text = JSON.stringify((await answer(APPROVE, changed)).result);
        match(text, /its arguments changed while it waited; nothing of it was carried out/);
        deepStrictEqual([await isThere(path), await isThere(other), await site.list()], [
          false,
          false,
          [],
        ]);
      }
      const reordered = await begin(site, { name: "write-file", arguments: args });
      match(
        JSON.stringify((await reordered.answer(APPROVE, { content: "x", path })).result),
        /bytesWritten/,
      );
    },
  );
  await t.step(
    "an admin approves a call whose client is asked, which gets the outcome when it comes back",
    async () => {
      const path = `${site.folder}/decided`;
      const call = { name: "write-file", arguments: { path, content: "x" } };
      const approved = await begin(site, call);
      const [waiting] = await site.until(1);
      strictEqual(waiting?.inClient, true);
      strictEqual((await site.decide(waiting?.id, "approve")).status, 200);
      // The client learns what has become of its call, whatever it answers too late.
      match(JSON.stringify((await approved.answer({ action: "decline" })).result), /bytesWritten/);
      await Deno.remove(path);

      const declined = await begin(site, call);
      const [next] = await site.until(1);
      strictEqual((await site.decide(next?.id, "decline")).status, 200);
      match(
        JSON.stringify((await declined.answer(APPROVE)).result),
        /the admin \\"ops\\" declined it/,
      );
      strictEqual(await isThere(path), false);
    },
  );
  await t.step("job-start asks the user of its client before there is a job", async () => {
    const path = `${site.folder}/job`;
    const call = {
      name: "job-start",
      arguments: { tool: "write-file", args: { path, content: "x" } },
    };
    const declined = await begin(site, call);
    const [waiting] = await site.until(1);
    deepStrictEqual([waiting?.tool, waiting?.job], ["write-file", undefined]);
    const { result } = await declined.answer({ action: "decline" });
    match(JSON.stringify(result), /the user of its client declined it/);
    deepStrictEqual((await site.send("bot", "/api/jobs")).body.jobs, []);

    const approved = await begin(site, call);
    const { result: started } = await approved.answer(APPROVE);
    const { job: { id } } = Object(started).structuredContent;
    const { body: { state } } = await site.send("bot", `/api/jobs/${id}?wait=30`, {
      headers: { "if-none-match": '"queued-0-0"' },
    });
    match(String(state), /completed|running/);
    for (let tries = 0; !await isThere(path) && tries < 200; tries++) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    strictEqual(await isThere(path), true);
  });
});

Deno.test("the yes of a client counts for nothing where only an admin may approve", async () => {
  await using site = await startApprovalSite({ callers: { bot: { ...BOT, askBy: "admin" } } });
  const path = `${site.folder}/f`;
  const request = createHttpRequest(site.server.url);
  const call = { name: "write-file", arguments: { path, content: "x" } };
  const answer = request("tools/call", call, { capabilities: FORMS, token: tokenOf("bot") });
  const [waiting] = await site.until(1);
  strictEqual(waiting?.inClient, false);
  strictEqual(await isThere(path), false);
  await site.decide(waiting?.id, "approve");
  match(JSON.stringify((await answer).result), /bytesWritten/);
});

Deno.test("a task that an admin has to approve says so, and goes on when it is approved", async () => {
  await using site = await startApprovalSite({
    callers: { bot: { ...BOT, askBy: "admin" } },
    args: ["--task-after-ms", "50"],
  });
  const path = `${site.folder}/f`;
  const request = createHttpRequest(site.server.url);
  const wish = { capabilities: TASKS_AND_FORMS, token: tokenOf("bot") };
  const call = { name: "write-file", arguments: { path, content: "x" } };
  const { result } = await request("tools/call", call, wish);
  strictEqual(result?.resultType, "task");
  const { taskId } = result;
  const get = async () => (await request("tasks/get", { taskId }, wish)).result;
  deepStrictEqual([(await get())?.status, (await get())?.statusMessage], [
    "working",
    "Waits for approval",
  ]);
  const [waiting] = await site.until(1);
  strictEqual(waiting?.job, taskId);
  await site.decide(waiting?.id, "approve");
  let task = await get();
  for (let tries = 0; task?.status === "working" && tries < 200; tries++) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    task = await get();
  }
  strictEqual(task?.status, "completed");
  strictEqual(await Deno.readTextFile(path), "x");
});
