import { deepStrictEqual } from "node:assert/strict";
import { createConnectionServer, cursor } from "../testing/connection_server.ts";

const PAGES: readonly [args: string, ids: string, pages: string][] = [
  ["", "12345", "--"],
  ["(first: 2)", "12", "-n"],
  ["(first: 0)", "", "-n"],
  ["(first: 5)", "12345", "--"],
  ["(first: 99)", "12345", "--"],
  ["(last: 2)", "45", "p-"],
  ["(last: 0)", "", "p-"],
  ["(last: 99)", "12345", "--"],
  ["(first: 3, last: 2)", "23", "pn"],
  ["(first: 2, last: 3)", "12", "-n"],
  ["(first: null, last: null, after: null, before: null)", "12345", "--"],
  [`(after: "${cursor("2")}")`, "345", "p-"],
  [`(after: "${cursor("5")}")`, "", "p-"],
  [`(before: "${cursor("3")}")`, "12", "-n"],
  [`(before: "${cursor("1")}")`, "", "-n"],
  [`(first: 2, after: "${cursor("2")}")`, "34", "pn"],
  [`(first: 2, after: "${cursor("4")}")`, "5", "p-"],
  [`(last: 2, before: "${cursor("4")}")`, "23", "pn"],
  [`(last: 2, before: "${cursor("2")}")`, "1", "-n"],
  [`(after: "${cursor("1")}", before: "${cursor("5")}")`, "234", "pn"],
  [`(after: "${cursor("1")}", before: "${cursor("5")}", first: 2)`, "23", "pn"],
  [`(after: "${cursor("1")}", before: "${cursor("5")}", last: 1)`, "4", "pn"],
  [`(first: 1, before: "${cursor("3")}")`, "1", "-n"],
  [`(last: 1, after: "${cursor("3")}")`, "5", "p-"],
  [`(name: "Cy")`, "3", "--"],
  ["(team: 1, first: 2)", "12", "-n"],
  [`(team: 1, first: 2, after: "${cursor("2")}")`, "3", "p-"],
  ["(team: 2, last: 1)", "5", "p-"],
  ["(id: [5, 2], first: 1)", "2", "-n"],
  [`(after: "x", before: "")`, "12345", "--"],
  [`(first: 2, after: "${cursor("1", "Team")}")`, "12", "-n"],
  [`(first: 2, after: "${cursor("9")}")`, "", "p-"],
  [`(team: 2, after: "${cursor("1")}")`, "45", "--"],
  [`(id: [1, 5], after: "${cursor("3")}")`, "5", "p-"],
  [`(id: [1, 5], before: "${cursor("3")}")`, "1", "-n"],
  [`(name: "Nobody")`, "", "--"],
];

for (const [args, ids, pages] of PAGES) {
  Deno.test(`a connection returns the requested page: ${args}`, async () => {
    const { people } = await createConnectionServer().data(`{ people${args} {
      edges { cursor node { id } } nodes { id }
      pageInfo { hasPreviousPage hasNextPage startCursor endCursor } } }`);
    const expected = [...ids];
    deepStrictEqual(people, {
      edges: expected.map((id) => ({ cursor: cursor(id), node: { id } })),
      nodes: expected.map((id) => ({ id })),
      pageInfo: {
        hasPreviousPage: pages[0] === "p",
        hasNextPage: pages[1] === "n",
        startCursor: expected.length === 0 ? null : cursor(expected[0] ?? ""),
        endCursor: expected.length === 0 ? null : cursor(expected.at(-1) ?? ""),
      },
    });
  });
}

Deno.test("totalCount counts the records of all pages together, filtered", async () => {
  deepStrictEqual(
    await createConnectionServer().data(
      `{ all: people(first: 1) { totalCount } one: people(team: 2, last: 1) { totalCount }
         none: people(name: "Nobody") { totalCount } team(id: 1) { people(first: 1) { totalCount } } }`,
    ),
    {
      all: { totalCount: 5 },
      one: { totalCount: 2 },
      none: { totalCount: 0 },
      team: { people: { totalCount: 3 } },
    },
  );
});

const REFUSED: readonly [args: string, message: string][] = [
  ["(first: -1)", "Cannot page with first -1: it must be 0 or more"],
  ["(last: -1)", "Cannot page with last -1: it must be 0 or more"],
];

for (const [args, message] of REFUSED) {
  Deno.test(`a connection rejects an invalid page: ${args}`, async () => {
    deepStrictEqual(
      await createConnectionServer().errors(`{ people${args} { edges { cursor } } }`),
      [message],
    );
  });
}

Deno.test("ids that are not Latin-1 have cursors of the same form", async () => {
  const people = [{ id: "ä" }, { id: "日本:1" }, { id: "🙂" }].map((one) => ({
    ...one,
    petIds: [],
  }));
  const { data } = createConnectionServer({ data: { people } });
  deepStrictEqual(
    await data(
      `{ people(first: 1, after: "${cursor("日本:1")}") { edges { cursor node { id } } } }`,
    ),
    { people: { edges: [{ cursor: cursor("🙂"), node: { id: "🙂" } }] } },
  );
  deepStrictEqual(
    await data(`{ people(last: 1, before: "${cursor("日本:1")}") { nodes { id } } }`),
    { people: { nodes: [{ id: "ä" }] } },
  );
});
