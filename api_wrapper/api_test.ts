import { deepStrictEqual, match, rejects, strictEqual } from "node:assert/strict";
import axios, { type AxiosRequestConfig } from "axios";
import { api, type ApiInstance } from "./api.ts";
import { createHeldAdapter } from "./testing/held_adapter.ts";
import { servePostsSite } from "./testing/posts_site.ts";

Deno.test("api() reads, adds, replaces, changes and removes entries of a real server", async () => {
  await using site = servePostsSite();
  const posts = api("/posts", axios.create({ baseURL: site.url }));
  strictEqual((await posts.post({ title: "New" })).status, 201);
  deepStrictEqual((await posts.get(4)).data, { id: 4, title: "New" });
  deepStrictEqual((await posts.put(4, { title: "Put" })).data, { id: 4, title: "Put" });
  deepStrictEqual((await posts.patch("4", { title: "Patched" })).data, { id: 4, title: "Patched" });
  strictEqual((await posts.delete(4)).status, 204);
  strictEqual((await posts.get<unknown[]>()).data.length, 3);
  strictEqual((await posts.get("?page=2")).status, 200);
  deepStrictEqual(site.seen, [
    "POST /posts",
    "GET /posts/4",
    "PUT /posts/4",
    "PATCH /posts/4",
    "DELETE /posts/4",
    "GET /posts",
    "GET /posts?page=2",
  ]);
});

Deno.test("api() accepts an absolute URL, whatever the instance's base URL", async () => {
  await using site = servePostsSite();
  const posts = api(`${site.url}/posts/`, axios.create({ baseURL: "http://127.0.0.1:9/no" }));
  strictEqual((await posts.get(1)).status, 200);
  deepStrictEqual(site.seen, ["GET /posts/1"]);
});

Deno.test("api() rejects with the client's own error, including its response", async () => {
  await using site = servePostsSite();
  const failed = api("/posts", axios.create({ baseURL: site.url })).get(99);
  await rejects(failed, (error) => {
    strictEqual(axios.isAxiosError(error) && error.response?.status, 404);
    return true;
  });
});

Deno.test("api() passes on the whole config and data, and sets method, URL and signal", () => {
  const { instance, held } = createHeldAdapter();
  const posts = api("/posts", instance);
  const config: AxiosRequestConfig = {
    headers: { "x-a": "b" },
    params: { page: 2 },
    timeout: 5,
    method: "put",
    url: "/no",
  };
  posts.get(0, config);
  posts.post(null, config);
  posts.put(1, { a: 1 }, config);
  posts.patch(2, "text", config);
  posts.delete(3, { ...config, data: { why: "old" } });
  const got = held.map(({ config: { method, url, data, params, timeout, headers } }) => {
    deepStrictEqual([params, timeout, headers["x-a"]], [{ page: 2 }, 5, "b"]);
    return [method, url, data];
  });
  deepStrictEqual(got, [
    ["get", "/posts/0", undefined],
    ["post", "/posts", null],
    ["put", "/posts/1", '{"a":1}'],
    ["patch", "/posts/2", "text"],
    ["delete", "/posts/3", '{"why":"old"}'],
  ]);
  deepStrictEqual(config.url, "/no");
});

Deno.test("put() and patch() without a path go to the module's own URL, as get() does", () => {
  const { instance, held } = createHeldAdapter();
  const profile = api("/profile", instance);
  for (const path of ["", undefined]) {
    profile.get(path);
    profile.put(path, { a: 1 });
    profile.patch(path, { b: 2 }, { params: { page: 2 } });
  }
  profile.put("?force=1", { a: 1 });
  const twice = [
    ["get", "/profile", undefined],
    ["put", "/profile", '{"a":1}'],
    ["patch", "/profile", '{"b":2}'],
  ];
  deepStrictEqual(
    held.map(({ config: { method, url, data } }) => [method, url, data]),
    [...twice, ...twice, ["put", "/profile?force=1", '{"a":1}']],
  );
  deepStrictEqual(held[2]?.config.params, { page: 2 });
});

