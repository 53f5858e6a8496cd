import type { Member } from "../workspace.ts";

/** A package that the user installs. */
export interface Peer {
  /** The supported versions. */
  readonly range: string;
  /** The package works without it, except for the entries that import it. */
  readonly optional?: true;
  /** It is imported by a computed name, when it is needed. */
  readonly lazy?: true;
}

/** What the npm package of a member needs beyond its `deno.json`. */
export interface NpmTarget {
  /** Folder of the member. */
  readonly folder: string;
  /** What it is found by. */
  readonly keywords: readonly string[];
  /** Peer dependencies by name; other packages that are imported become dependencies. */
  readonly peers: Readonly<Record<string, Peer>>;
  /** Exports for Node and not for browsers; they may use what only Node has. */
  readonly nodeExports?: readonly string[];
  /** The file of each program for Node, without its extension, by the name of its command. */
  readonly programs?: Readonly<Record<string, string>>;
}

/** The members of the workspace that are published on npm. */
export const NPM_TARGETS: readonly NpmTarget[] = [
  {
    folder: "mirage_graphql",
    keywords: ["graphql", "mock", "mirage", "miragejs", "testing", "relay", "subscriptions"],
    peers: {
      graphql: { range: "^16 || ^17" },
      miragejs: { range: "^0.1.48" },
      "@graphql-yoga/render-graphiql": { range: "^5.24.1", optional: true, lazy: true },
    },
    nodeExports: ["./check", "./serve", "./vite"],
    programs: { "mirage-graphql": "bin" },
  },
  {
    folder: "api_wrapper",
    keywords: ["axios", "rest", "api", "vue", "composable", "cancel"],
    peers: { axios: { range: ">=1.7" }, vue: { range: ">=3.3", optional: true } },
  },
];

/** Where the project is, for every manifest; the owner is a placeholder. */
const HOME = "https://github.com/trestle-tools/trestle";

/** What every manifest says about the project. */
export const PROJECT = Object.freeze({
  repository: { type: "git", url: HOME },
  homepage: `${HOME}#readme`,
  bugs: { url: `${HOME}/issues` },
});

/** What the tool server is found by. */
export const SERVER_KEYWORDS: readonly string[] = [
  "mcp",
  "mcp-server",
  "model-context-protocol",
  "agent",
  "shell",
  "ssh",
  "sql",
];

/** What a `package.json` is created from. */
export interface ManifestParts {
  readonly member: Member;
  /** Names of exports, and the file of each without its extension. */
  readonly entries: Readonly<Record<string, string>>;
  /** Packages that the sources import, by name. */
  readonly imported: readonly string[];
  /** The import map of the workspace, which has the versions. */
  readonly imports: Readonly<Record<string, string>>;
  readonly peers: Readonly<Record<string, Peer>>;
  /** The file of each program, without its extension, by the name of its command. */
  readonly programs?: Readonly<Record<string, string>>;
  readonly keywords: readonly string[];
  /** The text of the README, whose first sentence describes the package. */
  readonly readme: string;
  /** Paths of the documents in the package. */
  readonly texts: readonly string[];
}

/** Documents that npm packs by default. */
const ALWAYS_PACKED: readonly string[] = ["LICENSE", "README.md"];

/** The folder in the package that has the compiled files. */
export const CODE_FOLDER = "esm";

/**
 * The `package.json` of a member: an ES module package without side effects, with types for each of
 * its exports. Throws a `RangeError` if the import map or the table of peers doesn't match the
 * sources.
 */
export function toPackageManifest(parts: ManifestParts): object {
  const { member: { name, version, license }, entries, peers, programs = {} } = parts;
  const { keywords, readme } = parts;
  const optional = Object.keys(peers).filter((peer) => peers[peer]?.optional);
  const dependencies = toDependencies(parts);
  return {
    name,
    version,
    description: describe(readme),
    keywords,
    ...PROJECT,
    license,
    type: "module",
    sideEffects: false,
    engines: { node: ">=20.19" },
    ...(Object.keys(programs).length > 0 ? { bin: toBin(programs) } : {}),
    files: [CODE_FOLDER, ...packedTexts(parts.texts)],
    exports: {
      ...Object.fromEntries(
        Object.entries(entries).map(([entry, file]) => [entry, toExport(file)]),
      ),
      "./package.json": "./package.json",
    },
    ...(Object.keys(dependencies).length > 0 ? { dependencies } : {}),
    peerDependencies: Object.fromEntries(
      Object.entries(peers).map(([peer, { range }]) => [peer, range]),
    ),
    ...(optional.length > 0
      ? {
        peerDependenciesMeta: Object.fromEntries(
          optional.map((peer) => [peer, { optional: true }]),
        ),
      }
      : {}),
  };
}

/** The documents that npm does not pack by default, each of their folders once. */
export function packedTexts(texts: readonly string[]): string[] {
  const names = texts.map((text) => text.replace(/\/.*$/, ""));
  return [...new Set(names)].filter((name) => !ALWAYS_PACKED.includes(name));
}

/** `default` instead of `import`, so that `require()` of Node 20.19 and later finds it too. */
function toExport(file: string): object {
  const path = `./${CODE_FOLDER}/${file}`;
  return { types: `${path}.d.ts`, default: `${path}.js` };
}

function toBin(programs: Readonly<Record<string, string>>): Record<string, string> {
  const files = Object.entries(programs).map(([name, file]) => [name, `${CODE_FOLDER}/${file}.js`]);
  return Object.fromEntries(files);
}

function toDependencies(
  { member: { name }, imported, imports, peers }: ManifestParts,
): Record<string, string> {
  const unused = Object.keys(peers).find((peer) => !peers[peer]?.lazy && !imported.includes(peer));
  if (unused !== undefined) {
    throw new RangeError(`Cannot pack "${name}": no file imports its peer "${unused}"`);
  }
  return dependenciesOf(imported.filter((other) => !Object.hasOwn(peers, other)), imports, name);
}

/** The packages with their versions in the import map of the workspace. */
export function dependenciesOf(
  packages: readonly string[],
  imports: Readonly<Record<string, string>>,
  name: string,
): Record<string, string> {
  return Object.fromEntries(
    packages.toSorted().map((other) => {
      const range = /^npm:(?:@[^/]+\/)?[^@/]+@([^/]+)$/.exec(imports[other] ?? "")?.[1];
      if (range !== undefined) return [other, range];
      throw new RangeError(
        `Cannot pack "${name}": the import map has no npm version of "${other}"`,
      );
    }),
  );
}

/** The first sentence of the first paragraph that is plain text. */
export function describe(readme: string): string | undefined {
  const paragraph = readme.split(/\n{2,}/).find((text) => /^\w/.test(text));
  const text = paragraph?.replaceAll(/\[([^\]]+)\]\([^)]*\)/g, "$1").replaceAll(/\s+/g, " ").trim();
  return text?.replace(/(?<=[^.]\.) .*$/, "");
}
