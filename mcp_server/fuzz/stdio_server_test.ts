import { deepStrictEqual, match, rejects } from "node:assert/strict";
import { startStdioServer } from "./stdio_server.ts";

Deno.test("a server over stdio that gets no input ends without a fault", async () => {
  await using server = await startStdioServer();
  deepStrictEqual(await server.end(), []);
});

Deno.test("a server over stdio that has ended is reported, by each input and at the end", async () => {
  await using server = await startStdioServer();
  await server.end();
  const line = new TextEncoder().encode("{}\n");
  await rejects(server.exchange(line, 1, () => false), /the server has ended/);
  match((await server.end()).join(), /^The server has ended before/);
});
