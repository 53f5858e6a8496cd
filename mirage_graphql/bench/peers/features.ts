import { deepStrictEqual } from "node:assert/strict";
import { createSubjects, type GraphQLBody, type Subject } from "./subjects.ts";

/** A feature that a mock has if it needs no resolver for it. */
interface Feature {
  readonly name: string;
  /** The requests, in their order: bodies, or forms of multipart requests. */
  readonly requests: readonly (GraphQLBody | FormData)[];
  /** A subscription that starts before the requests. */
  readonly subscription?: string;
  /** The data of the last response, or of the subscription's first event. */
  readonly expected: unknown;
}

const CREATE: GraphQLBody = {
  query: "mutation ($input: PostInput!) { createPost(input: $input) { id } }",
  variables: { input: { title: "New", authorId: "2" } },
};

const FEATURES: readonly Feature[] = [
  {
    name: "lists of known records",
    requests: [{ query: "{ people { name } }" }],
    expected: { people: [{ name: "Ada" }, { name: "Grace" }] },
  },
  {
    name: "relations",
    requests: [{ query: "{ people { posts { title author { name } } } }" }],
    expected: {
      people: [{ posts: [{ title: "Notes", author: { name: "Ada" } }] }, { posts: [] }],
    },
  },
  {
    name: "filters",
    requests: [{ query: `{ people(name: "Ada") { name } }` }],
    expected: { people: [{ name: "Ada" }] },
  },
  {
    name: "Relay pages",
    requests: [{
      query: "{ page(first: 1) { edges { node { name } } pageInfo { hasNextPage } } }",
    }],
    expected: { page: { edges: [{ node: { name: "Ada" } }], pageInfo: { hasNextPage: true } } },
  },
  {
    name: "mutations, seen by later queries",
    requests: [CREATE, { query: "{ posts { title } }" }],
    expected: { posts: [{ title: "Notes" }, { title: "New" }] },
  },
  {
    name: "both sides of a relation after a mutation",
    requests: [CREATE, { query: "{ people { posts { title } } }" }],
    expected: { people: [{ posts: [{ title: "Notes" }] }, { posts: [{ title: "New" }] }] },
  },
  {
    name: "subscriptions to mutations",
    subscription: "subscription { postCreated { title } }",
    requests: [CREATE],
    expected: { postCreated: { title: "New" } },
  },
  {
    name: "uploads",
    requests: [uploadForm()],
    expected: { createPost: { cover: `data:text/plain;base64,${btoa("one")}` } },
  },
];

function uploadForm(): FormData {
  const query =
    `mutation ($cover: Upload) { createPost(input: { title: "New", cover: $cover }) { cover } }`;
  const form = new FormData();
  form.set("operations", JSON.stringify({ query, variables: { cover: null } }));
  form.set("map", JSON.stringify({ 0: ["variables.cover"] }));
  form.set("0", new File(["one"], "a.txt", { type: "text/plain" }));
  return form;
}

/** Tries each feature with each mock, and returns the table of what works without a resolver. */
export async function featureTable(): Promise<readonly string[]> {
  const subjects = await createSubjects();
  const rows: string[] = [];
  for (const feature of FEATURES) {
    const cells = [];
    for (const create of subjects.values()) cells.push(await has(create(), feature) ? "yes" : "no");
    rows.push(`| ${[feature.name, ...cells].join(" | ")} |`);
  }
  const names = [...subjects.keys()];
  const head = `| without a resolver | ${names.join(" | ")} |`;
  return [head, `| --- | ${names.map(() => "---").join(" | ")} |`, ...rows];
}

async function has(
  subject: Subject,
  { requests, subscription, expected }: Feature,
): Promise<boolean> {
  try {
    const event = subscription === undefined
      ? undefined
      : subject.firstEvent({ query: subscription });
    let answer: unknown;
    for (const request of requests) answer = await subject.send(request);
    const data = event === undefined ? answer : await event;
    deepStrictEqual(JSON.parse(JSON.stringify(data ?? null)), expected);
    return true;
  } catch {
    return false;
  }
}
