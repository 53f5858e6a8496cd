import { deepStrictEqual, ok } from "node:assert/strict";
import fc from "fast-check";
import { createPlannedMock } from "../testing/planned_mock.ts";

const RUNS = Number(Deno.env.get("PROPERTY_RUNS") ?? 60);
/** What is counted must not depend on chance: the same requests each time. */
const COUNTED = { numRuns: 100, seed: 1 };

const SCHEMA = `
  enum Order { asc desc }
  input StringExp { _eq: String _neq: String _in: [String!] _nin: [String!] _gt: String _lte: String _like: String
    _is_null: Boolean }
  input IntExp { _eq: Int _neq: Int _in: [Int!] _nin: [Int!] _lt: Int _gte: Int _is_null: Boolean }
  input PostExp { _and: [PostExp!] _or: [PostExp!] _not: PostExp title: StringExp rank: IntExp author: AuthorExp }
  input AuthorExp { _not: AuthorExp name: StringExp posts: PostExp }
  input PostOrder { title: Order rank: Order author: AuthorOrder }
  input AuthorOrder { name: Order }
  type Post { id: ID! title: String rank: Int author: Author }
  type Author { id: ID! name: String posts(where: PostExp, order_by: [PostOrder!], limit: Int, offset: Int): [Post!]! }
  type Query {
    posts(where: PostExp, order_by: [PostOrder!], limit: Int, offset: Int): [Post!]!
    authors: [Author!]!
  }
`;

interface Post {
  readonly id: string;
  readonly title: string | null;
  readonly rank: number | null;
  readonly authorId: string | null;
}

interface Author {
  readonly id: string;
  readonly name: string | null;
}

interface World {
  readonly posts: readonly Post[];
  readonly authors: readonly Author[];
}

const texts = fc.constantFrom("", "a", "b", "B", "ab", "10", "9", "é");
const ranks = fc.integer({ min: -1, max: 11 });
const worlds: fc.Arbitrary<World> = fc.record({
  authors: fc.array(fc.option(texts), { maxLength: 3 }),
  posts: fc.array(fc.tuple(fc.option(texts), fc.option(ranks), fc.nat(3)), { maxLength: 14 }),
}).map(({ authors, posts }) => ({
  authors: authors.map((name, index) => ({ id: String(index + 1), name })),
  posts: posts.map(([title, rank, author], index) => ({
    id: String(index + 1),
    title,
    rank,
    authorId: author < authors.length ? String(author + 1) : null,
  })),
}));

type Operators = Readonly<Record<string, unknown>>;
type Where = { readonly [name: string]: Where | readonly Where[] | Operators | undefined };

const textOperators = fc.oneof(
  fc.record({ _eq: texts }),
  fc.record({ _neq: texts }),
  fc.record({ _in: fc.array(texts, { maxLength: 4 }) }),
  fc.record({ _nin: fc.array(texts, { maxLength: 3 }) }),
  fc.record({ _gt: texts }),
  fc.record({ _gt: texts, _lte: texts }),
  fc.record({ _like: fc.constantFrom("%", "a%", "%b", "_", "__", "%0") }),
  fc.record({ _is_null: fc.boolean() }),
);
const rankOperators = fc.oneof(
  fc.record({ _eq: ranks }),
  fc.record({ _neq: ranks }),
  fc.record({ _in: fc.array(ranks, { maxLength: 6 }) }),
  fc.record({ _nin: fc.array(ranks, { maxLength: 3 }) }),
  fc.record({ _lt: ranks }),
  fc.record({ _lt: ranks, _gte: ranks }),
  fc.record({ _is_null: fc.boolean() }),
);
/** Mostly omitted, so that some records match. */
const few = <Value>(value: fc.Arbitrary<Value>) =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value });

const { where: wheres } = fc.letrec<{ where: Where; author: Where }>((tie) => ({
  where: fc.record({
    title: few(textOperators),
    rank: few(rankOperators),
    author: few(tie("author")),
    _and: few(fc.array(tie("where"), { maxLength: 2 })),
    _or: few(fc.array(tie("where"), { minLength: 1, maxLength: 3 })),
    _not: few(tie("where")),
  }, { requiredKeys: [], noNullPrototype: true }) as fc.Arbitrary<Where>,
  author: fc.record({
    name: few(textOperators),
    posts: few(tie("where")),
    _not: few(tie("author")),
  }, { requiredKeys: [], noNullPrototype: true }) as fc.Arbitrary<Where>,
}));

const directions = fc.constantFrom("asc", "desc");
const orders = fc.array(
  fc.oneof(
    fc.record({ title: directions }),
    fc.record({ rank: directions }),
    fc.record({ author: fc.record({ name: directions }) }),
  ),
  { maxLength: 3 },
);

interface Request {
  readonly where?: Where | undefined;
  readonly order_by?: readonly Readonly<Record<string, unknown>>[] | undefined;
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
}

const requests: fc.Arbitrary<Request> = fc.record({
  where: fc.option(wheres, { nil: undefined }),
  order_by: fc.option(orders, { nil: undefined }),
  limit: few(fc.nat(6)),
  offset: few(fc.nat(6)),
});

/** SQL's three-valued logic: `null` is unknown. */
type Truth = boolean | null;

const not = (truth: Truth): Truth => truth === null ? null : !truth;
const and = (truths: readonly Truth[]): Truth =>
  truths.includes(false) ? false : truths.includes(null) ? null : true;
const or = (truths: readonly Truth[]): Truth =>
  truths.includes(true) ? true : truths.includes(null) ? null : false;

