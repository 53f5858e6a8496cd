import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { createTempFolder } from "../test_support/temp_folder.ts";
import { bearerOf, EVERYTHING, writeCallers } from "./testing/callers_file.ts";
import { callApi, toAnswer } from "./testing/http_caller.ts";
import { postMcp } from "./testing/mcp_request.ts";
import { bearer, startOAuthServer } from "./testing/oauth_server.ts";

const ALICE = {
  ...EVERYTHING,
  subject: "alice",
  tools: ["read-file", "exec-*", "job-*"],
  admin: false,
};
const READ = { path: "/etc/hostname" };
const WRITE = { path: "/tmp/never", content: "" };

Deno.test("scopes and the callers file both count", async (t) => {
  await using folder = await createTempFolder();
  const path = await writeCallers(folder.path, {
    a: ALICE,
    boss: { ...EVERYTHING, subject: "boss", admin: true },
  });
  await using server = await startOAuthServer({ MCP_CALLERS_FILE: path });
  const { url, issuer } = server;
  const reader = bearer(await issuer.sign());
  const admin = bearer(await issuer.sign({ scope: "admin" }));
  const call = async (tool: string, args: object, headers: Record<string, string>) => {
    const answer = await callApi(url, tool, args, { headers });
    return { ...answer, challenge: answer.headers.get("www-authenticate") };
  };

  await t.step("a list has what the file allows, also if it needs a better token", async () => {
    const { body } = await toAnswer(await fetch(`${url}/api/tools`, { headers: reader }));
    ok(Array.isArray(body.tools));
    const names = body.tools.map(({ name }) => name).filter((name) => !name.startsWith("job-"));
    deepStrictEqual(names, ["exec-command", "read-file"]);
  });

  await t.step("a call that a better token may make asks for it, and no other does", async () => {
    strictEqual((await call("read-file", READ, reader)).status, 200);
    const stepUp = await call("exec-command", {}, reader);
    deepStrictEqual([stepUp.status, stepUp.body.code], [403, "INSUFFICIENT_SCOPE"]);
    match(stepUp.challenge ?? "", /insufficient_scope.*scope="tools:exec"/);
    for (const headers of [reader, admin]) {
      const { status, body, challenge } = await call("write-file", WRITE, headers);
      deepStrictEqual([status, body.code, challenge], [403, "NOT_ALLOWED", null]);
      const message = { method: "tools/call", params: { name: "write-file", arguments: WRITE } };
      const response = await postMcp(url, message, { headers });
      strictEqual(response.status, 200);
      match(await response.text(), /Cannot call \\"write-file\\".*isError":true/);
    }
  });

  await t.step("an admin needs the scope, and the right", async () => {
    const reload = async (claims: object) => {
      const headers = bearer(await issuer.sign(claims));
      const response = await fetch(`${url}/api/admin/reload`, { method: "POST", headers });
      const { code } = await response.json();
      return [
        response.status,
        code,
        /scope="admin"/.test(response.headers.get("www-authenticate") ?? ""),
      ];
    };
    deepStrictEqual(await reload({ scope: "admin" }), [403, "NOT_ALLOWED", false]);
    deepStrictEqual(await reload({ scope: "tools:exec" }), [403, "NOT_ALLOWED", false]);
    const asked = await reload({ scope: "tools:exec", sub: "boss" });
    deepStrictEqual(asked, [403, "INSUFFICIENT_SCOPE", true]);
    deepStrictEqual(await reload({ scope: "admin", sub: "boss" }), [200, undefined, false]);
  });

  await t.step(
    "a subject that the file does not name is refused, without a challenge",
    async () => {
      for (const sub of ["bob", "a", "ALICE", "alice "]) {
        const headers = bearer(await issuer.sign({ sub, scope: "admin" }));
        const { status, body, challenge } = await call("read-file", READ, headers);
        deepStrictEqual([status, body.code, challenge], [403, "NOT_ALLOWED", null], sub);
      }
    },
  );

  await t.step(
    "a caller keeps its name, whether it has a token of OAuth or of the file",
    async () => {
      strictEqual((await call("exec-command", { commands: [] }, bearerOf("a"))).challenge, null);
      await server.process.logged(/"audit":"end".*"exec-command","caller":"a"/);
      const lines = server.process.stderr().matchAll(/"audit":"end".*"caller":"([^"]*)"/g);
      const callers = [...lines].map(([, name]) => name);
      deepStrictEqual([...new Set(callers)], ["a"]);
    },
  );

  await t.step("a subject that is removed is refused, although its token was checked", async () => {
    strictEqual((await call("read-file", READ, reader)).status, 200);
    await writeCallers(folder.path, { b: { ...ALICE, subject: "bob" } });
    await server.process.logged(/callers file read.*"removed":\["a"/);
    strictEqual((await call("read-file", READ, reader)).status, 403);
    strictEqual(
      (await call("read-file", READ, bearer(await issuer.sign({ sub: "bob" })))).status,
      200,
    );
  });
});
