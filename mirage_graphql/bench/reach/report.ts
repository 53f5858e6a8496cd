import type { Measured, Score } from "./measure.ts";

/** What was measured on one version of graphql. */
export interface VersionMeasured {
  readonly version: string;
  readonly measured: readonly Measured[];
}

const COLUMNS = ["schema", "builds", "served", "required", "optional", "answered", "sensible"];

/** Prints the page of the figures; `about` says when and on what they were measured. */
export function reportPage(versions: readonly VersionMeasured[], about: string): string {
  return [
    "# Reach",
    "How many schemas of public APIs, and requests to them, a mock supports without a line of " +
    "code: mirage-graphql compared with `@graphql-tools/mock`, which keeps no state. In a " +
    "checkout of the repository, this measures it and writes this page:",
    "```sh ignore\ngit clone https://github.com/trestle-tools/trestle && cd trestle\ndeno task reach\n```",
    [...versions.map(({ version }) => `graphql ${version}`), "Apps", "Schemas", "Limits"]
      .map((title) => `[${title}](#${title.toLowerCase().replaceAll(" ", "-")})`).join(" · "),
    EXPLANATION,
    about,
    ...versions.flatMap(({ version, measured }) => [
      `## graphql ${version}`,
      "Each pair is mirage-graphql / `@graphql-tools/mock`.",
      table(measured),
    ]),
    "## Apps",
    APPS,
    "## Schemas",
    schemaList(versions[0]?.measured ?? []),
    "## Limits",
    LIMITS,
  ].join("\n\n") + "\n";
}

const EXPLANATION =
  `- **builds**: \`createGraphQLHandler()\` accepts the schema; **served**: \`serve\` does.
- **required**, **optional**: random queries without an error, of those with required arguments
  only, and of those with optional ones. They are the same for a seed, up to four levels deep, with
  fragments and variables, and mostly use values that some record has; cursors are left out.
- **answered**: operations from the documentation of the API, or in its style, without an error;
  **sensible**: those whose data are what the records and the arguments imply. For the small
  schemas that means exactly the expected records, including the query after a mutation.
- Records are those that \`serve\` generates; the small schemas have their own. The options are
  \`serve\`'s: \`conventions: "common"\`, \`unknownArguments: "ignore"\`, \`defaults: "generate"\`.`;

/** Counted by hand: the documents of the apps are not kept. */
const APPS =
  `The operations of public front ends, against their own schemas, with sample records and made-up
variables, each mutation on fresh records. What is counted is an answer without an error; every
query answered, and every subscription unless a number says so. A mutation without an answer is an
error that names its resolver.

| app                                | queries | mutations  | subscriptions |
| ---------------------------------- | ------- | ---------- | ------------- |
| Stash                              | 71      | 93 of 119  | 3             |
| Saleor storefront                  | 24      | 19 of 35   |               |
| RealWorld, lifeiscontent's         | 10      | 24 of 24   |               |
| Vendure starter                    | 17      | 14 of 20   |               |
| vercel/commerce                    | 10      | 4 of 4     |               |
| Hasura's todos                     | 3       | 4 of 5     | 2             |
| Hackernews, howtographql's         | 2       | 4 of 4     | 2             |
| Relay issue tracker (GitHub)       | 3       | 3 of 3     |               |
| rwieruch's GitHub client           | 4       | 4 of 4     |               |
| Relay todo                         | 1       | 6 of 6     |               |
| Apollo's full-stack tutorial       | 4       | 3 of 3     |               |
| all                                | 149     | 178 of 227 | 7             |

What the answered mutations changed was compared with their names, arguments and types, for the apps
whose changes were all read; \`changes_main.ts\` prints them. **In part** is an
answer whose other values are right, but which leaves one behind:

| app                                | read | sensible | in part | left behind                                     |
| ---------------------------------- | ---- | -------- | ------- | ----------------------------------------------- |
| RealWorld, lifeiscontent's         | 24   | 24       | 0       |                                                 |
| Saleor storefront                  | 19   | 16       | 3       | a price of its own, which the app does not send |
| Vendure starter                    | 14   | 14       | 0       |                                                 |
| vercel/commerce                    | 4    | 3        | 1       | a selling plan, which the app does not send     |
| Hackernews, howtographql's         | 4    | 4        | 0       |                                                 |
| Relay todo                         | 6    | 6        | 0       |                                                 |
| Apollo's full-stack tutorial       | 3    | 3        | 0       |                                                 |
| all                                | 74   | 70       | 4       |                                                 |

No rule was written for these:

| app                                | queries | mutations  | subscriptions |
| ---------------------------------- | ------- | ---------- | ------------- |
| Hashnode starter kit               | 19      | 0 of 1     |               |
| Apollo's Spotify showcase          | 21      | 0 of 18    | 1             |
| Hydrogen skeleton, storefront      | 16      |            |               |
| Hydrogen skeleton, customer        | 3       | 2 of 4     |               |
| graphile/starter                   | 9       | 14 of 23   | 0 of 1        |
| Wiki.js                            | 62      | 2 of 73    | 0 of 1        |
| Litmus ChaosCenter                 | 38      | 6 of 27    | 0 of 3        |
| Photoview                          |         | 8 of 26    |               |
| Traggo                             |         | 18 of 27   |               |
| Coral                              |         | 41 of 101  |               |
| Buildkite                          |         | 6 of 8     |               |

Wiki.js has 10 of 73 since a [group of mutations](mutations.md#names) names a model. Of these apps, too,
all changes were read. Stash's bulk updates of lists, \`{ ids, mode }\`, are rejected.

| app                                | read | sensible | in part | left behind                                       |
| ---------------------------------- | ---- | -------- | ------- | ------------------------------------------------- |
| Stash                              | 93   | 87       | 6       | 5: what must have a deleted record; 1: a history  |
| Hasura's todos                     | 4    | 4        | 0       |                                                   |
| Relay issue tracker (GitHub)       | 3    | 3        | 0       |                                                   |
| rwieruch's GitHub client           | 4    | 2        | 2       | the number of stars                               |
| Wiki.js                            | 10   | 2        | 8       | 7: lists with types of their own; 1: a status     |
| Litmus ChaosCenter                 | 6    | 5        | 1       | a list with a type of its own                     |

- The options are \`serve\`'s, with \`ids: "global"\` for GitHub. 19 of Stash's mutations add a
  job that never runs, and 2 are [commands](mutations.md#numbers-and-commands) that are confirmed and do
  nothing that an API could show. The second table counts commands that were confirmed on 2026-11-27, a few of
  which may be rejected. Of the last four apps, only mutations were counted.`;

