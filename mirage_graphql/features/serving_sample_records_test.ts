import { deepStrictEqual, rejects } from "node:assert/strict";
import { loadMock } from "../serving/load_mock.ts";
import type { ServeConfig } from "../serving/serve_config.ts";

const SCHEMA = {
  path: "schema.graphql",
  text: `
    type Post { id: ID! title: String! author: Person }
    type Person { id: ID! name: String! }
    type Query { posts: [Post!]! people: [Person!]! }
  `,
};

/** Loads a mock, and queries it. */
async function loaded(config: ServeConfig, query = "{ __typename }") {
  const mock = await loadMock([SCHEMA], { config, configFile: "mock.config.ts" });
  try {
    const response = await mock.respond(
      new Request("http://127.0.0.1/", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ query }),
      }),
    );
    return { counts: mock.counts, answer: await response.json() };
  } finally {
    mock.close();
  }
}

Deno.test("count is the number of sample records of each type, or by type", async () => {
  deepStrictEqual((await loaded({})).counts, { posts: 5, people: 5 });
  deepStrictEqual((await loaded({ count: 12 })).counts, { posts: 12, people: 12 });
  deepStrictEqual((await loaded({ count: { Post: 30 } })).counts, { posts: 30, people: 5 });
});

Deno.test("values are those of sample records, by type and field", async () => {
  const config = {
    count: { Post: 2, Person: 1 },
    values: { Post: { title: (index: number) => `Post ${index + 1}` }, Person: { name: "Ada" } },
  };
  const { answer } = await loaded(config, "{ posts { title author { name } } }");
  deepStrictEqual(answer.data.posts, [
    { title: "Post 1", author: { name: "Ada" } },
    { title: "Post 2", author: { name: "Ada" } },
  ]);
});

Deno.test("count and values are refused beside seeds", async () => {
  for (const key of ["count", "values"] as const) {
    const config: ServeConfig = {
      seeds: { people: [] },
      ...key === "count" ? { count: 1 } : { values: {} },
    };
    await rejects(() => loaded(config), {
      name: "ServeError",
      message: `Cannot use "${key}": there are seeds, and only sample records have it`,
    });
  }
});
