import { deepStrictEqual } from "node:assert/strict";
import { toBaseEnv, toChildEnv } from "./child.ts";

Deno.test("toBaseEnv() removes the server's settings and secrets, and nothing else", () => {
  const kept = { PATH: "/bin", HOME: "/root", MCPX: "1", MY_PG: "2", DATABASE: "3" };
  const secrets = {
    MCP_TOKEN: "a",
    MCP_PORT: "1",
    PGPASSWORD: "b",
    PGHOST: "c",
    DATABASE_URL: "d",
    KEY_PASSPHRASE: "e",
    SSH_PASSPHRASE_FILE: "f",
    ssh_passphrase: "g",
  };
  deepStrictEqual(toBaseEnv({ ...kept, ...secrets }), kept);
});

Deno.test("toChildEnv() lets the call's variables override the base, and the cookie override both", () => {
  deepStrictEqual(toChildEnv({ A: "1", B: "1" }, "id", { B: "2", PGHOST: "h", MCP_RUN_ID: "x" }), {
    A: "1",
    B: "2",
    PGHOST: "h",
    MCP_RUN_ID: "id",
  });
});

Deno.test("toChildEnv() keeps the cookie of an outer server", () => {
  const base = toBaseEnv({ MCP_RUN_ID: "outer" });
  deepStrictEqual(toChildEnv(base, "inner"), { MCP_RUN_ID: "outer inner" });
});