const LIMITS =
  `- The operations of the public schemas are few, and most of them expect what is sensible rather
  than exact values. The data of the peer are random, so its last column varies from run to run.
- The rules were extended while these schemas, and the apps of the first table, were at hand, so
  others may be answered less.`;

function table(measured: readonly Measured[]): string {
  const rows = measured.map((one) => {
    const { ours, peer, amount, operations } = one;
    const pair = (key: keyof Score, of: number) =>
      `${ours?.[key] ?? 0} / ${peer?.[key] ?? 0} of ${of}`;
    return [
      one.name,
      one.builds ? "yes" : "no",
      one.served ? "yes" : "no",
      pair("required", amount.required),
      pair("optional", amount.optional),
      pair("answered", operations),
      pair("sensible", operations),
    ];
  });
  return toMarkdown([COLUMNS, ...rows, totals(measured)]);
}

function totals(measured: readonly Measured[]): string[] {
  const sum = (of: (one: Measured) => number) => measured.reduce((all, one) => all + of(one), 0);
  const pair = (key: keyof Score, of: number) =>
    `${sum(({ ours }) => ours?.[key] ?? 0)} / ${sum(({ peer }) => peer?.[key] ?? 0)} of ${of}`;
  const operations = sum((one) => one.operations);
  return [
    "all",
    `${sum(({ builds }) => Number(builds))} of ${measured.length}`,
    `${sum(({ served }) => Number(served))} of ${measured.length}`,
    pair("required", sum(({ amount }) => amount.required)),
    pair("optional", sum(({ amount }) => amount.optional)),
    pair("answered", operations),
    pair("sensible", operations),
  ];
}

function schemaList(measured: readonly Measured[]): string {
  const real = measured.flatMap(({ name, package: from }) =>
    from === undefined ? [] : `- ${name}: npm package \`${from}\``
  );
  const own = measured.filter(({ package: from }) => from === undefined).map(({ name }) => name);
  const families = `- Small schemas in the style of these APIs, written from their documentation: ${
    own.join(", ")
  }`;
  return [...real, ...(own.length === 0 ? [] : [families])].join("\n");
}

/** Formats rows as a Markdown table, the first as its head, with aligned columns. */
function toMarkdown(rows: readonly (readonly string[])[]): string {
  const widths = COLUMNS.map((_, column) =>
    Math.max(...rows.map((cells) => cells[column]?.length ?? 0))
  );
  const line = (cells: readonly string[]) =>
    `| ${widths.map((width, column) => (cells[column] ?? "").padEnd(width)).join(" | ")} |`;
  const [head = [], ...body] = rows;
  const rule = `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`;
  return [line(head), rule, ...body.map(line)].join("\n");
}
