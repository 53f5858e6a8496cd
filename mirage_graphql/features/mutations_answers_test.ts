import { deepStrictEqual, match } from "node:assert/strict";
import { createMockServer } from "../testing/mock_server.ts";

/** Relay's todo list: a payload with the edge of what is written, and with its owner. */
const SCHEMA = `
  type Query { user(id: String): User users: [User!]! viewer: User customers: [Customer!]! activeCustomer: Customer }
  type User { id: ID! name: String! todos(first: Int): TodoConnection! }
  type TodoConnection { edges: [TodoEdge] pageInfo: PageInfo! }
  type TodoEdge { node: Todo cursor: String! }
  type PageInfo { hasNextPage: Boolean! endCursor: String }
  type Todo { id: ID! text: String! complete: Boolean! }
  type Customer { id: ID! addresses: [Address!] suggestedPlanets: [Planet!] }
  type Address { id: ID! street: String }
  type Planet { id: ID! name: String }
  input AddTodoInput { text: String! userId: ID! clientMutationId: String }
  input RemoveTodoInput { id: ID! userId: ID }
  input AddressInput { street: String }
  type AddTodoPayload { todoEdge: TodoEdge user: User! clientMutationId: String }
  type RemoveTodoPayload { deletedTodoId: ID user: User! }
  type Moon { id: ID! name: String }
  type LostPayload { todo: Todo planet: Planet! }
  type MoonPayload { todo: Todo moon: Moon! }
  type MaybePayload { todo: Todo planet: Planet }
  type Mutation {
    addTodo(input: AddTodoInput!): AddTodoPayload
    removeTodo(input: RemoveTodoInput!): RemoveTodoPayload
    createTodo(text: String!): LostPayload
    registerTodo(text: String!): MoonPayload
    insertTodo(text: String!): MaybePayload
    createCustomerAddress(input: AddressInput!): Address
    createPlanet(name: String): Planet
  }
`;

const create = () =>
  createMockServer(SCHEMA, {
    conventions: "common",
    data: {
      users: [{ id: "1", name: "Ada", todoIds: ["1"] }, { id: "2", name: "Bea", todoIds: [] }],
      todos: [{ id: "1", text: "A", complete: false }],
      customers: [{ id: "1", addressIds: [], suggestedPlanetIds: [] }],
      planets: [{ id: "1", name: "Mars" }],
    },
  });

const TODOS = "{ users { name todos(first: 9) { edges { node { id text } } } } }";

Deno.test("a payload has the record that an id of the input refers to, with the new one in its list", async () => {
  const { data } = create();
  deepStrictEqual(
    await data(`mutation {
      addTodo(input: { text: "B", userId: 2, clientMutationId: "c" }) {
        todoEdge { node { id text } } user { id name } clientMutationId
      }
    }`),
    {
      addTodo: {
        todoEdge: { node: { id: "2", text: "B" } },
        user: { id: "2", name: "Bea" },
        clientMutationId: "c",
      },
    },
  );
  const { users: [ada, bea] } = await data(TODOS);
  deepStrictEqual(ada.todos.edges, [{ node: { id: "1", text: "A" } }]);
  deepStrictEqual(bea.todos.edges, [{ node: { id: "2", text: "B" } }]);
});

Deno.test("a record that an id of the input refers to has to exist, or nothing is written", async () => {
  const { errors, dump } = create();
  const before = dump();
  const call = 'mutation { addTodo(input: { text: "B", userId: 9 }) { user { name } } }';
  deepStrictEqual(await errors(call), ['Cannot find User "9": there is no record with this id']);
  deepStrictEqual(dump(), before);
});

Deno.test("a deletion answers with the record whose id it has, or else with the caller's", async () => {
  for (const [input, name] of [["id: 1, userId: 2", "Bea"], ["id: 1", "Ada"]] as const) {
    const { data, dump } = create();
    deepStrictEqual(
      await data(`mutation { removeTodo(input: { ${input} }) { deletedTodoId user { name } } }`),
      { removeTodo: { deletedTodoId: "1", user: { name } } },
    );
    deepStrictEqual(dump().todos, []);
  }
});