function fitsOperator(value: string | number | null, [name, wanted]: [string, unknown]): Truth {
  if (name === "_is_null") return (value === null) === wanted;
  if (value === null) return null;
  switch (name) {
    case "_eq":
      return value === wanted;
    case "_neq":
      return value !== wanted;
    case "_in":
      return (wanted as unknown[]).includes(value);
    case "_nin":
      return !(wanted as unknown[]).includes(value);
    case "_gt":
      return value > (wanted as string);
    case "_gte":
      return Number(value) >= Number(wanted);
    case "_lt":
      return Number(value) < Number(wanted);
    case "_lte":
      return value <= (wanted as string);
    default:
      return fitsLike(String(value), String(wanted));
  }
}

function fitsLike(text: string, pattern: string): boolean {
  if (pattern === "") return text === "";
  if (pattern[0] === "%") {
    return Array.from({ length: text.length + 1 }, (_, start) => text.slice(start))
      .some((rest) => fitsLike(rest, pattern.slice(1)));
  }
  return text !== "" && (pattern[0] === "_" || pattern[0] === text[0]) &&
    fitsLike(text.slice(1), pattern.slice(1));
}

function fits(world: World, record: Post | Author, where: Where): Truth {
  return and(
    Object.entries(where).map(([name, wanted]): Truth => {
      if (wanted === undefined) return true;
      const parts = [wanted].flat().map((part) => part as Where);
      switch (name) {
        case "_and":
          return and(parts.map((part) => fits(world, record, part)));
        case "_or":
          return or(parts.map((part) => fits(world, record, part)));
        case "_not":
          return not(fits(world, record, wanted as Where));
        case "author":
        case "posts":
          return relatedTo(world, record, name)
            .some((other) => fits(world, other, wanted as Where) === true);
        default: {
          const value = Reflect.get(record, name) as string | number | null;
          return and(Object.entries(wanted).map((operator) => fitsOperator(value, operator)));
        }
      }
    }),
  );
}

function relatedTo({ posts, authors }: World, record: Post | Author, name: string) {
  return name === "author"
    ? authors.filter(({ id }) => "authorId" in record && id === record.authorId)
    : posts.filter(({ authorId }) => authorId === record.id);
}

function compare(world: World, one: Post, other: Post, order: Readonly<Record<string, unknown>>) {
  const [[name = "", direction]] = Object.entries(order) as [[string, unknown]];
  const valueOf = (post: Post) =>
    name === "author"
      ? world.authors.find(({ id }) => id === post.authorId)?.name ?? null
      : Reflect.get(post, name) as string | number | null;
  const [left, right] = [valueOf(one), valueOf(other)];
  const sign = (typeof direction === "object" ? Object.values(direction!)[0] : direction) === "asc"
    ? 1
    : -1;
  if (left === null || right === null) {
    return sign * (Number(left === null) - Number(right === null));
  }
  return sign * (left < right ? -1 : left > right ? 1 : 0);
}

function naive(world: World, posts: readonly Post[], request: Request): { id: string }[] {
  const fitting = posts.filter((post) => fits(world, post, request.where ?? {}) === true);
  const sorted = [...fitting].sort((one, other) => {
    const orders = request.order_by?.map((order) => compare(world, one, other, order)) ?? [];
    return orders.find((order) => order !== 0) ?? fitting.indexOf(one) - fitting.indexOf(other);
  });
  const offset = request.offset ?? 0;
  return sorted.slice(offset, offset + (request.limit ?? Infinity)).map(({ id }) => ({ id }));
}

const QUERY = `query ($where: PostExp, $order_by: [PostOrder!], $limit: Int, $offset: Int) {
  posts(where: $where, order_by: $order_by, limit: $limit, offset: $offset) { id }
  authors { posts(where: $where, order_by: $order_by, limit: $limit, offset: $offset) { id } }
}`;

Deno.test("filters, orders and pages equal those of a naive reference, with plans and with graphql-js", () => {
  const count = { planned: 0, all: 0, some: 0 };
  const isPlanned = (world: World, request: Request): boolean => {
    const rows = (name: "posts") => (author: Author) =>
      world[name].filter(({ authorId }) => authorId === author.id);
    const mock = createPlannedMock(SCHEMA, {
      conventions: { filtering: true, ordering: true, paging: true },
      data: {
        posts: world.posts.map((post) => ({ ...post })),
        authors: world.authors.map((author) => ({
          ...author,
          postIds: rows("posts")(author).map(({ id }) => id),
        })),
      },
    });
    const variables = JSON.parse(JSON.stringify(request));
    const expected = {
      posts: naive(world, world.posts, variables),
      authors: world.authors.map((author) => ({
        posts: naive(world, rows("posts")(author), variables),
      })),
    };
    const { data, errors } = mock.executed(QUERY, variables);
    deepStrictEqual(errors, undefined);
    deepStrictEqual(JSON.parse(JSON.stringify(data)), expected);
    const planned = mock.planned(QUERY, variables);
    if (planned !== undefined) deepStrictEqual(JSON.parse(JSON.stringify(planned)), expected);
    count.all++;
    const isSome = expected.posts.length > 0 && expected.posts.length < world.posts.length;
    if (isSome && request.where !== undefined) count.some++;
    if (planned !== undefined) count.planned++;
    return planned !== undefined;
  };
  for (const [world, request] of fc.sample(fc.tuple(worlds, requests), COUNTED)) {
    isPlanned(world, request);
  }
  ok(count.some > 0.1 * count.all, `${count.some} of ${count.all} answered some of the records`);
  ok(count.planned === count.all, `${count.planned} of ${count.all} were planned`);
  fc.assert(fc.property(worlds, requests, isPlanned), { numRuns: RUNS * 5 });
});
