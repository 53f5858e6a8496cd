import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { version } from "graphql";
import { createServer } from "miragejs";
import { createFetchHandler, type MockFetchHandlerOptions } from "../mock/fetch_handler.ts";

const SCHEMA = `
  type Post { id: ID! title: String! secret: String comments: [Comment!]! }
  type Comment { id: ID! text: String! post: Post! }
  type Query { posts: [Post!]! }
`;
const V02 = "multipart/mixed;incrementalSpec=v0.2";
const OLD = "multipart/mixed;deferSpec=20220824";

/** graphql 16 executes all parts at once. */
const isGraphQL16 = version.startsWith("16.");

function serve(options: MockFetchHandlerOptions = {}) {
  const { schema, db } = createServer({ environment: "test" });
  const handler = createFetchHandler(SCHEMA, schema, options);
  db.loadData({
    posts: [
      { id: "1", title: "One", commentIds: ["1", "2"] },
      { id: "2", title: "Two", commentIds: [] },
    ],
    comments: [{ id: "1", text: "first", postId: "1" }, { id: "2", text: "second", postId: "1" }],
  });
  return (query: string, accept: string) =>
    handler(
      new Request("http://localhost/graphql", {
        method: "POST",
        headers: { "Content-Type": "application/json", accept },
        body: JSON.stringify({ query }),
      }),
    );
}

async function partsOf(response: Response | Promise<Response>): Promise<unknown[]> {
  const text = await (await response).text();
  ok(text.startsWith("\r\n---\r\n") && text.endsWith("\r\n-----\r\n"), text);
  return text.slice(7, -9).split("\r\n---\r\n").map((part) =>
    JSON.parse(part.split("\r\n\r\n")[1]!)
  );
}

Deno.test("a client that accepts the format v0.2 gets pending, id and completed", async () => {
  const ask = serve();
  const query = `{ posts { id ... @defer(label: "rest") { title ... @defer { secret } } } }`;
  const response = await ask(query, `${V02}, application/json`);
  strictEqual(
    response.headers.get("content-type"),
    'multipart/mixed; boundary="-"; incrementalSpec=v0.2',
  );
  const pendingOf = (id: string, index: number) => ({ id, path: ["posts", index] });
  deepStrictEqual(await partsOf(response), [
    {
      data: { posts: [{ id: "1" }, { id: "2" }] },
      pending: [{ ...pendingOf("0", 0), label: "rest" }, { ...pendingOf("2", 1), label: "rest" }],
      hasNext: true,
    },
    {
      pending: [pendingOf("1", 0)],
      incremental: [{ id: "0", data: { title: "One" } }],
      completed: [{ id: "0" }],
      hasNext: true,
    },
    { incremental: [{ id: "1", data: { secret: null } }], completed: [{ id: "1" }], hasNext: true },
    {
      pending: [pendingOf("3", 1)],
      incremental: [{ id: "2", data: { title: "Two" } }],
      completed: [{ id: "2" }],
      hasNext: true,
    },
    {
      incremental: [{ id: "3", data: { secret: null } }],
      completed: [{ id: "3" }],
      hasNext: false,
    },
  ]);
});

Deno.test("a streamed list is pending until its last element in the format v0.2", async () => {
  const ask = serve();
  const query = '{ posts @stream(initialCount: 0, label: "all") { id } }';
  deepStrictEqual(await partsOf(ask(query, V02)), [
    { data: { posts: [] }, pending: [{ id: "0", path: ["posts"], label: "all" }], hasNext: true },
    { incremental: [{ id: "0", items: [{ id: "1" }] }], hasNext: true },
    { incremental: [{ id: "0", items: [{ id: "2" }] }], completed: [{ id: "0" }], hasNext: false },
  ]);
  const none = "{ posts { ... @defer(if: false) { id } } }";
  deepStrictEqual(await partsOf(ask(none, V02)), [
    { data: { posts: [{ id: "1" }, { id: "2" }] }, hasNext: false },
  ]);
});

