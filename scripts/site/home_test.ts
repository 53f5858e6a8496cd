import { ok, strictEqual, throws } from "node:assert/strict";
import { firstSentence, homePage } from "./home.ts";

const README = `# Box

Keeps things
together.

![A box](/pictures/box.webp)

| for                                            | install                               |
| ---------------------------------------------- | ------------------------------------- |
| **movers**: [big-box](/big-box/), a large box  | \`npm install big-box\`, or [else](/b) |

## Use

Open it.
`;

const BIG = "# @x/big-box\n\nHolds [all](/all) of 1.5 rooms, when\npacked. It is heavy.\n";

Deno.test("homePage() has a card for each row of the table, between what is around it", () => {
  const action = { text: "Go", link: "/go/", target: "_self" } as const;
  const page = homePage({ readme: README, components: { "big-box/": BIG } }, [action]);
  const [, facts = "{}", ...rest] = page.split("---\n");
  const { layout, tagline, actions } = JSON.parse(facts);
  strictEqual(layout, "HomePage");
  strictEqual(tagline, "Keeps things together.");
  strictEqual(JSON.stringify(actions), JSON.stringify([action]));
  const text = rest.join("---\n");
  ok(text.includes("For movers"));
  ok(text.includes("[big-box](/big-box/)"));
  ok(
    text.includes(
      "\n\nHolds [all](/all) of 1.5 rooms, when packed.\n\n```sh\nnpm install big-box\n```",
    ),
  );
  ok(text.indexOf("</div>\n\n![A box]") > 0 && text.endsWith("## Use\n\nOpen it.\n"));
});

Deno.test("homePage() reports a README that it can't read", () => {
  const components = { "big-box/": BIG };
  throws(() => homePage({ readme: "# Box\n\nA.\n", components }, []), {
    name: "RangeError",
    message: "Cannot find the components in README.md: no table",
  });
  throws(() => homePage({ readme: README, components: {} }, []), {
    name: "RangeError",
    message: /^Cannot read the component "\*\*movers\*\*/,
  });
});

Deno.test("firstSentence() is what a page says first, on one line", () => {
  strictEqual(firstSentence(BIG), "Holds [all](/all) of 1.5 rooms, when packed.");
  strictEqual(firstSentence("# A\n\nWithout an end\n"), "Without an end");
  for (const none of ["# A\n", "# A\n\n## B\n\nC.\n", "# A\n\n```sh\nls\n```\n"]) {
    strictEqual(firstSentence(none), "");
  }
});
