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
    EXPLANATION,
    about,
    ...versions.flatMap(({ version, measured }) => [
      `## graphql ${version}`,
      "Each pair is mirage-graphql / `@graphql-tools/mock`.",
      table(measured),
    ]),
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

const LIMITS =
  `- The operations of the public schemas are few, and most of them expect what is sensible rather
  than exact values. The data of the peer are random, so its last column varies from run to run.
- The rules were extended while these schemas were at hand, so other schemas may be answered less.`;

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
