import type { ClientResult, TestClient } from "./client.ts";

/** The schema of the mock that `exerciseClient()` uses; `bad` has a resolver that throws. */
export const graphQLSchema = `
  type Person { id: ID!, name: String! }
  type Query { people: [Person!]!, bad: String }
  input PersonInput { name: String! }
  type Mutation { createPerson(input: PersonInput!): Person! }
  type Subscription { personCreated: Person! }
`;

/** The resolvers of the mock that `exerciseClient()` uses. */
export const resolvers = {
  Query: {
    bad() {
      throw new Error("Cannot be good");
    },
  },
};

const CREATE = `
  mutation CreatePerson($input: PersonInput!) { createPerson(input: $input) { id name } }
`.trim();

/** What `exerciseClient()` gets from any client, on an empty database. */
export const EXPECTED = {
  created: [{ createPerson: { id: "1", name: "Ada" } }, { createPerson: { id: "2", name: "Zoë" } }],
  seen: [{ personCreated: { id: "1", name: "Ada" } }, { personCreated: { id: "2", name: "Zoë" } }],
  people: { people: [{ id: "1", name: "Ada" }, { id: "2", name: "Zoë" }] },
  bad: ["Cannot be good"],
};

/**
 * Subscribes, creates two records, reads them, and requests a field that fails. `subscribed`
 * resolves when the mock has the subscription, for clients that don't send everything over one
 * connection.
 */
export async function exerciseClient(
  client: TestClient,
  subscribed: () => Promise<void> = () => Promise.resolve(),
): Promise<unknown> {
  const seen: unknown[] = [];
  let resolveBoth = () => {};
  const both = new Promise<void>((resolve) => resolveBoth = resolve); // for Node 20
  const unsubscribe = client.subscribe(
    "subscription PersonCreated { personCreated { id name } }",
    ({ data }) => {
      seen.push(data);
      if (seen.length === 2) resolveBoth();
    },
  );
  await subscribed();
  const created = [];
  for (const name of ["Ada", "Zoë"]) {
    created.push((await client.send(CREATE, { input: { name } })).data);
  }
  await both;
  unsubscribe();
  const { data: people } = await client.send("query People { people { id name } }");
  const { errors } = await client.send("query Bad { bad }");
  return withoutTypes({ created, seen, people, bad: messagesOf({ errors }) });
}

function messagesOf({ errors = [] }: ClientResult): string[] {
  return errors.map(({ message }) => message);
}

/** Apollo and urql add `__typename` by themselves. */
function withoutTypes(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (key, one) => key === "__typename" ? undefined : one),
  );
}
