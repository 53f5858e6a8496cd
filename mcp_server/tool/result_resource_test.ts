import { deepStrictEqual, strictEqual, throws } from "node:assert/strict";
import * as fc from "fast-check";
import { buildResponse, toArguments, UriTemplate, withLink, withoutLinks } from "./result.ts";

const FILE = new UriTemplate("trestle://files{+path}{?line,lines}");
const JOB = new UriTemplate("trestle://jobs/{id}/{stream}");

Deno.test("UriTemplate matches its own URIs, and no others", () => {
  const cases: [UriTemplate, string, object | undefined][] = [
    [FILE, "trestle://files/srv/a.txt", { path: "/srv/a.txt" }],
    [FILE, "trestle://files/a%20b%3F?line=-20&lines=5", { path: "/a b?", line: "-20", lines: "5" }],
    [FILE, "trestle://files/a?line=", { path: "/a", line: "" }],
    [FILE, "trestle://files/a?line=1=2", { path: "/a", line: "1=2" }],
    [FILE, "trestle://files/a?other=1", undefined],
    [FILE, "trestle://files/a#part", undefined],
    [FILE, "trestle://files/%ff", undefined],
    [FILE, "trestle://files", undefined],
    [FILE, "TRESTLE://files/a", undefined],
    [FILE, "file:///srv/a.txt", undefined],
    [FILE, `trestle://files/${"a".repeat(10_000)}`, undefined],
    [JOB, "trestle://jobs/1/stdout", { id: "1", stream: "stdout" }],
    [JOB, "trestle://jobs/1/stdout/more", undefined],
    [JOB, "trestle://jobs//stdout", undefined],
    [JOB, "trestle://jobs/1/stdout?x=1", undefined],
    [JOB, "trestle://jobs/a%2Fb/stdout", { id: "a/b", stream: "stdout" }],
  ];
  for (const [template, uri, variables] of cases) {
    deepStrictEqual(template.match(uri), variables, uri.slice(0, 80));
  }
});

Deno.test("UriTemplate matches what it expands, whatever the variables are", () => {
  const text = fc.string({ unit: "binary", minLength: 1, maxLength: 50 });
  fc.assert(fc.property(text, text, text, (id, stream, path) => {
    deepStrictEqual({ ...JOB.match(JOB.expand({ id, stream })) }, { id, stream });
    deepStrictEqual({ ...FILE.match(FILE.expand({ path })) }, { path });
  }));
});

Deno.test("UriTemplate refuses expressions that it does not know", () => {
  for (const text of ["a://{#x}", "a://{x*}", "a://{", "a://x?y={y}", "a://{x:3}"]) {
    throws(() => new UriTemplate(text), /^TypeError: Cannot use the URI template "a:/);
  }
});

Deno.test("toArguments() makes numbers of what the schema calls integers", () => {
  const schema = { properties: { line: { type: "integer" }, path: { type: "string" } } };
  const args = toArguments({ line: "-3", path: "12", other: "7" }, schema);
  deepStrictEqual(args, { line: -3, path: "12", other: "7" });
  deepStrictEqual(toArguments({ line: "3.5" }, schema), { line: "3.5" });
});

Deno.test("withoutLinks() leaves what withLink() has added to", () => {
  const response = buildResponse({ a: 1 });
  const linked = withLink(response, { uri: "a://b", name: "b" });
  deepStrictEqual(linked.content[1], { type: "resource_link", uri: "a://b", name: "b" });
  deepStrictEqual(withoutLinks(linked), response);
  strictEqual(withoutLinks(response), response);
});
