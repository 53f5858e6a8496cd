import { deepStrictEqual, match, ok, rejects } from "node:assert/strict";
import { headingNames } from "../../test_support/markdown.ts";
import { createRepository } from "../testing/create_repository.ts";
import { apiReference } from "./api_reference.ts";

const MODULE = `/**
 * Boxes, and what opens them: \`box/**\\/*.ts\`.
 *
 * @module
 */

/** What {@linkcode open} takes, not a {@linkcode Lid}. */
export interface Box<Content = string> {
  /** What is in it. */
  readonly content: Content;
}

/**
 * Opens a box.
 *
 * @param box The box, closed.
 * @throws {TypeError} If it is open.
 * @see https://example.org/boxes
 *
 * @example Open it
 * \`\`\`ts
 * open({ content: "a" });
 * \`\`\`
 */
export function open(box: Box): string {
  return box.content;
}

/** Counts what it opens. */
export class Opener {
  #count = 0;
  private readonly secret = 1;
  /** How many it has opened. */
  get count(): number {
    return this.#count + this.secret;
  }
}

/** The most boxes. */
export const MOST: number = 3;
`;

Deno.test("apiReference() shows what an entry exports, as its JSDoc describes it", async () => {
  await using root = await createRepository({
    "box/mod.ts": MODULE,
    "box/all/more.ts": 'export { type Box, open } from "../mod.ts";\n',
  });
  const entries = new Map([["box/mod.ts", "@x/box"], ["box/all/more.ts", "@x/box/more"]]);
  const pages = await apiReference(root.path, entries);
  const page = pages.get("box/mod.ts") ?? "";
  ok(
    page.startsWith(
      "# API of @x/box\n\nBoxes, and what opens them: `box/**/*.ts`.\n\n## Functions\n",
    ),
  );
  deepStrictEqual(headingNames(page, 3), ["open", "opener", "most", "box"]);
  ok(page.includes(`### open()

Opens a box.

\`\`\`ts
function open(box: Box): string;
\`\`\`

- \`box\`: The box, closed.
- throws \`TypeError\` If it is open.

Open it:

\`\`\`ts
open({ content: "a" });
\`\`\`

See <https://example.org/boxes>
`));
  ok(page.includes("What [`open`](#open) takes, not a `Lid`."));
  match(page, /interface Box<Content = string> \{\n {2}\/\*\* What is in it. \*\/\n/);
  match(page, /class Opener \{\n {2}\/\*\* How many.+\n {2}get count\(\): number;\n\}/);
  ok(page.includes("const MOST: number;"));
  deepStrictEqual(
    pages.get("box/all/more.ts"),
    "# API of @x/box/more\n\nIt also exports [`Box`](../mod.ts#box), [`open`](../mod.ts#open).\n",
  );
});

Deno.test("apiReference() reports an entry that can't be read", async () => {
  await using root = await createRepository({});
  await rejects(
    apiReference(root.path, new Map([["none.ts", "@x/none"]])),
    /^Error: Cannot read the documentation: /,
  );
});
