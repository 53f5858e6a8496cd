import { deepStrictEqual, ok } from "node:assert/strict";
import { type Audit, serverAudits } from "graphql-http";
import { createServer } from "miragejs";
import { createFetchInterceptor } from "../intercept/fetch_interceptor.ts";
import { createExecutor } from "../execution/executor.ts";
import { createRouteHandler } from "../http/route_handler.ts";
import { personSchema } from "../testing/person_schema.ts";
import { createFetchHandlerFor } from "../http/fetch_handler.ts";

const url = "http://localhost/graphql";
const executor = createExecutor(personSchema(), { mockSchema: {} });

/**
 * Runs each audit as a step; recommendations of the specification are as binding as requirements.
 */
async function runAudits(t: Deno.TestContext, audits: readonly Audit[]): Promise<void> {
  ok(audits.length >= 60, "the suite has shrunk");
  for (const audit of audits) {
    await t.step(`${audit.id} ${audit.name}`, async () => {
      const result = await audit.fn();
      if (result.status !== "ok") await result.response.body?.cancel();
      deepStrictEqual(result.status, "ok", "reason" in result ? String(result.reason) : "");
    });
  }
}

Deno.test("the fetch handler passes the audits of GraphQL over HTTP", async (t) => {
  const handler = createFetchHandlerFor(executor);
  const fetchFn = (input: string, init: RequestInit) => handler(new Request(input, init));
  await runAudits(t, serverAudits({ url, fetchFn }));
});

Deno.test("the Mirage route passes the audits of GraphQL over HTTP", async (t) => {
  using interceptor = createFetchInterceptor();
  const handler = createRouteHandler(executor);
  createServer({
    ...interceptor,
    environment: "test",
    routes() {
      this.post("/graphql", handler);
      this.get("/graphql", handler);
    },
  });
  await runAudits(t, serverAudits({ url, fetchFn: fetch }));
});