Deno.test("a record that nothing leads to is never made up: an error, or null", async () => {
  const { answer, data, dump } = create();
  for (const call of ["createTodo", "registerTodo"]) {
    const { errors: [first = ""] } = await answer(
      `mutation { ${call}(text: "B") { todo { id } } }`,
    );
    match(first, new RegExp(`default resolver for ${call}`));
  }
  deepStrictEqual(dump().todos?.length, 1);
  deepStrictEqual(await data('mutation { insertTodo(text: "B") { planet { name } } }'), {
    insertTodo: { planet: null },
  });
});

Deno.test("a child of what belongs to whoever calls is linked to it", async () => {
  const { data } = create();
  await data('mutation { createCustomerAddress(input: { street: "1 Main St" }) { id } }');
  await data('mutation { createPlanet(name: "Venus") { id } }');
  deepStrictEqual(
    await data("{ activeCustomer { addresses { street } suggestedPlanets { name } } }"),
    { activeCustomer: { addresses: [{ street: "1 Main St" }], suggestedPlanets: [] } },
  );
});

Deno.test("an author is the inverse of the list that is named after the type alone", async () => {
  const schema = `
    type Query { users: [User!]! articles: [Article!]! }
    type User { id: ID! name: String articlesConnection: ArticleConnection! favoriteArticlesConnection: ArticleConnection! }
    type ArticleConnection { nodes: [Article!]! edges: [ArticleEdge!]! pageInfo: PageInfo! }
    type ArticleEdge { node: Article! cursor: String! }
    type PageInfo { hasNextPage: Boolean! endCursor: String }
    type Article { id: ID! title: String author: User! }
    input ArticleInput { title: String authorId: ID }
    type Mutation { createArticle(input: ArticleInput!): Article! }
  `;
  const lists = { articlesConnectionIds: [], favoriteArticlesConnectionIds: [] };
  const data = { users: [{ id: "1", name: "Ada", ...lists }] };
  const mutate = 'mutation { createArticle(input: { title: "One", authorId: 1 }) { id } }';
  const read = `{ users {
    articlesConnection { nodes { title } } favoriteArticlesConnection { nodes { title } }
  } }`;
  const common = createMockServer(schema, { data, conventions: "common" });
  await common.data(mutate);
  deepStrictEqual(await common.data(read), {
    users: [{
      articlesConnection: { nodes: [{ title: "One" }] },
      favoriteArticlesConnection: { nodes: [] },
    }],
  });
  const strict = createMockServer(schema, { data });
  await strict.data(mutate);
  const { users: [user] } = await strict.data(read);
  deepStrictEqual(user.articlesConnection.nodes, []);
});

Deno.test("the member of a union that has the record is answered with", async () => {
  const { data, errors } = createMockServer(
    `
    type Query { cards: [Card!]! }
    type Card { id: ID! name: String archived: Boolean }
    type CardSuccess { card: Card cardEdge: CardEdge }
    type CardEdge { node: Card cursor: String! }
    type CardFailure { message: String card: Card }
    union CardOrError = CardFailure | CardSuccess
    type CardPayload { cardOrError: CardOrError clientMutationId: String }
    type Lost { message: String }
    union LostOrError = CardFailure | Lost
    input CardInput { name: String }
    input ArchiveInput { cardId: ID! }
    type Mutation {
      createCard(input: CardInput!): CardPayload
      archiveCard(input: ArchiveInput!): CardOrError!
      insertCard(name: String): LostOrError!
    }
  `,
    { conventions: "common" },
  );
  deepStrictEqual(
    await data(`mutation { createCard(input: { name: "A" }) {
      cardOrError { __typename ... on CardSuccess { card { name } cardEdge { node { id } } } }
    } }`),
    {
      createCard: {
        cardOrError: {
          __typename: "CardSuccess",
          card: { name: "A" },
          cardEdge: { node: { id: "1" } },
        },
      },
    },
  );
  deepStrictEqual(
    await data(`mutation { archiveCard(input: { cardId: 1 }) {
      ... on CardSuccess { card { archived } }
    } }`),
    { archiveCard: { card: { archived: true } } },
  );
  const [first = ""] = await errors('mutation { insertCard(name: "B") { __typename } }');
  match(first, /default resolver for insertCard/);
});

