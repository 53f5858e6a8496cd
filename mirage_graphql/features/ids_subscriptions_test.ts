import { deepStrictEqual } from "node:assert/strict";
import { resultsOf, settled, startSubscriptions } from "../testing/subscription_server.ts";

Deno.test("subscriptions with global ids report and filter by them", async () => {
  const { server, subscribe } = startSubscriptions({ ids: "global" });
  const ada = server.create("person", { name: "Ada" });
  const eve = server.create("person", { name: "Eve" });
  await settled();
  const streams = [
    subscribe("{ personCreated { id } }"),
    subscribe(`{ personUpdated(id: "Person:1") { id name } }`),
    subscribe(`{ personUpdated(id: "Post:2") { id name } }`),
    subscribe("{ personDeleted }"),
    subscribe(`{ onCreateNode(id: ["Post:1", "Person:9"]) { id __typename } }`),
    subscribe(`{ postAdded(authorId: "Person:1") { id author { id } } }`),
  ];
  server.create("person", { name: "Max" });
  ada.update("name", "Ada L.");
  eve.update("name", "Eve B.");
  eve.destroy();
  server.schema.create("post", { title: "One", authorId: "1" });
  const [created, updated, other, deleted, nodes, added] = await Promise.all(
    streams.map(resultsOf),
  );
  deepStrictEqual(created, [{ personCreated: { id: "Person:3" } }]);
  deepStrictEqual(updated?.at(-1), { personUpdated: { id: "Person:1", name: "Ada L." } });
  deepStrictEqual(other, []);
  deepStrictEqual(deleted, [{ personDeleted: "Person:2" }]);
  deepStrictEqual(nodes, [{ onCreateNode: { id: "Post:1", __typename: "Post" } }]);
  deepStrictEqual(added, [{ postAdded: { id: "Post:1", author: { id: "Person:1" } } }]);
});
