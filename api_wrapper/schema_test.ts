import { deepStrictEqual, rejects, strictEqual } from "node:assert/strict";
import { type } from "arktype";
import axios from "axios";
import * as v from "valibot";
import { z } from "zod";
import { cancelPendingRequests } from "./pending_requests.ts";
import { api, SchemaError } from "./schema.ts";
import { createHeldAdapter, settle } from "./testing/held_adapter.ts";
import { useApi } from "./use_api.ts";

const SENT = { id: 7, tags: ["a"], createdAt: "2026-01-02T00:00:00Z", extra: true };
const OUTPUT = { id: 7, tags: ["a"], createdAt: new Date("2026-01-02T00:00:00Z") };

/** One schema in the form of each library; all of them turn a text into a date. */
const SCHEMAS = {
  zod: z.object({
    id: z.number(),
    tags: z.array(z.string()),
    createdAt: z.coerce.date(),
  }),
  valibot: v.object({
    id: v.number(),
    tags: v.array(v.string()),
    createdAt: v.pipe(v.string(), v.transform((text) => new Date(text))),
  }),
  arktype: type({ id: "number", tags: "string[]", createdAt: "string.date.iso.parse" })
    .onUndeclaredKey("delete"),
};

function setUp() {
  const { instance, held } = createHeldAdapter();
  return { held, posts: api("/posts", instance) };
}

for (const [library, schema] of Object.entries(SCHEMAS)) {
  Deno.test(`data is the output of a schema of ${library}, for every method`, async () => {
    const { held, posts } = setUp();
    const sent = [
      posts.get(7, { schema }),
      posts.post({}, { schema }),
      posts.put(7, {}, { schema }),
      posts.patch(7, {}, { schema }),
      posts.delete(7, { schema }),
    ];
    for (const request of held) request.answer(structuredClone(SENT));
    for (const { data, status } of await Promise.all(sent)) {
      deepStrictEqual([data, status], [OUTPUT, 200]);
    }
    deepStrictEqual(held.map(({ config }) => [config.method, "schema" in config]), [
      ["get", false],
      ["post", false],
      ["put", false],
      ["patch", false],
      ["delete", false],
    ]);
  });

  Deno.test(`what a schema of ${library} refuses rejects with all its issues`, async () => {
    const { held, posts } = setUp();
    const called = posts.get("7", { schema });
    const wrong = { ...SENT, id: "7", tags: ["a", 1] };
    held[0]?.answer(wrong);
    await rejects(called, (error) => {
      if (!(error instanceof SchemaError)) throw error;
      const paths = error.issues.map(({ path = [] }) =>
        path.map((part) => typeof part === "object" ? part.key : part).join(".")
      );
      deepStrictEqual(paths.toSorted(), ["id", "tags.1"]);
      const [beginning = ""] = error.message.split(": ");
      strictEqual(beginning, 'Cannot use the response of get "/posts/7"');
      strictEqual(error.message.endsWith(", and 1 more"), true);
      deepStrictEqual([error.response.data, error.response.status], [wrong, 200]);
      return true;
    });
  });
}

Deno.test("a schema may be asynchronous; one that throws rejects with what it threw", async () => {
  const { held, posts } = setUp();
  const slow = z.string().refine((text) => settle().then(() => text === "right"), "not right");
  const calls = [posts.get(1, { schema: slow }), posts.get(2, { schema: slow })];
  held[0]?.answer("right");
  held[1]?.answer("wrong");
  strictEqual((await calls[0])?.data, "right");
  await rejects(calls[1] ?? settle(), {
    name: "SchemaError",
    message: 'Cannot use the response of get "/posts/2": not right',
  });
  const bug = new Error("a bug of the schema");
  const broken = z.string().transform(() => {
    throw bug;
  });
  const called = posts.get(3, { schema: broken });
  held[2]?.answer("any");
  await rejects(called, (error) => error === bug);
});

Deno.test("the client's response is not changed by the schema", async () => {
  const kept = { data: { id: 7 }, status: 200, statusText: "OK", headers: {}, config: {} };
  const posts = api("/posts", { request: () => Promise.resolve(kept) });
  const schema = z.object({ id: z.number().transform((id) => id + 1) });
  for (const _again of [1, 2]) {
    deepStrictEqual((await posts.get(7, { schema })).data, { id: 8 });
  }
  deepStrictEqual(kept.data, { id: 7 });
});

Deno.test("without a schema a module is as that of the main entry", async () => {
  const { held, posts } = setUp();
  const called = posts.get<string>(7);
  held[0]?.answer("seven");
  strictEqual((await called).data, "seven");
  await rejects(posts.get("..", { schema: z.string() }), TypeError);
  const failing = posts.get(7, { schema: z.string() });
  held[1]?.fail("broken");
  await rejects(failing, axios.isAxiosError);
});

Deno.test("requests with a schema are cancelled as all others, by the instance's signal too", async () => {
  const { held, posts } = setUp();
  const schema = z.string();
  const called = posts.get(7, { schema });
  cancelPendingRequests("left");
  await rejects(called, (error) => axios.isCancel(error) && error.message === "left");
  strictEqual(held[0]?.config.signal?.aborted, true);
  const { instance } = createHeldAdapter();
  const controller = new AbortController();
  instance.defaults.signal = controller.signal;
  const bound = api("/posts", instance).get(7, { schema });
  controller.abort();
  await rejects(bound, axios.isCancel);
});

Deno.test("useApi() keeps the output in data, and a SchemaError in error", async () => {
  const { held, posts } = setUp();
  const { data, error, call } = useApi(() => posts.get(7, { schema: SCHEMAS.zod }));
  held[0]?.answer(SENT);
  await settle();
  strictEqual(data.value?.createdAt.getTime(), OUTPUT.createdAt.getTime());
  const reloaded = call();
  held[1]?.answer("<html>");
  await rejects(reloaded, SchemaError);
  strictEqual(error.value instanceof SchemaError, true);
});
