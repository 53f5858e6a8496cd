import { deepStrictEqual, rejects, strictEqual } from "node:assert/strict";
import { createMock, type Mock } from "../mod.ts";

const LENIENT = { conventions: "common", unknownArguments: "ignore" } as const;

/** A mock with records, and the warnings of its console. */
function mockOf(
  graphQLSchema: string,
  data: Record<string, readonly object[]>,
  options: Parameters<typeof createMock>[2] = LENIENT,
): { readonly mock: Mock; readonly warnings: string[] } {
  const warnings: string[] = [];
  const { warn } = console;
  const mock = createMock(graphQLSchema, undefined, options);
  mock.db.loadData(JSON.parse(JSON.stringify(data)));
  const { query } = mock;
  const collecting = async (document: string) => {
    console.warn = (text: string) => void warnings.push(text);
    try {
      return await query(document);
    } finally {
      console.warn = warn;
    }
  };
  return { mock: Object.create(mock, { query: { value: collecting } }), warnings };
}

const TODOS = `
  type Todo { id: ID! complete: Boolean! user: User }
  type User { id: ID! name: String todos: [Todo!]! }
  type Query { todos: [Todo!]! users: [User!]! }
  input MarkInput { complete: Boolean! userId: ID }
  input OwnerInput { userId: ID }
  type MarkPayload { changedTodos: [Todo!] user: User }
  type RemovePayload { deletedTodoIds: [ID!] user: User }
  type Mutation {
    markAllTodos(input: MarkInput!): MarkPayload
    removeCompletedTodos(input: OwnerInput!): RemovePayload
    removeSharedTodos(input: OwnerInput!): RemovePayload
  }
`;
const TODO_DATA = {
  users: [{ id: "1", name: "Ada" }, { id: "2", name: "Bo" }],
  todos: [
    { id: "1", complete: true, userId: "1" },
    { id: "2", complete: false, userId: "1" },
    { id: "3", complete: true, userId: "2" },
  ],
};

Deno.test("a mutation of all records changes those of one owner, or of everyone", async () => {
  const { mock } = mockOf(TODOS, TODO_DATA);
  deepStrictEqual(
    await mock.query(`mutation { markAllTodos(input: { complete: false, userId: 1 }) {
      changedTodos { id complete } user { name }
    } }`),
    {
      markAllTodos: {
        changedTodos: [{ id: "1", complete: false }, { id: "2", complete: false }],
        user: { name: "Ada" },
      },
    },
  );
  await mock.query(`mutation { markAllTodos(input: { complete: true }) { user { name } } }`);
  deepStrictEqual(await mock.query("{ todos { complete } }"), {
    todos: [{ complete: true }, { complete: true }, { complete: true }],
  });
});

Deno.test("a mutation of the records in a state deletes no others", async () => {
  const { mock } = mockOf(TODOS, TODO_DATA);
  deepStrictEqual(
    await mock.query(
      "mutation { removeCompletedTodos(input: { userId: 1 }) { deletedTodoIds user { name } } }",
    ),
    { removeCompletedTodos: { deletedTodoIds: ["1"], user: { name: "Ada" } } },
  );
  const unknown = "mutation { removeSharedTodos(input: { userId: 2 }) { deletedTodoIds } }";
  await rejects(mock.query(unknown), /default resolver for removeSharedTodos/);
  deepStrictEqual(await mock.query("{ todos { id } }"), { todos: [{ id: "2" }, { id: "3" }] });
});

Deno.test("a number that a name says is incremented, decremented and reset", async () => {
  const { mock } = mockOf(
    `type Post { id: ID! viewCount: Int! o_counter: Int }
     type Query { posts: [Post!]! }
     type Mutation {
       incrementPostViews(id: ID!): Int! postDecrementO(id: ID!): Int postResetO(id: ID!): Post
       incrementPostLikes(id: ID!): Int!
     }`,
    { posts: [{ id: "1", viewCount: 3, o_counter: 1 }, { id: "2", viewCount: 7 }] },
  );
  deepStrictEqual(await mock.query("mutation { incrementPostViews(id: 1) }"), {
    incrementPostViews: 4,
  });
  deepStrictEqual(await mock.query("mutation { postDecrementO(id: 1) }"), { postDecrementO: 0 });
  deepStrictEqual(await mock.query("mutation { postDecrementO(id: 1) }"), { postDecrementO: 0 });
  deepStrictEqual(await mock.query("mutation { postResetO(id: 1) { viewCount o_counter } }"), {
    postResetO: { viewCount: 4, o_counter: 0 },
  });
  await rejects(mock.query("mutation { incrementPostLikes(id: 1) }"), /default resolver/);
  await rejects(mock.query("mutation { incrementPostViews(id: 9) }"), /no record/);
});

