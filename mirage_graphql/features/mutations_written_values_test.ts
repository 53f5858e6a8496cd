import { deepStrictEqual, rejects, strictEqual } from "node:assert/strict";
import { createMock, type Mock } from "../mod.ts";
import { withAsyncWarnings } from "../testing/warnings.ts";

const SCHEMA = `
  type User { id: ID! email: String profile: Profile posts: [Post!]! }
  type Profile { id: ID! bio: String image: String user: User! }
  type Post { id: ID! title: String author: User channel: Channel place: Place country: Country }
  type Channel { id: ID! slug: String! name: String }
  type Place { street: String country: Country }
  type Country { code: CountryCode! name: String }
  enum CountryCode { FR DE }
  type Query { users: [User!]! posts: [Post!]! channels: [Channel!]! }
  input UserInput { email: String bio: String image: String }
  input PlaceInput { street: String country: CountryCode note: String }
  input PostInput { title: String channel: String channelSlug: String bio: String country: CountryCode }
  type Mutation {
    updateUser(id: ID!, input: UserInput!): User
    createPost(input: PostInput!): Post
    updatePost(id: ID!, input: PostInput!): Post
    setPostPlace(postId: ID!, place: PlaceInput!): Post
  }
`;

function mockOf(): Mock {
  const options = { conventions: "common", unknownArguments: "ignore" } as const;
  const mock = createMock(SCHEMA, undefined, options);
  mock.db.loadData({
    users: [{ id: "1", profileId: "1" }, { id: "2", profileId: null }],
    profiles: [{ id: "1", bio: "old", image: "old", userId: "1" }],
    posts: [{ id: "1", title: "A", authorId: "1" }],
    channels: [{ id: "1", slug: "main" }, { id: "2", slug: "other" }],
  });
  return mock;
}

Deno.test("values that only a part of a record has are written into the part", async () => {
  const mock = mockOf();
  const write = (id: number) =>
    mock.query(`mutation { updateUser(id: ${id}, input: { email: "e", bio: "b", image: "i" }) {
      email profile { bio image }
    } }`);
  const expected = { updateUser: { email: "e", profile: { bio: "b", image: "i" } } };
  deepStrictEqual(await write(1), expected);
  strictEqual(mock.db.profiles?.length, 1);
  deepStrictEqual(await write(2), expected);
  // an author is no part of a post
  await mock.query('mutation { updatePost(id: 1, input: { title: "B", bio: "b" }) { id } }');
  strictEqual(mock.db.users?.[0]?.bio, undefined);
});

Deno.test("a relation is written by the slug of a record", async () => {
  const mock = mockOf();
  const run = (call: string) => mock.query(`mutation { ${call} { channel { id } } }`);
  deepStrictEqual(await run('createPost(input: { title: "B", channel: "other" })'), {
    createPost: { channel: { id: "2" } },
  });
  deepStrictEqual(await run('updatePost(id: 1, input: { channel: "main" })'), {
    updatePost: { channel: { id: "1" } },
  });
  deepStrictEqual(await run('updatePost(id: 1, input: { channelSlug: "other" })'), {
    updatePost: { channel: { id: "2" } },
  });
  await rejects(run('updatePost(id: 1, input: { channel: "none" })'), /no Channel "none"/);
});

Deno.test("a part is written without what its type has no field for, with one warning", async () => {
  const mock = mockOf();
  const call = 'setPostPlace(postId: 1, place: { street: "S", note: "n" })';
  const { value, warnings } = await withAsyncWarnings(() =>
    mock.query(`mutation { ${call} { place { street } } }`)
  );
  deepStrictEqual(value, { setPostPlace: { place: { street: "S" } } });
  deepStrictEqual(warnings, [
    'The mock writes the other values of setPostPlace: it takes "note", which Place has no field for',
  ]);
});

Deno.test("a code for an object without a record is the code of that object", async () => {
  const mock = mockOf();
  const call = "updatePost(id: 1, input: { country: DE }) { country { code name } }";
  deepStrictEqual(await mock.query(`mutation { ${call} }`), {
    updatePost: { country: { code: "DE", name: "Germany" } },
  });
});

Deno.test("an item of one type is no other type's item with the same id", async () => {
  const mock = createMock(
    `interface Line { id: ID! quantity: Int! ware: Ware }
     type PlainLine implements Line { id: ID! quantity: Int! ware: Ware }
     type GiftLine implements Line { id: ID! quantity: Int! ware: Ware }
     type Ware { id: ID! }
     type Cart { id: ID! lines: [Line!]! }
     type Query { cart(id: ID!): Cart wares: [Ware!]! }
     input LineInput { wareId: ID! quantity: Int }
     type Mutation { cartLinesAdd(cartId: ID!, lines: [LineInput!]!): Cart }`,
    undefined,
    { conventions: "common" },
  );
  mock.db.loadData({
    wares: [{ id: "1" }, { id: "2" }],
    carts: [{ id: "1", lineIds: [{ type: "gift-line", id: "1" }] }],
    giftLines: [{ id: "1", quantity: 2, wareId: "2" }],
    plainLines: [{ id: "1", quantity: 5, wareId: "1" }],
  });
  const adding = "cartLinesAdd(cartId: 1, lines: [{ wareId: 1, quantity: 3 }])";
  deepStrictEqual(await mock.query(`mutation { ${adding} { lines { __typename quantity } } }`), {
    cartLinesAdd: {
      lines: [{ __typename: "GiftLine", quantity: 2 }, { __typename: "PlainLine", quantity: 3 }],
    },
  });
});
