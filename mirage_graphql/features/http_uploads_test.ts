import { deepStrictEqual, match, rejects, strictEqual, throws } from "node:assert/strict";
import { createServer } from "miragejs";
import { createFetchHandler, type MockFetchHandlerOptions } from "../mock/fetch_handler.ts";
import { createGraphQLHandler } from "../mock/handler.ts";
import { createFetchInterceptor } from "../intercept/fetch_interceptor.ts";

const SCHEMA = `
  scalar Upload
  scalar URL
  type Post {
    id: ID! title: String cover: URL coverName: String pictures: [String!] comments: [Comment!]!
  }
  type Comment { id: ID! attachment: String filename: String post: Post }
  input CommentInput { attachment: Upload, filename: String }
  input PostInput {
    title: String, cover: Upload, pictures: [Upload!], comments: [CommentInput!]
  }
  type Query { posts: [Post!]! }
  type Mutation {
    createPost(input: PostInput!): Post!
    describe(file: Upload!, files: [Upload!]): String!
  }
`;
const POST = "{ title cover coverName pictures comments { attachment filename } }";
const CREATE = `mutation ($input: PostInput!) { createPost(input: $input) ${POST} }`;

/** A resolver gets the files themselves. */
const resolvers = {
  Mutation: {
    async describe(_: unknown, { file, files = [] }: { file: File; files?: File[] }) {
      const texts = await Promise.all(
        [file, ...files].map(async (one) => `${one.name} ${one.type} ${await one.text()}`),
      );
      return texts.join("; ");
    },
  },
};

function serve(options: MockFetchHandlerOptions = {}) {
  const { schema } = createServer({ environment: "test" });
  const handler = createFetchHandler(SCHEMA, schema, { resolvers, batch: true, ...options });
  return async (form: FormData) => {
    const request = new Request("http://localhost/graphql", { method: "POST", body: form });
    const response = await handler(request);
    return [response.status, await response.json()];
  };
}

function formOf(operations: unknown, map: unknown, files: readonly File[]): FormData {
  const form = new FormData();
  form.set("operations", typeof operations === "string" ? operations : JSON.stringify(operations));
  form.set("map", typeof map === "string" ? map : JSON.stringify(map));
  files.forEach((file, index) => form.set(String(index), file));
  return form;
}

const textFile = (name: string, text: string) => new File([text], name, { type: "text/plain" });
const A = textFile("a.txt", "one");
const B = textFile("b.txt", "two");
const A_URL = `data:text/plain;base64,${btoa("one")}`;
const B_URL = `data:text/plain;base64,${btoa("two")}`;

function uploadOf(input: object, map: Record<string, string[]>, files: readonly File[]): FormData {
  return formOf({ query: CREATE, variables: { input } }, map, files);
}

Deno.test("an uploaded file is stored as a data URL, with its name", async () => {
  const send = serve();
  const form = uploadOf({ title: "T", cover: null }, { 0: ["variables.input.cover"] }, [A]);
  const post = { title: "T", cover: A_URL, coverName: "a.txt", pictures: null, comments: [] };
  deepStrictEqual(await send(form), [200, { data: { createPost: post } }]);
});

Deno.test("uploaded files are stored in lists and nested records", async () => {
  const send = serve();
  const input = { pictures: [null, null], comments: [{ attachment: null }] };
  const map = {
    0: ["variables.input.pictures.0", "variables.input.comments.0.attachment"],
    1: ["variables.input.pictures.1"],
  };
  deepStrictEqual(await send(uploadOf(input, map, [A, B])), [200, {
    data: {
      createPost: {
        title: null,
        cover: null,
        coverName: null,
        pictures: [A_URL, B_URL],
        comments: [{ attachment: A_URL, filename: "a.txt" }],
      },
    },
  }]);
});

Deno.test("resolvers get uploaded files, in batches too", async () => {
  const send = serve();
  const query =
    "mutation ($file: Upload!, $files: [Upload!]) { describe(file: $file, files: $files) }";
  const one = { query, variables: { file: null } };
  const two = { query, variables: { file: null, files: [null] } };
  const map = { 0: ["0.variables.file", "1.variables.file"], 1: ["1.variables.files.0"] };
  deepStrictEqual(await send(formOf([one, two], map, [A, B])), [200, [
    { data: { describe: "a.txt text/plain one" } },
    { data: { describe: "a.txt text/plain one; b.txt text/plain two" } },
  ]]);
});

Deno.test("a file of more than 64 KiB is stored as an object URL", async () => {
  const send = serve();
  const large = textFile("large.txt", "x".repeat(65_537));
  const input = { cover: null };
  const [, body] = await send(uploadOf(input, { 0: ["variables.input.cover"] }, [large]));
  const { cover, coverName } = body.data.createPost;
  strictEqual(coverName, "large.txt");
  strictEqual(cover.startsWith("blob:"), true, cover);
  strictEqual((await (await fetch(cover)).text()).length, 65_537);
  URL.revokeObjectURL(cover);
});

