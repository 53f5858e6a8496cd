/** Programs of a package's users. */
export interface ConsumerPrograms {
  /** TypeScript by file name, which must compile. */
  readonly types: Readonly<Record<string, string>>;
  /** A module for Node, which ends with an error if something is wrong. */
  readonly run: string;
}

/** Programs that use the exports of a member, by its folder. */
export const CONSUMER_PROGRAMS: Readonly<Record<string, ConsumerPrograms>> = {
  api_wrapper: {
    types: {
      "posts.mts": `import axios from "axios";
import { api, cancelPendingRequests, useApi } from "@trestle/api-wrapper";
import { api as coreApi } from "@trestle/api-wrapper/core";
interface Post {
  id: number;
}
const posts = api("/posts", axios.create());
const { data, call } = useApi((id: number) => posts.get<Post>(id), false);
export const post: Post | undefined = data.value;
export const id: Promise<number> = call(7).then(({ data }) => data.id);
export const same: typeof api = coreApi;
cancelPendingRequests("enough");
`,
      "posts.cts": `import axios = require("axios");
import wrapper = require("@trestle/api-wrapper/core");
const posts = wrapper.api("/posts", axios.create());
export const size: Promise<number> = posts.get<string[]>().then(({ data }) => data.length);
`,
    },
    run: `import axios from "axios";
import { deepStrictEqual, rejects } from "node:assert/strict";
import { api, cancelPendingRequests, useApi } from "@trestle/api-wrapper";
const adapter = (config) => new Promise((resolve, reject) => {
  if (config.url.endsWith("/7")) resolve({ data: config.url, status: 200, headers: {}, config });
  config.signal.addEventListener("abort", () => reject(new axios.CanceledError()));
});
const posts = api("/posts/", axios.create({ adapter }));
const { data, call } = useApi((id) => posts.get(id), false);
await call(7);
deepStrictEqual(data.value, "/posts/7");
const pending = posts.get(8);
cancelPendingRequests();
await rejects(pending, (error) => axios.isCancel(error));
`,
  },
  mirage_graphql: {
    types: {
      "people.mts": `import { createServer } from "miragejs";
import { createGraphQLHandler, mockGraphQLFieldResolver } from "@trestle/mirage-graphql";
const server = createServer({});
export const handler = createGraphQLHandler("type Query { a: Int }", server.schema, {
  resolvers: { Query: { a: mockGraphQLFieldResolver } },
});
server.post("/graphql", handler);
`,
    },
    run: `import { createServer } from "miragejs";
import { deepStrictEqual } from "node:assert/strict";
import { createGraphQLHandler } from "@trestle/mirage-graphql";
const server = createServer({});
const handler = createGraphQLHandler(
  \`type Person { id: ID!, name: String! }
   type Query { people(name: String): [Person!]! }\`,
  server.schema,
);
server.create("person", { name: "Ada" });
server.create("person", { name: "Bo" });
const requestBody = JSON.stringify({ query: '{ people(name: "Bo") { id name } }' });
const { data } = await handler(server.schema, { requestBody });
deepStrictEqual(JSON.parse(JSON.stringify(data)), { people: [{ id: "2", name: "Bo" }] });
`,
  },
};