const COMMANDS = `
  type Plugin { id: ID! }
  type Query { plugins: [Plugin!]! }
  type Mutation {
    backupDatabase(path: String): Boolean! scanLibrary(paths: [String!]): ID! reloadPlugins: Boolean!
    runPlugin(pluginId: ID!): ID! deletePlugins: Boolean! refresh(pluginId: ID!): Boolean
  }
`;

Deno.test("a command without records is confirmed, with one warning", async () => {
  const { mock, warnings } = mockOf(COMMANDS, { plugins: [{ id: "1" }] });
  const run = "mutation { backupDatabase scanLibrary reloadPlugins }";
  deepStrictEqual(await mock.query(run), {
    ...{ backupDatabase: true, scanLibrary: "1", reloadPlugins: true },
  });
  await mock.query(run);
  deepStrictEqual(
    warnings,
    ["backupDatabase", "scanLibrary", "reloadPlugins"].map((name) =>
      `The mock confirms "${name}" and does nothing: it has no records about it`
    ),
  );
  for (const name of ["runPlugin(pluginId: 1)", "deletePlugins", "refresh(pluginId: 1)"]) {
    await rejects(mock.query(`mutation { ${name} }`), /default resolver/);
  }
  const strict = mockOf(COMMANDS, {}, { conventions: "common" });
  await rejects(strict.mock.query("mutation { backupDatabase }"), /default resolver/);
});

const WRITES = `
  interface BaseFile { id: ID! path: String }
  type VideoFile implements BaseFile { id: ID! path: String }
  type Job { id: ID! isDone: Boolean }
  type User { id: ID! email: String avatar: String notificationsEnabled: Boolean }
  type Post { id: ID! title: String isRead: Boolean likes: Int tags: [Tag!]! }
  type Tag { id: ID! }
  type Settings { theme: String }
  type DLNAStatus { running: Boolean }
  type Query {
    me: User posts: [Post!]! files: [BaseFile!]! jobs: [Job!]! tags: [Tag!]! settings: Settings
    dlnaStatus: DLNAStatus
  }
  input ScanInput { postIds: [ID!] paths: [String!] }
  type Mutation {
    changeEmail(address: String!): Boolean! uploadAvatar(url: String!): String! removeAvatar: Boolean!
    deleteAccount: Boolean! updatePassword(old: String!, new: String!): Boolean!
    enableNotifications: Boolean! setTheme(name: String!): Boolean!
    moveFiles(paths: [String!]!): Boolean! stopAllJobs: Boolean!
    markAllAsRead: Boolean! addLike(slug: String!): Boolean! like(slug: String!): Boolean!
    resetDatabase: Boolean! deleteEverything: Boolean! clearAll: Boolean! enableDLNA: Boolean!
    check(input: ScanInput!): Boolean! scan(input: ScanInput!): ID!
    sendVerificationEmail: Boolean! dismiss(key: String!): Boolean
    addAllowedAddress(ip: String!): Boolean! removeAllowedAddress(ip: String!): Boolean!
    generateKey: String! exportLibrary(path: String): String
  }
`;

