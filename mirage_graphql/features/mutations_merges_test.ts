import { deepStrictEqual, rejects, strictEqual } from "node:assert/strict";
import { createMock, type Mock } from "../mod.ts";
import { withAsyncWarnings } from "../testing/warnings.ts";

const LENIENT = { conventions: "common", unknownArguments: "ignore" } as const;

const TAGS = `
  type Tag { id: ID! name: String! parents: [Tag!]! }
  type Post { id: ID! tags: [Tag!]! mainTag: Tag }
  type Query { tags: [Tag!]! posts: [Post!]! }
  input TagInput { id: ID! name: String }
  input MergeInput { source: [ID!]! destination: ID! values: TagInput history: Boolean }
  type Mutation {
    tagsMerge(input: MergeInput!): Tag
    mergeTags(sourceTagIds: [ID!]!, targetTagId: ID!): Tag
    mergePosts(ids: [ID!]!): Post
  }
`;

function tags(): Mock {
  const mock = createMock(TAGS, undefined, LENIENT);
  mock.db.loadData({
    tags: [
      { id: "1", name: "kept", parentIds: ["2"] },
      { id: "2", name: "merged", parentIds: [] },
      { id: "3", name: "child", parentIds: ["2"] },
    ],
    posts: [
      { id: "1", tagIds: ["2", "1"], mainTagId: "2" },
      { id: "2", tagIds: ["3", "2"], mainTagId: "3" },
      { id: "3", tagIds: [], mainTagId: null },
    ],
  });
  return mock;
}

const READ = "{ tags { id name parents { id } } posts { tags { id } mainTag { id } } }";
const MERGED = {
  tags: [{ id: "1", name: "kept", parents: [] }, {
    id: "3",
    name: "child",
    parents: [{ id: "1" }],
  }],
  posts: [
    { tags: [{ id: "1" }], mainTag: { id: "1" } },
    { tags: [{ id: "3" }, { id: "1" }], mainTag: { id: "3" } },
    { tags: [], mainTag: null },
  ],
};

Deno.test("what leads to merged records leads to the one that is kept, and they are deleted", async () => {
  for (
    const call of [
      "tagsMerge(input: { source: [2], destination: 1 })",
      "mergeTags(sourceTagIds: [2], targetTagId: 1)",
    ]
  ) {
    const mock = tags();
    const name = call.slice(0, call.indexOf("("));
    deepStrictEqual(await mock.query(`mutation { ${call} { id } }`), { [name]: { id: "1" } });
    deepStrictEqual(await mock.query(READ), MERGED);
  }
});

Deno.test("a merge writes the values that it is given, and warns of what it does not read", async () => {
  const mock = tags();
  const call = `tagsMerge(
    input: { source: [2], destination: 1, history: true, values: { id: 1, name: "new" } }
  ) { name }`;
  const { value, warnings } = await withAsyncWarnings(() => mock.query(`mutation { ${call} }`));
  deepStrictEqual(value, { tagsMerge: { name: "new" } });
  strictEqual(warnings.length, 1);
});

Deno.test("a merge that is unclear writes nothing", async () => {
  const mock = tags();
  const before = mock.db.dump();
  const run = (call: string) => mock.query(`mutation { ${call} { id } }`);
  await rejects(
    run("tagsMerge(input: { source: [1, 2], destination: 1 })"),
    /Cannot merge Tag "1": it is both merged and kept/,
  );
  await rejects(
    run("tagsMerge(input: { source: [9], destination: 1 })"),
    /Cannot merge Tag "9": there is no record with this id/,
  );
  await rejects(run("mergePosts(ids: [1, 2])"), /default resolver/);
  deepStrictEqual(mock.db.dump(), before);
});

const VIEWS = `
  scalar Time
  type Film { id: ID! view_count: Int view_history: [Time!]! likes: Int }
  type History { count: Int! history: [Time!]! }
  type Query { films: [Film!]! }
  type Mutation {
    filmAddView(id: ID!, times: [Time!]): History!
    filmDeleteView(id: ID!, times: [Time!]): History!
    filmResetView(id: ID!): Int!
    filmAddLike(id: ID!, times: [Time!]): History!
  }
`;

Deno.test("a count and its history change together", async () => {
  const mock = createMock(VIEWS, undefined, LENIENT);
  mock.db.loadData({ films: [{ id: "1", view_count: 2, view_history: ["a", "b"], likes: 1 }] });
  const run = async (call: string) =>
    Object.values(Object(await mock.query(`mutation { ${call} { count history } }`)))[0];
  deepStrictEqual(await run('filmAddView(id: 1, times: ["c", "d"])'), {
    count: 4,
    history: ["a", "b", "c", "d"],
  });
  deepStrictEqual(await run('filmDeleteView(id: 1, times: ["a", "x"])'), {
    count: 3,
    history: ["b", "c", "d"],
  });
  deepStrictEqual(await run("filmDeleteView(id: 1)"), { count: 2, history: ["b", "c"] });
  await mock.query("mutation { filmAddView(id: 1) { count } }");
  const [film] = mock.db.films ?? [];
  strictEqual(film?.view_count, 3);
  strictEqual(Object(film?.view_history).length, 3);
  await mock.query("mutation { filmResetView(id: 1) }");
  deepStrictEqual(mock.db.films?.[0], { id: "1", view_count: 0, view_history: [], likes: 1 });
  // `likes` have no history
  await rejects(run("filmAddLike(id: 1)"), /default resolver/);
});

const JOBS = `
  enum JobStatus { READY RUNNING FINISHED FAILED STOPPING }
  type Job {
    id: ID! status: JobStatus! description: String! addTime: String! endTime: String progress: Float
  }
  type Tag { id: ID! name: String }
  type Query { jobs: [Job!]! tags: [Tag!]! }
  input ScanInput { paths: [String!] }
  type Mutation {
    scanLibrary(input: ScanInput!): ID!
    autoTag(tags: [String!]): ID!
    retag(tagId: ID!): ID!
    stopAllJobs: Boolean!
  }
`;

Deno.test("a command that returns the id of a job adds one that waits, with one warning", async () => {
  const mock = createMock(JOBS, undefined, LENIENT);
  const { value, warnings } = await withAsyncWarnings(() =>
    mock.query("mutation { scanLibrary(input: {}) autoTag }")
  );
  deepStrictEqual(value, { scanLibrary: "1", autoTag: "2" });
  deepStrictEqual(warnings, [
    'The mock adds a Job for "scanLibrary", which never runs',
    'The mock adds a Job for "autoTag", which never runs',
  ]);
  deepStrictEqual(
    await mock.query("{ jobs { status description endTime progress } }"),
    {
      jobs: ["scan library", "auto tag"].map((description) => ({
        ...{ status: "READY", description, endTime: null, progress: null },
      })),
    },
  );
  await rejects(mock.query("mutation { retag(tagId: 1) }"), /default resolver/);
});

Deno.test("the state of all records that have not ended is changed", async () => {
  const mock = createMock(JOBS, undefined, LENIENT);
  mock.db.loadData({ jobs: [{ status: "RUNNING" }, { status: "FINISHED" }, { status: "READY" }] });
  deepStrictEqual(await mock.query("mutation { stopAllJobs }"), { stopAllJobs: true });
  deepStrictEqual(mock.db.jobs?.map(({ status }) => status), ["STOPPING", "FINISHED", "STOPPING"]);
});