Deno.test("a client that knows only other formats gets one complete response", async () => {
  const ask = serve();
  const query = "{ posts { id ... @defer { title } } }";
  const data = { posts: [{ id: "1", title: "One" }, { id: "2", title: "Two" }] };
  const unknown = "multipart/mixed;incrementalSpec=v0.9";
  for (
    const accept of [`${unknown}, application/json`, unknown, "multipart/mixed;deferSpec=2099"]
  ) {
    const response = await ask(query, accept);
    strictEqual(response.headers.get("content-type"), "application/json; charset=utf-8");
    deepStrictEqual(await response.json(), { data });
  }
});

Deno.test({
  name:
    "the first part does not wait for deferred fields, and the next ones come as they are ready",
  ignore: isGraphQL16,
  fn: async () => {
    for (const accept of [V02, OLD]) {
      const opened = Promise.withResolvers<string>();
      const secret = ({ id }: { id: string }) => id === "1" ? opened.promise : "known";
      const ask = serve({ resolvers: { Post: { secret } } });
      const response = await ask("{ posts { id ... @defer { secret } } }", accept);
      const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
      let text = "";
      const readUntil = async (pattern: RegExp) => {
        while (!pattern.test(text)) {
          const chunk = (await reader?.read())?.value;
          if (chunk === undefined) throw new RangeError(`Cannot find ${pattern}: ${text}`);
          text += chunk;
        }
      };
      await readUntil(/{"posts":\[{"id":"1"},{"id":"2"}\]}.*"hasNext":true/);
      await readUntil(/known/);
      ok(!text.includes("later"), text);
      opened.resolve("later");
      await readUntil(/later[^]*-----\r\n$/);
      ok(text.includes('"hasNext":false'), text);
    }
  },
});

async function* endless(left: Promise<void>, onEnd: () => void) {
  try {
    yield { id: "1", text: "first" };
    await left;
    yield { id: "2", text: "second" };
    await new Promise(() => {});
  } finally {
    onEnd();
  }
}

Deno.test({
  name: "a client that leaves ends the execution of the parts that it waits for",
  ignore: isGraphQL16,
  fn: async () => {
    for (const accept of [V02, OLD]) {
      const left = Promise.withResolvers<void>();
      const ended = Promise.withResolvers<void>();
      const ask = serve({
        resolvers: { Post: { comments: () => endless(left.promise, ended.resolve) } },
      });
      const query = "{ posts { comments @stream(initialCount: 1) { id } } }";
      const response = await ask(query, accept);
      const reader = response.body?.getReader();
      await reader?.read();
      await reader?.cancel();
      left.resolve();
      await ended.promise;
    }
  },
});

Deno.test("an error of a deferred field is in its part, also for a response that can't be passed on", async () => {
  const query = "{ posts @stream(initialCount: 1) { id ... @defer { secret } } }";
  const cases: readonly (readonly [unknown, string])[] = [
    [new Error("no right"), "no right"],
    [
      new Response("no", { status: 418 }),
      "Cannot pass a resolver's Response on: the first part has been sent",
    ],
  ];
  for (const [thrown, message] of cases) {
    const secret = () => {
      throw thrown;
    };
    const ask = serve({ resolvers: { Post: { secret } } });
    const response = await ask(query, V02);
    if (isGraphQL16 && thrown instanceof Response) {
      strictEqual(response.status, 418);
      continue;
    }
    const [, ...later] = await partsOf(response) as { incremental?: DeferredPart[] }[];
    const parts = later.flatMap(({ incremental = [] }) => incremental);
    const errors = parts.flatMap(({ errors = [] }) =>
      errors.map(({ message, path }) => [message, path])
    );
    deepStrictEqual(errors.sort(), [
      [message, ["posts", 0, "secret"]],
      [message, ["posts", 1, "secret"]],
    ]);
  }
});

interface DeferredPart {
  readonly errors?: readonly { readonly message: string; readonly path: unknown }[];
}
