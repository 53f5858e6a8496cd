/** A package that the user of ours brings along. */
export interface Peer {
  /** The versions that do. */
  readonly range: string;
  /** Works without it, apart from the entries that import it. */
  readonly optional?: true;
  /** Is imported by a computed name, once it is needed. */
  readonly lazy?: true;
}

/** What the npm package of a member needs to be told beyond its `deno.json`. */
export interface NpmTarget {
  /** Folder of the member. */
  readonly folder: string;
  /** Peer dependencies by name; other packages that are imported become dependencies. */
  readonly peers: Readonly<Record<string, Peer>>;
  /** Exports that only Deno can run; they and what only they use stay out. */
  readonly denoExports?: readonly string[];
}

/** The members of the workspace that are published on npm. */
export const NPM_TARGETS: readonly NpmTarget[] = [
  {
    folder: "mirage_graphql",
    peers: {
      graphql: { range: "^16 || ^17" },
      miragejs: { range: "^0.1.48" },
      "@graphql-yoga/render-graphiql": { range: "^5.24.1", optional: true, lazy: true },
    },
    denoExports: ["./serve"],
  },
  {
    folder: "api_wrapper",
    peers: { axios: { range: ">=1.7" }, vue: { range: ">=3.3", optional: true } },
  },
];
