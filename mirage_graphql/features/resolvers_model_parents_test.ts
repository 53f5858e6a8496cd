import { deepStrictEqual } from "node:assert/strict";
import { belongsTo, hasMany, Model } from "miragejs";
import { DATA, SCHEMA } from "../testing/author_data.ts";
import { createMockServer } from "../testing/mock_server.ts";
import { ModelClass } from "../testing/model_class.ts";

Deno.test("a parent may be an unsaved model, with unsaved relations", async () => {
  const { data, server } = createMockServer(SCHEMA, {
    data: DATA,
    resolvers: {
      Query: {
        person: (_obj, _args, { mockSchema }) => {
          const person = mockSchema.people.new({ name: "New" });
          person.posts = [mockSchema.posts.new({ title: "Newer" })];
          return { ...person.attrs, id: "none", posts: person.posts };
        },
        post: (_obj, _args, { mockSchema }) =>
          mockSchema.posts.new({
            id: "77",
            title: "Lone",
            author: mockSchema.people.new({ name: "Y" }),
          }),
      },
    },
  });
  deepStrictEqual(
    await data("{ person { name posts { title } } post { title author { name } tags { id } } }"),
    {
      person: { name: "New", posts: [{ title: "Newer" }] },
      post: { title: "Lone", author: { name: "Y" }, tags: [] },
    },
  );
  deepStrictEqual(server.db.posts?.length, 3);
});

Deno.test("lists may be collections, also of models with changes, and mixed", async () => {
  const { data } = createMockServer(SCHEMA, {
    data: DATA,
    resolvers: {
      Query: {
        people: (_obj, _args, { mockSchema }) => mockSchema.people.all(),
        posts: async (_obj, _args, { mockSchema }) => {
          await Promise.resolve();
          const changed = mockSchema.posts.find(1);
          changed.title = "Changed";
          return [changed, { id: "2", title: "Plain" }, Promise.resolve(mockSchema.posts.find(3))];
        },
      },
    },
  });
  deepStrictEqual(
    await data("{ people { name posts { title } } posts { title author { name } } }"),
    {
      people: [
        { name: "Ada", posts: [{ title: "Two" }, { title: "One" }] },
        { name: "Zoë", posts: [] },
      ],
      posts: [
        { title: "Changed", author: { name: "Ada" } },
        { title: "Plain", author: { name: "Ada" } },
        { title: "Three", author: null },
      ],
    },
  );
});

Deno.test("getters of model classes are read, however the record was reached", async () => {
  class Person extends ModelClass {
    get shout() {
      return `${this.name.toUpperCase()}!`;
    }
    get address() {
      return { city: `City of ${this.posts.length} posts` };
    }
  }
  Object.assign(Person.prototype, { posts: hasMany("post", { inverse: "author" }) });
  const { data } = createMockServer(SCHEMA, {
    models: {
      person: Person,
      post: Model.extend({
        author: belongsTo("person", { inverse: "posts" }),
        tags: hasMany("tag"),
      }),
    },
    data: { ...DATA, people: DATA.people.map(({ address: _address, ...one }) => one) },
    resolvers: { Query: { person: (_obj, _args, { mockSchema }) => mockSchema.people.find(1) } },
  });
  deepStrictEqual(
    await data("{ people { shout address { city } } person { shout } posts { author { shout } } }"),
    {
      people: [
        { shout: "ADA!", address: { city: "City of 2 posts" } },
        { shout: "ZOË!", address: { city: "City of 0 posts" } },
      ],
      person: { shout: "ADA!" },
      posts: [{ author: { shout: "ADA!" } }, { author: { shout: "ADA!" } }, { author: null }],
    },
  );
});

Deno.test("a record that the app has changed in the database is read with its current values", async () => {
  const { data, server } = createMockServer(SCHEMA, { data: DATA });
  const query = "{ people { name posts { title } } }";
  await data(query);
  server.db.people?.update("2", { name: "Zoe", postIds: ["3"] });
  server.db.people?.remove("1");
  server.db.posts?.update("3", { title: "3" });
  deepStrictEqual(await data(query), { people: [{ name: "Zoe", posts: [{ title: "3" }] }] });
  server.db.emptyData();
  deepStrictEqual(await data(query), { people: [] });
  server.db.loadData({ people: [{ id: "5", name: "Eve" }] });
  deepStrictEqual(await data(query), { people: [{ name: "Eve", posts: [] }] });
});

Deno.test("attributes may be named like members of Mirage's models", async () => {
  const { data, dump } = createMockServer(
    `type Car { id: ID! modelName: String destroy: String isNew: Boolean }
     type Query { car: Car cars: [Car!]! }`,
    {
      data: {
        cars: [{ id: "1", modelName: "Mini", destroy: "no", isNew: false }],
      },
      resolvers: { Query: { car: (_obj, _args, { mockSchema }) => mockSchema.cars.first() } },
    },
  );
  const fields = "{ id modelName destroy isNew }";
  const car = { id: "1", modelName: "Mini", destroy: "no", isNew: false };
  deepStrictEqual(await data(`{ car ${fields} cars ${fields} }`), { car, cars: [car] });
  deepStrictEqual(dump().cars, [car]);
});

Deno.test("a field named like a member of Mirage's models is null if the record lacks it, and changes nothing", async () => {
  const { data, dump } = createMockServer(
    "type Car { id: ID! destroy: String } type Query { car: Car }",
    {
      data: { cars: [{ id: "1" }] },
      resolvers: { Query: { car: (_obj, _args, { mockSchema }) => mockSchema.cars.first() } },
    },
  );
  deepStrictEqual(await data("{ car { destroy } }"), { car: { destroy: null } });
  deepStrictEqual(dump().cars, [{ id: "1" }]);
});

Deno.test("a field of the query type leads back to the root", async () => {
  const { data } = createMockServer(
    `type Person { id: ID! name: String query: Query! } type Query { query: Query! people: [Person!]! person(id: ID): Person }`,
    { data: { people: [{ id: "1", name: "Ada" }, { id: "2", name: "Zoë" }] } },
  );
  deepStrictEqual(
    await data(
      "{ query { query { people { name } person(id: 2) { query { person { name } } } } } }",
    ),
    {
      query: {
        query: {
          people: [{ name: "Ada" }, { name: "Zoë" }],
          person: { query: { person: { name: "Ada" } } },
        },
      },
    },
  );
});