Deno.test("a command that says to write what there is is never just confirmed", async () => {
  const data = { users: [{ id: "1", email: "a@b.test" }], posts: [{ id: "1", title: "A" }] };
  const { mock, warnings } = mockOf(WRITES, data);
  const before = mock.db.dump();
  const calls = [
    ...['changeEmail(address: "b")', 'uploadAvatar(url: "b")', "removeAvatar", "deleteAccount"],
    ...['updatePassword(old: "a", new: "b")', "enableNotifications", 'setTheme(name: "b")'],
    ...['moveFiles(paths: ["a"])', "stopAllJobs", "markAllAsRead", 'addLike(slug: "a")'],
    ...['like(slug: "a")', "resetDatabase", "deleteEverything", "clearAll", "enableDLNA"],
    ...['addAllowedAddress(ip: "a")', 'removeAllowedAddress(ip: "a")', "generateKey"],
    ...["exportLibrary", "check(input: { postIds: [1] })"],
  ];
  for (const call of calls) {
    await rejects(mock.query(`mutation { ${call} }`), /default resolver/, call);
  }
  deepStrictEqual(mock.db.dump(), before);
  const confirmed = `mutation {
    check(input: { paths: ["a"] }) scan(input: { postIds: [1] }) sendVerificationEmail dismiss(key: "a")
  }`;
  deepStrictEqual(await mock.query(confirmed), {
    ...{ check: true, scan: "1", sendVerificationEmail: true, dismiss: true },
  });
  strictEqual(warnings.filter((text) => /^The mock (confirms|sends no)/.test(text)).length, 4);
});

const OPTIONS = `
  type Image { id: ID! title: String }
  type Query { images: [Image!]! }
  input ImageUpdate { id: ID! title: String crop: String }
  type Mutation {
    imagesDestroy(ids: [ID!]!, delete_file: Boolean): Boolean! retitleImage(input: ImageUpdate!): Image
  }
`;

Deno.test("values about how to write are ignored with a warning, or refused", async () => {
  const images = [{ id: "1", title: "a" }, { id: "2", title: "b" }];
  const destroy = "mutation { imagesDestroy(ids: [1], delete_file: true) }";
  const update = `mutation { retitleImage(input: { id: 2, title: "c", crop: "d" }) { title } }`;
  const { mock, warnings } = mockOf(OPTIONS, { images });
  deepStrictEqual(await mock.query(destroy), { imagesDestroy: true });
  deepStrictEqual(await mock.query(update), { retitleImage: { title: "c" } });
  deepStrictEqual(await mock.query("{ images { id title } }"), {
    images: [{ id: "2", title: "c" }],
  });
  strictEqual(warnings.length, 2);

  const alone = `mutation { retitleImage(input: { id: 2, crop: "d" }) { title } }`;
  await rejects(mock.query(alone), /takes "crop", which Image has no field for/);

  const strict = mockOf(OPTIONS, { images }, { conventions: "common" }).mock;
  await rejects(strict.query(destroy), /takes "delete_file", which no rule reads/);
  await rejects(strict.query(update), /takes "crop", which Image has no field for/);
});

Deno.test("lines of an abstract type are added to a cart, updated and removed", async () => {
  const { mock } = mockOf(
    `interface BaseLine { id: ID! quantity: Int! }
     type CartLine implements BaseLine { id: ID! quantity: Int! merchandise: Merchandise! }
     type GiftLine implements BaseLine { id: ID! quantity: Int! message: String }
     type Variant { id: ID! } type Bundle { id: ID! }
     union Merchandise = Variant
     type BaseLineConnection { edges: [BaseLineEdge!]! pageInfo: PageInfo! }
     type BaseLineEdge { cursor: String! node: BaseLine! }
     type PageInfo { hasNextPage: Boolean! endCursor: String }
     type Cart { id: ID! totalQuantity: Int! lines(first: Int): BaseLineConnection! }
     type Query { cart(id: ID!): Cart variants: [Variant!]! bundles: [Bundle!]! }
     input LineInput { merchandiseId: ID! quantity: Int = 1 gift: Boolean = false }
     input LineUpdate { id: ID! quantity: Int }
     input CartInput { lines: [LineInput!] }
     type CartPayload { cart: Cart }
     type Mutation {
       cartCreate(input: CartInput): CartPayload
       cartLinesAdd(cartId: ID, id: ID, lines: [LineInput!]!): CartPayload
       cartLinesUpdate(cartId: ID!, lines: [LineUpdate!]!): CartPayload
       cartLinesRemove(cartId: ID!, lineIds: [ID!]!): CartPayload
     }`,
    { variants: [{ id: "1" }, { id: "2" }], bundles: [{ id: "1" }], giftLines: [{ id: "1" }] },
  );
  const cart =
    "{ cart { totalQuantity lines(first: 9) { edges { node { __typename id quantity } } } } }";
  const line = (id: string, quantity: number) => ({
    node: { __typename: "CartLine", id, quantity },
  });
  await mock.query(`mutation { cartCreate(input: {}) { cart { id } } }`);
  await mock.query(`mutation { cartLinesAdd(cartId: 1, lines: [{ merchandiseId: 1 }]) ${cart} }`);
  deepStrictEqual(
    await mock.query(`mutation {
      cartLinesAdd(id: 1, lines: [{ merchandiseId: 1, quantity: 2 }, { merchandiseId: 2 }]) ${cart}
    }`),
    {
      cartLinesAdd: { cart: { totalQuantity: 4, lines: { edges: [line("1", 3), line("2", 1)] } } },
    },
  );
  deepStrictEqual(
    await mock.query(
      `mutation { cartLinesUpdate(cartId: 1, lines: [{ id: 1, quantity: 1 }]) ${cart} }`,
    ),
    {
      cartLinesUpdate: {
        cart: { totalQuantity: 2, lines: { edges: [line("1", 1), line("2", 1)] } },
      },
    },
  );
  deepStrictEqual(
    await mock.query(`mutation { cartLinesRemove(cartId: 1, lineIds: [2]) ${cart} }`),
    {
      cartLinesRemove: { cart: { totalQuantity: 1, lines: { edges: [line("1", 1)] } } },
    },
  );
});

