import { match, strictEqual } from "node:assert/strict";
import fc from "fast-check";
import { joinUrl } from "./join_url.ts";

const JOINS: readonly [base: string, url: string, joined: string][] = [
  ["/posts", "7", "/posts/7"],
  ["/posts/", "7", "/posts/7"],
  ["/posts", "/7", "/posts/7"],
  ["/posts//", "//7", "/posts/7"],
  ["posts", "7", "posts/7"],
  ["", "7", "/7"],
  ["/", "7", "/7"],
  ["", "", ""],
  ["/posts", "", "/posts"],
  ["/posts/", "", "/posts/"],
  ["/posts", "/", "/posts"],
  ["/posts", "0", "/posts/0"],
  ["/posts", "7/comments", "/posts/7/comments"],
  ["/posts", "7/", "/posts/7/"],
  ["/posts", "7//8", "/posts/7//8"],
  ["/a//b", "7", "/a//b/7"],
  ["https://example.org", "7", "https://example.org/7"],
  ["https://example.org/", "7", "https://example.org/7"],
  ["https://example.org/v1/posts", "7", "https://example.org/v1/posts/7"],
  ["http://[::1]:8080/posts", "7", "http://[::1]:8080/posts/7"],
  ["//example.org/posts", "7", "//example.org/posts/7"],
  ["/posts", "?page=2", "/posts?page=2"],
  ["/posts/", "?page=2", "/posts/?page=2"],
  ["/posts", "7?a=b/c&d=e f#g", "/posts/7?a=b/c&d=e f#g"],
  ["/posts", "#top", "/posts#top"],
  ["/posts", "7#a?b", "/posts/7#a?b"],
  ["/posts?tenant=1", "", "/posts?tenant=1"],
  ["/posts?tenant=1", "7", "/posts/7?tenant=1"],
  ["/posts/?tenant=1", "7?page=2", "/posts/7?tenant=1&page=2"],
  ["/posts?tenant=1", "7#a?b", "/posts/7?tenant=1#a?b"],
  ["/posts#top", "?page=2", "/posts?page=2"],
  ["/posts?tenant=1#top", "7?page=2#a", "/posts/7?tenant=1&page=2#a"],
  ["/posts", "a b", "/posts/a%20b"],
  ["/posts", "ä/ö", "/posts/%C3%A4/%C3%B6"],
  ["/posts", "100%", "/posts/100%25"],
  ["/posts", "100%25", "/posts/100%25"],
  ["/posts", "%%41%4", "/posts/%25%41%254"],
  ["/posts", "a\\b", "/posts/a%5Cb"],
  ["/posts", '[1]|^`{}<>"', "/posts/%5B1%5D%7C%5E%60%7B%7D%3C%3E%22"],
  ["/posts", "a\tb\nc", "/posts/a%09b%0Ac"],
  ["/posts", "$&'()*+,;=:@!~-._", "/posts/$&'()*+,;=:@!~-._"],
  ["/posts", "https://example.com/x", "/posts/https://example.com/x"],
  ["", "//example.com", "/example.com"],
  ["", "https://example.com", "/https://example.com"],
  ["/posts", "...", "/posts/..."],
  ["/posts", ".a/b..", "/posts/.a/b.."],
  ["/posts", "a%2fb%5Cc", "/posts/a%2fb%5Cc"],
  ["/posts", "%252e%252e", "/posts/%252e%252e"],
  ["/posts", "7?from=..", "/posts/7?from=.."],
];

for (const [base, url, joined] of JOINS) {
  Deno.test(`joinUrl() joins "${base}" and "${url}" to "${joined}"`, () => {
    strictEqual(joinUrl(base, url), joined);
  });
}

const DOTS = [".", "..", "../users", "7/..", "7/./8", "%2e", "%2E%2e/x", ".%2E", "/../x", "..?a=1"];
const ENCODED_SLASHES = ["..%2fusers", "7%2F..", "7%2f%2e%2E%2Fx", "..%5cusers", "..\\users"];

for (const url of ENCODED_SLASHES) {
  Deno.test(`joinUrl() rejects "${url}", which servers decode to dot segments`, () => {
    strictEqual(joinUrl("/posts", url), undefined);
  });
}

for (const url of DOTS) {
  Deno.test(`joinUrl() rejects the dot segments of "${url}"`, () => {
    strictEqual(joinUrl("/posts", url), undefined);
    strictEqual(joinUrl(`/${url.replace(/\?.*/, "")}`, "7"), undefined);
  });
}

/** Any text, with `/`, `.` and `%` more likely than other characters. */
const text = fc.array(
  fc.oneof(fc.constantFrom("/", ".", "%", "%2e", "\\", "a"), fc.string({ unit: "binary" })),
).map((parts) => parts.join(""));
const path = text.map((value) => value.replace(/[?#]/g, ""));
const slashes = fc.nat(3).map((count) => "/".repeat(count));

Deno.test("joinUrl() joins with one slash, however many there are", () => {
  fc.assert(fc.property(slashes, slashes, path, (before, after, value) => {
    const id = `7${value}`;
    strictEqual(joinUrl(`/posts${before}`, after + id), joinUrl("/posts", id));
  }));
});

Deno.test("joinUrl() never leaves the base, whatever the path", () => {
  fc.assert(fc.property(text, (value) => {
    const joined = joinUrl("https://example.org/v1/posts", value);
    if (joined === undefined) return;
    const { origin, pathname } = new URL(joined);
    strictEqual(origin, "https://example.org");
    match(pathname, /^\/v1\/posts(\/|$)/);
  }));
});

Deno.test("joinUrl() never leaves the base of a server that decodes the path first", () => {
  const encoded = fc.constantFrom("%2f", "%5C", "%2e", "..", "\\", "/", "a");
  fc.assert(fc.property(fc.array(encoded), (parts) => {
    const joined = joinUrl("https://example.org/v1/posts", parts.join(""));
    if (joined === undefined) return;
    match(new URL(decodeURIComponent(joined)).pathname, /^\/v1\/posts(\/|$)/);
  }));
});

Deno.test("joinUrl() leaves only characters that a path may contain, and loses none", () => {
  fc.assert(fc.property(path, (value) => {
    const joined = joinUrl("", `/${value}`) ?? "";
    match(joined, /^([\w\-.~!$&'()*+,;=:@/]|%[\da-f]{2})*$/i);
    if (!/%[\da-f]{2}/i.test(value) && joined !== "") {
      strictEqual(decodeURIComponent(joined), `/${value.replace(/^\/+/, "")}`);
    }
  }));
});

Deno.test("joinUrl() changes nothing in a path that it has returned", () => {
  fc.assert(fc.property(text, (value) => {
    const joined = joinUrl("", value) ?? "";
    strictEqual(joinUrl("", joined), joined);
  }));
});

Deno.test("joinUrl() keeps query and fragment unchanged", () => {
  fc.assert(fc.property(text, (value) => {
    strictEqual(joinUrl("/posts", `7?${value}`), `/posts/7?${value}`);
    strictEqual(joinUrl("/posts", `#${value}`), `/posts#${value}`);
  }));
});
