import { tableRows } from "../../test_support/markdown.ts";

/** A component on the first page. */
export interface HomeCard {
  readonly name: string;
  /** Who it is for. */
  readonly audience: string;
  /** The first sentence of its README. */
  readonly sentence: string;
  /** The command that installs it. */
  readonly install: string;
  /** Address of its first page. */
  readonly path: string;
}

/** The texts that the first page is made from. */
export interface HomeTexts {
  /** The README of the repository, with the links of the site. */
  readonly readme: string;
  /** The README of each component, by the address of its first page. */
  readonly components: Readonly<Record<string, string>>;
}

/** A link that is shown as a button. */
export interface HomeAction {
  readonly text: string;
  readonly link: string;
  /** Where it is opened; `_self` for what is no page, so that the browser loads it. */
  readonly target?: "_self";
}

/**
 * Makes the first page from the repository's README: its first paragraph, a card for each row of its
 * table of components, and everything that follows the table. Throws a `RangeError` if it has none.
 */
export function homePage(texts: HomeTexts, actions: readonly HomeAction[]): string {
  const { readme } = texts;
  const table = readme.match(/^\|.*\|\n(?:\|.*\|\n)+/m)?.[0];
  if (table === undefined) {
    throw new RangeError("Cannot find the components in README.md: no table");
  }
  const [before = "", after = ""] = readme.split(table);
  const [, tagline = "", ...rest] = before.split(/\n\n+/);
  const cards = tableRows(table).map(([about = "", install = ""]) =>
    toCard(about, install, texts.components)
  );
  const facts = {
    layout: "HomePage",
    sidebar: false,
    search: false,
    title: "Trestle",
    titleTemplate: "a mock back end, typed REST, tools for agents",
    tagline: oneLine(tagline),
    actions,
  };
  return [
    `---\n${JSON.stringify(facts, null, 2)}\n---`,
    `<div class="cards">`,
    ...cards.map(cardMarkdown),
    "</div>",
    ...rest,
    after,
  ].join("\n\n");
}

/** The first sentence below the heading of a Markdown text, on one line; empty if there is none. */
export function firstSentence(markdown: string): string {
  const [, paragraph = ""] = markdown.split(/\n\n+/);
  if (/^(#|```)/.test(paragraph)) return "";
  return /^.*?\.(?= |$)/.exec(oneLine(paragraph))?.[0] ?? oneLine(paragraph);
}

function toCard(about: string, install: string, components: HomeTexts["components"]): HomeCard {
  const [, audience = "", name = "", path = ""] =
    /\*\*(.+?)\*\*: \[(.+?)\]\(\/?(.+?)\)/.exec(about) ?? [];
  const readme = components[path];
  const command = /`([^`]+)`/.exec(install)?.[1];
  if (readme === undefined || command === undefined) {
    throw new RangeError(`Cannot read the component "${about}": it has no page or no command`);
  }
  return { name, audience, sentence: firstSentence(readme), install: command, path };
}

function cardMarkdown({ name, audience, sentence, install, path }: HomeCard): string {
  return `<section class="card">

<p class="audience">For ${audience}</p>

<div class="name">

[${name}](/${path})

</div>

${sentence}

\`\`\`sh
${install}
\`\`\`

</section>
`;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}