Deno.test("only a quantity adds up in a record whose list changes", async () => {
  const { mock } = mockOf(
    `type Product { id: ID! price: Int totalQuantity: Int variants: [Variant!]! }
     type Variant { id: ID! price: Int quantity: Int }
     type Query { products: [Product!]! variants: [Variant!]! }
     type Mutation { addVariantsToProduct(productId: ID!, variantIds: [ID!]!): Product }`,
    {
      products: [{ id: "1", price: 9, totalQuantity: 0, variantIds: [] }],
      variants: [{ id: "1", price: 5, quantity: 2 }, { id: "2", price: 6, quantity: 3 }],
    },
  );
  deepStrictEqual(
    await mock.query(`mutation {
      addVariantsToProduct(productId: 1, variantIds: [1, 2]) { price totalQuantity }
    }`),
    { addVariantsToProduct: { price: 9, totalQuantity: 5 } },
  );
});

Deno.test("a verb that no convention knows writes the values that it gets, and needs one", async () => {
  const { mock } = mockOf(
    `type User { id: ID! note: String }
     type Query { users: [User!]! }
     type Mutation { vetUser(id: ID!, note: String): User }`,
    { users: [{ id: "1", note: "new" }] },
  );
  await rejects(
    mock.query("mutation { vetUser(id: 1) { note } }"),
    /It needs values to update, and the call has none/,
  );
  const data = await mock.query(`mutation { vetUser(id: 1, note: "met") { note } }`);
  deepStrictEqual(data, { vetUser: { note: "met" } });
});

Deno.test("an account is that of whoever calls, and its addresses are written by their type", async () => {
  const { mock } = mockOf(
    `type User { id: ID! name: String addresses: [Address!]! }
     type Address { id: ID! city: String }
     type Query { me: User users: [User!]! addresses: [Address!]! }
     input UserInput { name: String } input AddressInput { city: String }
     type AccountUpdate { user: User } type AddressPayload { user: User address: Address }
     type Mutation {
       accountUpdate(customerId: ID, input: UserInput!): AccountUpdate
       accountAddressCreate(input: AddressInput!): AddressPayload
       accountAddressDelete(id: ID!): AddressPayload
     }`,
    { users: [{ id: "1", name: "Ada" }] },
  );
  deepStrictEqual(
    await mock.query(`mutation { accountUpdate(input: { name: "Eve" }) { user { id name } } }`),
    { accountUpdate: { user: { id: "1", name: "Eve" } } },
  );
  deepStrictEqual(
    await mock.query(`mutation { accountAddressCreate(input: { city: "Rome" }) {
      address { id city } user { name addresses { city } }
    } }`),
    {
      accountAddressCreate: {
        address: { id: "1", city: "Rome" },
        user: { name: "Eve", addresses: [{ city: "Rome" }] },
      },
    },
  );
  deepStrictEqual(
    await mock.query("mutation { accountAddressDelete(id: 1) { address { city } } }"),
    { accountAddressDelete: { address: { city: "Rome" } } },
  );
  deepStrictEqual(await mock.query("{ me { addresses { id } } }"), { me: { addresses: [] } });
});
