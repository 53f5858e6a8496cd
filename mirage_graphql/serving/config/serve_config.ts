import type { createServer } from "miragejs";
import type { ConventionOptions } from "../../conventions/options.ts";
import type { ContextOption, Latency, MockContext } from "../../request/executor_options.ts";
import type { ResolverMap } from "../../schema/resolver_map.ts";

/** A Mirage server, as a function that creates its records gets it. */
export type MirageServer = ReturnType<typeof createServer>;

/** The options of Mirage's `createServer()`. */
export type MirageOptions = NonNullable<Parameters<typeof createServer>[0]>;

/** Records by type or collection, as in a seed file. */
export type SeedLists = Readonly<Record<string, readonly object[]>>;

/**
 * The default export of a config file of `serve`; flags of the command line go before it.
 *
 * @example
 * ```ts
 * import type { ServeConfig } from "@trestle/mirage-graphql/serve";
 *
 * const config: ServeConfig = {
 *   schema: "schema",
 *   seeds: { people: [{ name: "Ada" }] },
 *   resolvers: { Query: { version: () => "1.0" } },
 *   latency: "100..400",
 * };
 * export default config;
 * ```
 */
export interface ServeConfig extends ConventionOptions {
  /** Schema files, folders and globs, relative to the config file, or the URL of a running API. */
  readonly schema?: string | readonly string[];
  /** Headers that the URL is asked with. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Records by type or collection, or a function that creates them; made up if left out. */
  readonly seeds?: SeedLists | ((server: MirageServer) => void | Promise<void>);
  /** Models of Mirage; those of other types are derived. */
  readonly models?: MirageOptions["models"];
  /** Factories of Mirage, for a function that creates the records. */
  readonly factories?: MirageOptions["factories"];
  /** Resolvers for what is not resolved automatically: by type, then by field. */
  readonly resolvers?: ResolverMap<MockContext>;
  /** What is added to the resolvers' context: an object, or a function of the request. */
  readonly context?: ContextOption;
  /** Milliseconds that every answer takes, a range such as `"100..400"`, or a function. */
  readonly latency?: Latency | string;
  /** Accepts arrays of requests: `true` for at most 10 at once, or another limit. */
  readonly batch?: boolean | { readonly max: number };
  /** The HTTP status with which the next operation of a name fails, or one for each time. */
  readonly fail?: Readonly<Record<string, number | readonly number[]>>;
  /** Origins whose pages may read answers and send credentials; any may read if left out. */
  readonly origins?: readonly string[];
  /** Address to listen on. @default {"127.0.0.1"} */
  readonly host?: string;
  /** Port to listen on; 0 is a free one. @default {4000} */
  readonly port?: number;
}
