import { deepStrictEqual } from "node:assert/strict";
import { Model } from "miragejs";
import { createMockServer, type MockServer } from "../testing/mock_server.ts";

const PAGING = "first: Int, after: String, last: Int, before: String";

const SCHEMA = `
  type Query {
    issues(${PAGING}, state: State, orderBy: Order): IssueConnection!
    feed(after: ID, limit: Int, state: State): [Issue!]!
    found(where: Unique, cursor: Unique, take: Int, skip: Int): [Issue!]!
    board: Board
    items(${PAGING}, state: State): ItemConnection!
  }
  enum State { OPEN CLOSED }
  enum Order { TITLE_ASC RANK_DESC }
  input Unique { id: ID state: State }
  interface Item { id: ID! state: State! }
  type Issue implements Item { id: ID! title: String! rank: Int! state: State! board: Board }
  type Pull implements Item { id: ID! state: State! }
  type Board { id: ID! issues(${PAGING}, state: State, orderBy: Order): IssueConnection! }
  type IssueConnection { nodes: [Issue!]! pageInfo: PageInfo! }
  type ItemConnection { nodes: [Item!]! pageInfo: PageInfo! }
  type PageInfo { hasPreviousPage: Boolean! hasNextPage: Boolean! endCursor: String startCursor: String }
  type Mutation { updateIssue(id: ID!, state: State): Issue deleteIssue(id: ID!): Issue }
`;

const TITLES = ["e", "a", "d", "b", "f", "c"];
const issues = TITLES.map((title, index) => ({
  id: `${index + 8}`,
  title,
  rank: index,
  state: "OPEN",
}));
const DATA = {
  issues: issues.map((issue) => ({ ...issue, boardId: "1" })),
  pulls: [{ id: "8", state: "OPEN" }, { id: "9", state: "OPEN" }, { id: "10", state: "OPEN" }],
  boards: [{ id: "1", issueIds: issues.map(({ id }) => id) }],
};

/** How a row leaves the list. */
const LEAVING = {
  closed: ({ server }: MockServer, id: string) =>
    void server.db.issues?.update(id, { state: "CLOSED" }),
  deleted: ({ server }: MockServer, id: string) => void server.db.issues?.remove(id),
} as const;

const ORDERS = [
  { order: "", ids: ["8", "9", "10", "11", "12", "13"] },
  { order: "orderBy: RANK_DESC", ids: ["13", "12", "11", "10", "9", "8"] },
] as const;

/** The field, and the way to its connection. */
const FIELDS = {
  issues: (args: string) => `{ at: issues(${args}) { ...page } }`,
  "board.issues": (args: string) => `{ board { at: issues(${args}) { ...page } } }`,
} as const;

const PAGE = `fragment page on IssueConnection {
  nodes { id } pageInfo { hasNextPage endCursor startCursor }
}`;

function createIssues(): MockServer {
  return createMockServer(SCHEMA, { data: DATA, conventions: "common" });
}

async function readPage({ data }: MockServer, query: string) {
  const answer = await data(`${query} ${PAGE}`);
  const { nodes, pageInfo } = (answer.board ?? answer).at;
  return { ids: nodes.map(({ id }: { id: string }) => id), ...pageInfo };
}