Deno.test("delete() sends nothing unless its URL names more than the module", async () => {
  const { instance, held } = createHeldAdapter();
  const posts = untyped("/posts", instance);
  for (const path of ["", undefined, null, NaN, "/", "//", "?a=1", "/?a=1", "#a"]) {
    await rejects(posts.delete(path), TypeError);
  }
  strictEqual(held.length, 0);
  for (const path of [0, "0", "/7", "//7?a=1", "7#a"]) posts.delete(path);
  const urls = held.map(({ config }) => config.url);
  deepStrictEqual(urls, ["/posts/0", "/posts/0", "/posts/7", "/posts/7?a=1", "/posts/7#a"]);
});

Deno.test("api() methods work when detached from their object", async () => {
  const { instance, held } = createHeldAdapter();
  const { get } = api("/posts", instance);
  const answer = get<string>(1);
  held[0]?.answer("one");
  strictEqual((await answer).data, "one");
});

/** Arguments that the types reject, but that JavaScript or a wrong cast can still pass. */
// deno-lint-ignore no-explicit-any
const untyped = (base?: unknown, instance: ApiInstance = createHeldAdapter().instance): any =>
  api(base as string, instance);

const REFUSED: readonly [name: string, call: () => Promise<unknown>][] = [
  ["put() with null", () => untyped("/posts").put(null, {})],
  ["put() with NaN", () => untyped("/posts").put(NaN, {})],
  ["patch() with null", () => untyped("/posts").patch(null, { a: 1 })],
  ["delete() with undefined", () => untyped("/posts").delete(undefined)],
  ["delete() with null", () => untyped("/posts").delete(null)],
  ["delete() with NaN", () => untyped("/posts").delete(NaN)],
  ["delete() with slashes and a query", () => untyped("/posts").delete("//?force=1")],
  ["delete() with half a character", () => untyped("/posts").delete("\ud800")],
  ["delete() without an id", () => untyped("/posts").delete()],
  ["delete() with an empty id", () => untyped("/posts").delete("")],
  ["delete() with only a slash", () => untyped("/posts").delete("/")],
  ["delete() with only a query", () => untyped("/posts").delete("?force=1")],
  ["delete() with only a fragment", () => untyped("/posts").delete("#a")],
  ["get() with null", () => untyped("/posts").get(null)],
  ["get() with NaN", () => untyped("/posts").get(NaN)],
  ["get() with Infinity", () => untyped("/posts").get(Infinity)],
  ["get() with an object", () => untyped("/posts").get({ id: 1 })],
  ["get() with a list", () => untyped("/posts").get([1])],
  ["get() with a boolean", () => untyped("/posts").get(true)],
  ["get() with a symbol", () => untyped("/posts").get(Symbol("id"))],
  ["get() with half a character", () => untyped("/posts").get("\ud800")],
  ["put() with half a character", () => untyped("/posts").put("\ud800", {})],
  ["get() with dot segments", () => untyped("/posts").get("../users")],
  ["get() with a config of null", () => untyped("/posts").get(1, null)],
  ["get() with a signal that is not one", () => untyped("/posts").get(1, { signal: "no" })],
  ["get() of a module without a URL", () => untyped().get(1)],
  ["get() of a module whose URL is not a string", () => untyped({}).get(1)],
  ["get() of a module without an instance", () => (api as typeof untyped)("/posts").get(1)],
];

for (const [name, call] of REFUSED) {
  Deno.test(`api() rejects ${name} and throws nothing`, async () => {
    const refused = call();
    strictEqual(refused instanceof Promise, true);
    await rejects(refused, TypeError);
  });
}

Deno.test("api() names the method, the id and the module when it rejects", async () => {
  const refused = untyped("/posts").delete(undefined);
  await rejects(refused, (error) => {
    strictEqual(error instanceof TypeError, true);
    match(String(error), /^TypeError: Cannot delete "\/posts\/": bad path$/);
    return true;
  });
});

Deno.test("api() rejects if a client throws synchronously", async () => {
  const request = () => {
    throw new Error("thrown");
  };
  await rejects(api("/posts", { request }).get(), /^Error: thrown$/);
});