Deno.test("an id that is named after a type is not that of a longer one", async () => {
  const { data, dump } = createMockServer(
    `
    type Query { artworks: [Artwork!]! saleArtworks: [SaleArtwork!]! bids: [Bid!]! }
    type Artwork { id: ID! }
    type SaleArtwork { id: ID! bids: [Bid!]! }
    type Bid { id: ID! amount: Int }
    input BidInput { artworkId: ID! amount: Int }
    type BidPayload { bid: Bid }
    type Mutation { createBid(input: BidInput!): BidPayload }
  `,
    {
      conventions: "common",
      data: { artworks: [{ id: "1" }], saleArtworks: [{ id: "1", bidIds: [] }] },
    },
  );
  await data("mutation { createBid(input: { artworkId: 1, amount: 5 }) { bid { id } } }");
  deepStrictEqual(dump().saleArtworks, [{ id: "1", bidIds: [] }]);
});

Deno.test("parents, states and lists are found by global ids", async () => {
  const { data } = createMockServer(
    `
    type Query { carts: [Cart!]! }
    type Cart { id: ID! closed: Boolean lines: [Line!]! notes: [Note!]! }
    type Line { id: ID! quantity: Int product: Product }
    type Note { id: ID! text: String }
    type Product { id: ID! }
    type Mutation {
      addToCart(cartId: ID!, productId: ID!): Cart
      removeLine(cartId: ID!, lineId: ID!): Cart
      closeCart(id: ID!): Cart
      addNote(subjectId: ID!, text: String!): Note
    }
  `,
    {
      conventions: "common",
      ids: "global",
      data: {
        carts: [{ id: "1", closed: false, lineIds: ["1"], noteIds: [] }],
        lines: [{ id: "1", quantity: 1, productId: "1" }],
        products: [{ id: "1" }],
      },
    },
  );
  const cart = 'cartId: "Cart:1"';
  deepStrictEqual(
    await data(`mutation { addToCart(${cart}, productId: "Product:1") { lines { quantity } } }`),
    { addToCart: { lines: [{ quantity: 2 }] } },
  );
  await data('mutation { closeCart(id: "Cart:1") { closed } }');
  await data('mutation { addNote(subjectId: "Cart:1", text: "a") { id } }');
  await data(`mutation { removeLine(${cart}, lineId: "Line:1") { id } }`);
  deepStrictEqual(await data("{ carts { closed lines { id } notes { id text } } }"), {
    carts: [{ closed: true, lines: [], notes: [{ id: "Note:1", text: "a" }] }],
  });
});

Deno.test("the subject of a new record is what an argument refers to, and its author is the viewer", async () => {
  const { data } = createMockServer(
    `
    interface Node { id: ID! }
    interface Actor { login: String! }
    type Query { viewer: User! issues: [Issue!]! }
    type User implements Node & Actor { id: ID! login: String! notes: [Note!]! }
    type Bot implements Node & Actor { id: ID! login: String! }
    type Issue implements Node { id: ID! closed: Boolean notes: [Note!]! }
    type Note implements Node { id: ID! text: String author: Actor }
    input NoteInput { subjectId: ID! text: String! }
    input IssueInput { issueId: ID! }
    type NotePayload { subject: Node note: Note }
    type IssuePayload { issue: Node }
    type Mutation { addNote(input: NoteInput!): NotePayload closeIssue(input: IssueInput!): IssuePayload }
  `,
    {
      ...{ conventions: "common", ids: "global" },
      data: { users: [{ id: "1", login: "ada" }], issues: [{ id: "1", closed: false }] },
    },
  );
  const added = `addNote(input: { subjectId: "Issue:1", text: "a" }) {
    subject { id } note { text author { login } }
  }`;
  const closed = 'closeIssue(input: { issueId: "Issue:1" }) { issue { id } }';
  deepStrictEqual(await data(`mutation { ${added} ${closed} }`), {
    addNote: { subject: { id: "Issue:1" }, note: { text: "a", author: { login: "ada" } } },
    closeIssue: { issue: { id: "Issue:1" } },
  });
  deepStrictEqual(await data("{ issues { closed notes { text } } viewer { notes { text } } }"), {
    issues: [{ closed: true, notes: [{ text: "a" }] }],
    viewer: { notes: [{ text: "a" }] },
  });
});