for (const [field, at] of Object.entries(FIELDS)) {
  for (const { order, ids } of ORDERS) {
    for (const [how, leave] of Object.entries(LEAVING)) {
      Deno.test(`${field}(${order}): the next page after a row that was ${how}`, async () => {
        const mock = createIssues();
        const first = await readPage(mock, at(`state: OPEN, first: 2 ${order}`));
        deepStrictEqual(first.ids, ids.slice(0, 2));
        leave(mock, ids[1]);
        const after = `state: OPEN, first: 2, after: "${first.endCursor}" ${order}`;
        const next = await readPage(mock, at(after));
        deepStrictEqual([next.ids, next.hasNextPage], [ids.slice(2, 4), true]);
        leave(mock, ids[3]);
        const last = await readPage(mock, at(`state: OPEN, after: "${next.endCursor}" ${order}`));
        deepStrictEqual([last.ids, last.hasNextPage], [ids.slice(4), false]);
      });

      Deno.test(`${field}(${order}): the page before a row that was ${how}`, async () => {
        const mock = createIssues();
        const first = await readPage(mock, at(`state: OPEN, last: 2 ${order}`));
        leave(mock, ids[4]);
        const before = `state: OPEN, last: 2, before: "${first.startCursor}" ${order}`;
        deepStrictEqual((await readPage(mock, at(before))).ids, ids.slice(2, 4));
      });
    }
  }

  Deno.test(`${field} sorted by titles: a row that was closed keeps its place`, async () => {
    const mock = createIssues();
    const sorted = "state: OPEN, orderBy: TITLE_ASC";
    const first = await readPage(mock, at(`${sorted}, first: 2`));
    deepStrictEqual(first.ids, ["9", "11"]);
    LEAVING.closed(mock, "11");
    const next = await readPage(mock, at(`${sorted}, first: 2, after: "${first.endCursor}"`));
    deepStrictEqual(next.ids, ["13", "10"]);
  });

  Deno.test(`${field} sorted by titles: the cursor of a deleted row, whose place is unknown, is ignored`, async () => {
    const mock = createIssues();
    const sorted = "orderBy: TITLE_ASC";
    const first = await readPage(mock, at(`${sorted}, first: 2`));
    LEAVING.deleted(mock, "11");
    const next = await readPage(mock, at(`${sorted}, first: 2, after: "${first.endCursor}"`));
    deepStrictEqual(next.ids, ["9", "13"]);
  });

  Deno.test(`${field}: after the only row was deleted, the next page is empty`, async () => {
    const mock = createIssues();
    const first = await readPage(mock, at("first: 6"));
    for (const { id } of issues) LEAVING.deleted(mock, id);
    deepStrictEqual((await readPage(mock, at(`first: 6, after: "${first.endCursor}"`))).ids, []);
  });
}

Deno.test("a list of several types: a cursor keeps its place among the records of its type", async () => {
  const mock = createMockServer(SCHEMA, { data: DATA });
  const page = async (args: string) => {
    const { items } = await mock.data(
      `{ items(state: OPEN ${args}) { nodes { __typename id } pageInfo { endCursor } } }`,
    );
    const names = items.nodes.map((node: { __typename: string; id: string }) =>
      `${node.__typename}${node.id}`
    );
    return { names, after: `after: "${items.pageInfo.endCursor}"` };
  };
  const first = await page("first: 3");
  deepStrictEqual(first.names, ["Issue8", "Issue9", "Issue10"]);
  LEAVING.closed(mock, "10");
  const next = await page(`first: 5 ${first.after}`);
  deepStrictEqual(next.names, ["Issue11", "Issue12", "Issue13", "Pull8", "Pull9"]);
  mock.server.db.pulls?.remove("9");
  deepStrictEqual((await page(next.after)).names, ["Pull10"]);
});

for (const how of ["closed", "deleted"] as const) {
  Deno.test(`the id of a row that was ${how} is a cursor too, in lists and in Prisma's`, async () => {
    const mock = createIssues();
    LEAVING[how](mock, "9");
    deepStrictEqual(
      await mock.data(`{
        feed(after: "9", limit: 2, state: OPEN) { id }
        found(where: { state: OPEN }, cursor: { id: "9" }, take: 2) { id }
        ignored: feed(after: "x", limit: 1, state: OPEN) { id }
      }`),
      {
        feed: [{ id: "10" }, { id: "11" }],
        found: [{ id: "10" }, { id: "11" }],
        ignored: [{ id: "8" }],
      },
    );
  });
}

Deno.test("the page of a resolver's list continues after a value that has left it", async () => {
  const mock = createMockServer(SCHEMA, {
    data: DATA,
    models: { issue: Model },
    resolvers: {
      Query: {
        issues: () => mock.server.db.issues?.where({ state: "OPEN" }).reverse(),
      },
    },
  });
  const first = await readPage(mock, FIELDS.issues("first: 2"));
  LEAVING.closed(mock, "12");
  const next = await readPage(mock, FIELDS.issues(`first: 2, after: "${first.endCursor}"`));
  deepStrictEqual([first.ids, next.ids], [["13", "12"], ["11", "10"]]);
});
