import type { Member } from "../workspace.ts";
import type { Peer } from "./npm_targets.ts";

/** What a `package.json` is made from. */
export interface ManifestParts {
  readonly member: Member;
  /** Names of exports, and the file of each without its ending. */
  readonly entries: Readonly<Record<string, string>>;
  /** Packages that the sources import, by name. */
  readonly imported: readonly string[];
  /** The import map of the workspace, where the versions stand. */
  readonly imports: Readonly<Record<string, string>>;
  readonly peers: Readonly<Record<string, Peer>>;
  /** The text of the README, whose first sentence describes the package. */
  readonly readme: string;
  /** Names of the texts that come with it. */
  readonly texts: readonly string[];
}

/** Texts that npm packs without being told. */
const ALWAYS_PACKED: readonly string[] = ["LICENSE", "README.md"];

/** The folder in the package that has the compiled files. */
export const CODE_FOLDER = "esm";

/**
 * The `package.json` of a member: an ES module package without side effects, with types for each of
 * its exports. Throws a `RangeError` where the import map or the table of peers doesn't fit the
 * sources.
 */
export function toPackageManifest(parts: ManifestParts): object {
  const { member: { name, version, license }, entries, peers, readme, texts } = parts;
  const optional = Object.keys(peers).filter((peer) => peers[peer]?.optional);
  const dependencies = toDependencies(parts);
  return {
    name,
    version,
    description: describe(readme),
    license,
    type: "module",
    sideEffects: false,
    engines: { node: ">=20.19" },
    files: [CODE_FOLDER, ...texts.filter((text) => !ALWAYS_PACKED.includes(text))],
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

/** `default` and not `import`, so that `require()` of Node 20.19 and later finds it too. */
function toExport(file: string): object {
  const path = `./${CODE_FOLDER}/${file}`;
  return { types: `${path}.d.ts`, default: `${path}.js` };
}

function toDependencies(
  { member: { name }, imported, imports, peers }: ManifestParts,
): Record<string, string> {
  const unused = Object.keys(peers).find((peer) => !peers[peer]?.lazy && !imported.includes(peer));
  if (unused !== undefined) {
    throw new RangeError(`Cannot pack "${name}": no file imports its peer "${unused}"`);
  }
  const own = imported.filter((other) => !Object.hasOwn(peers, other)).sort();
  return Object.fromEntries(own.map((other) => {
    const range = /^npm:(?:@[^/]+\/)?[^@/]+@([^/]+)$/.exec(imports[other] ?? "")?.[1];
    if (range !== undefined) return [other, range];
    throw new RangeError(`Cannot pack "${name}": the import map has no npm version of "${other}"`);
  }));
}

/** The first sentence of the first paragraph that is plain text. */
function describe(readme: string): string | undefined {
  const paragraph = readme.split(/\n{2,}/).find((text) => /^\w/.test(text));
  const text = paragraph?.replaceAll(/\[([^\]]+)\]\([^)]*\)/g, "$1").replaceAll(/\s+/g, " ").trim();
  return text?.replace(/(?<=[^.]\.) .*$/, "");
}
