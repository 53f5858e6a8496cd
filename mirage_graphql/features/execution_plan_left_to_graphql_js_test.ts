import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { parse, versionInfo } from "graphql";
import { belongsTo, hasMany } from "miragejs";
import { createMockServer } from "../testing/mock_server.ts";
import { ModelClass } from "../testing/model_class.ts";
import { DATA, SCHEMA } from "../testing/planned_data.ts";
import { createPlannedMock, type PlannedMockOptions } from "../testing/planned_mock.ts";

class Person extends ModelClass {
  get shout() {
    return `${this.name}!`;
  }
}
Object.assign(Person.prototype, {
  posts: hasMany("post", { inverse: "author" }),
  boss: belongsTo("person", { inverse: null }),
});

/** Parts of a query that only graphql-js can execute. */
const LEFT: readonly (readonly [what: string, query: string, PlannedMockOptions?])[] = [
  ["a mutation", `mutation { createPerson(input: { name: "C" }) { id } }`],
  ["introspection", "{ people { id } __schema { queryType { name } } }"],
  ["a single value of several types at the root", "{ node(id: 1) { id } }"],
  ["a user-defined directive", "{ people { name @live } }"],
  ["a resolver at the root", "{ people { id } }", {
    resolvers: { Query: { people: () => [{ id: "9" }] } },
  }],
  ["a resolver of a nested field", "{ people { posts { title } } }", {
    resolvers: { Post: { title: ({ title }: { title: string }) => title.toUpperCase() } },
  }],
  ["a resolver of a member", "{ nodes { id ... on Post { title } } }", {
    resolvers: { Post: { title: () => "x" } },
  }],
  ["a resolver that a type has from its interface", "{ people { name } }", {
    resolvers: { Named: { name: () => "x" } },
  }],
  ["a host's __resolveType", "{ nodes { id } }", {
    resolvers: { Node: { __resolveType: () => "Person" } },
  }],
  ["a host's __isTypeOf", "{ people { id } }", {
    resolvers: { Person: { __isTypeOf: () => true } },
  }],
  ["a user-defined __isTypeOf of a member", "{ nodes { id } }", {
    resolvers: { Person: { __isTypeOf: () => true } },
  }],
];

for (const [what, query, options] of LEFT) {
  Deno.test(`${what} is left to graphql-js`, () => {
    const { planned } = createPlannedMock(SCHEMA, { data: DATA, ...options });
    strictEqual(planned(query), undefined);
    strictEqual(planned(query), undefined);
  });
}

Deno.test("a getter of a user-defined model is left to graphql-js, and a type without getters is planned", () => {
  let calls = 0;
  class Counting extends Person {
    override get shout() {
      calls++;
      return super.shout;
    }
  }
  const { planned, executed } = createPlannedMock(
    `${SCHEMA} extend type Person { shout: String }`,
    { models: { person: Counting }, data: DATA },
  );
  strictEqual(planned("{ people { shout } }"), undefined);
  strictEqual(calls, 0);
  deepStrictEqual(planned("{ people { name } }"), executed("{ people { name } }").data);
});

/** What is only noticed when it is read. */
const MET: readonly (readonly [what: string, query: string, person: Record<string, unknown>])[] = [
  ["null in a non-null field", "{ people { address { city } } }", { address: {} }],
  ["null for a required record", "{ post(id: 7) { id } }", {}],
  ["an argument that no attribute has", "{ people { posts(hidden: 1) { id } } }", {}],
  ["a value that is not in the enum", "{ people { mood } }", { mood: "ANGRY" }],
  ["a list that is not an array", "{ people { tags } }", { tags: "a" }],
  ["a list that contains null", "{ people { tags } }", { tags: ["a", null] }],
  ["an error", "{ people { address { city } } }", { address: new RangeError("no city") }],
  ["a page of a negative size", "{ postPage(first: -1) { totalCount } }", {}],
];

for (const [what, query, person] of MET) {
  Deno.test(`${what} is left to graphql-js, which reports the error`, () => {
    const { planned, executed } = createPlannedMock(SCHEMA, {
      data: { ...DATA, people: [{ id: "1", postIds: ["1"], ...person }] },
    });
    ok((executed(query).errors ?? []).length > 0, "no error");
    strictEqual(planned(query), undefined);
  });
}

Deno.test("variables that are not valid are left to graphql-js", () => {
  const { planned, executed } = createPlannedMock(SCHEMA, { data: DATA });
  const query = "query ($id: ID!) { post(id: $id) { id } }";
  for (const variables of [undefined, {}, { id: null }, { id: {} }]) {
    ok((executed(query, variables).errors ?? []).length > 0, "no error");
    strictEqual(planned(query, variables), undefined);
  }
  deepStrictEqual(planned(query, { id: 1 }), executed(query, { id: 1 }).data);
  const named = "query ($name: String!) { people(name: $name) { id } }";
  strictEqual(planned(named, { name: null }), undefined);
});

Deno.test("fragments that define variables are left to graphql-js", {
  ignore: versionInfo.major < 17,
}, async () => {
  const { handler } = createMockServer(SCHEMA, { data: DATA });
  const source =
    `{ ...F(name: "Bea") } fragment F($name: String) on Query { people(name: $name) { id } }`;
  const options: Parameters<typeof parse>[1] & { experimentalFragmentArguments: boolean } = {
    experimentalFragmentArguments: true,
  };
  const answer = await handler.query(parse(source, options));
  strictEqual(JSON.stringify(answer), '{"people":[{"id":"2"}]}');
});

for (const directive of ["@defer(label: String) on INLINE_FRAGMENT", "@stream on FIELD"]) {
  Deno.test(`a schema that declares ${directive} is planned like one without it`, () => {
    const { planned, executed } = createPlannedMock(`directive ${directive} ${SCHEMA}`, {
      data: DATA,
    });
    const { data } = executed("{ people { id } }");
    deepStrictEqual(planned("{ people { id } }"), data);
  });
}
