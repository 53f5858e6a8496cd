import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { findMentions, withVersion } from "./mentions.ts";

const TEXT = `# @x/a

import { b } from "@x/a/deep/er";
npm i @x/a@0.1.0 ./dist/npm/x-a-0.1.0.tgz
"npm:@x/a@^0.1.0/core", @x/a-b@~1.2.3, @y/a@0.1.0, @x/a@latest
{ "@x/a": "^0.1.0", "@x/b":"~0.1.0" }
`;

Deno.test("findMentions() finds names, versions and entries of a scope's packages", () => {
  deepStrictEqual(findMentions(TEXT, "x"), [
    { name: "@x/a", version: undefined, entry: ".", line: 1 },
    { name: "@x/a", version: undefined, entry: "./deep/er", line: 3 },
    { name: "@x/a", version: "0.1.0", entry: ".", line: 4 },
    { name: "@x/a", version: "0.1.0", entry: ".", line: 4 },
    { name: "@x/a", version: "0.1.0", entry: "./core", line: 5 },
    { name: "@x/a-b", version: "1.2.3", entry: ".", line: 5 },
    { name: "@x/a", version: undefined, entry: ".", line: 5 },
    { name: "@x/a", version: "0.1.0", entry: ".", line: 6 },
    { name: "@x/b", version: "0.1.0", entry: ".", line: 6 },
  ]);
});

Deno.test("withVersion() changes the versions of one package and nothing else", () => {
  strictEqual(
    withVersion(TEXT, "@x/a", "0.2.0"),
    TEXT.replace("@x/a@0.1.0", "@x/a@0.2.0").replace("x-a-0.1.0", "x-a-0.2.0")
      .replace("@^0.1.0", "@^0.2.0").replace('": "^0.1.0', '": "^0.2.0'),
  );
});