Deno.test("an invalid multipart request is rejected with the reason", async () => {
  const send = serve();
  const fine = { query: CREATE, variables: { input: { cover: null, title: "T" } } };
  const cases: [operations: unknown, map: unknown, state: string][] = [
    ["{", {}, '"operations" is not JSON'],
    [fine, "{", '"map" is not JSON'],
    [fine, [], '"map" must be an object of lists of paths'],
    [fine, { 0: "variables.input.cover" }, '"map" must be an object of lists of paths'],
    [fine, { 7: ["variables.input.cover"] }, '"map" names the file "7", which is missing'],
    ...["variables.input.title", "variables.other", "__proto__.cover", "variables.input", ""].map((
      path,
    ): [unknown, unknown, string] => [
      fine,
      { 0: [path] },
      `"map" names "${path}", where "operations" has no null`,
    ]),
  ];
  for (const [operations, map, state] of cases) {
    const message = `Cannot read the multipart request: ${state}`;
    deepStrictEqual(await send(formOf(operations, map, [A])), [400, { errors: [{ message }] }]);
  }
  const message = 'Cannot read the multipart request: "operations" is missing';
  deepStrictEqual(await send(new FormData()), [400, { errors: [{ message }] }]);
});

Deno.test("number and size of files are limited, and so is the whole request", async () => {
  const send = serve({ maxFiles: 1, maxFileBytes: 3, maxBodyBytes: 4_000 });
  const map = { 0: ["variables.input.cover"] };
  const refused = async (files: readonly File[]) => {
    const [status, body] = await send(uploadOf({ cover: null }, map, files));
    return [status, body.errors?.[0].message];
  };
  deepStrictEqual(await refused([A]), [200, undefined]);
  deepStrictEqual(await refused([A, B]), [413, "Cannot take 2 files: maxFiles is 1"]);
  deepStrictEqual(await refused([textFile("c.txt", "four")]), [
    413,
    'Cannot take "c.txt": it has 4 bytes, maxFileBytes is 3',
  ]);
  deepStrictEqual(await refused([textFile("d.txt", "x".repeat(5_000))]), [
    413,
    "Cannot read the body: it is larger than 4003 bytes",
  ]);
  throws(() => serve({ maxFiles: 0 }), {
    name: "RangeError",
    message: 'Cannot use maxFiles "0": it must be an integer of at least 1',
  });
});

Deno.test("the parts of a form that are no files are limited as a body is", async () => {
  const send = serve({ maxBodyBytes: 1_000, maxFileBytes: 5_000 });
  const map = { 0: ["variables.input.cover"] };
  const large = textFile("large.txt", "x".repeat(5_000));
  const operations = { query: CREATE, variables: { input: { cover: null } } };
  strictEqual((await send(formOf(operations, map, [large])))[0], 200);
  const text = "é".repeat(400);
  const [status, { errors }] = await send(
    formOf({ ...operations, extensions: { text } }, map, [large]),
  );
  strictEqual(status, 413);
  match(errors[0].message, /without its files it has 1\d\d\d bytes, maxBodyBytes is 1000$/);
  const many = formOf(operations, map, [large]);
  for (let index = 0; index < 100; index++) many.append(`part${index}`, "0123456789");
  strictEqual((await send(many))[0], 413);
});

Deno.test("a body that only claims to be a form is rejected", async () => {
  const { schema } = createServer({ environment: "test" });
  const handler = createFetchHandler(SCHEMA, schema);
  const headers = { "Content-Type": "multipart/form-data; boundary=x" };
  const request = new Request("http://localhost/", { method: "POST", headers, body: "{}" });
  const response = await handler(request);
  strictEqual(response.status, 400);
  const { errors: [{ message }] } = await response.json();
  strictEqual(message.startsWith("Cannot read the multipart request: "), true, message);
});

Deno.test("a route of Mirage takes uploads through fetch", async () => {
  using interceptor = createFetchInterceptor();
  const { schema } = createServer({ ...interceptor, environment: "test" });
  interceptor.post("/graphql", createGraphQLHandler(SCHEMA, schema, { maxFiles: 1 }));
  const map = { 0: ["variables.input.cover"] };
  const form = uploadOf({ cover: null }, map, [A]);
  for (
    const response of [
      await fetch("/graphql", { method: "POST", body: form }),
      await fetch(new Request("http://localhost/graphql", { method: "POST", body: form })),
    ]
  ) {
    strictEqual((await response.json()).data.createPost.cover, A_URL);
  }
  const tooMany = uploadOf({ cover: null }, map, [A, B]);
  strictEqual((await fetch("/graphql", { method: "POST", body: tooMany })).status, 413);
  await rejects(fetch("/other", { method: "POST", body: form }));
});
