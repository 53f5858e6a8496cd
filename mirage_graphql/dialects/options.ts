import type { Dialect } from "./dialect.ts";
import type { IdFormat } from "../relay/global_id.ts";

/** Which families of conventions apply; those that are left out do not. */
export interface ConventionSwitches {
  /** Arguments that request a page: `limit`, `offset`, `page`, `first` and the like. */
  readonly paging?: boolean;
  /** Arguments that sort: `orderBy`, `sort` and the like. */
  readonly ordering?: boolean;
  /** Input objects that filter: `where`, `filter` and the like. */
  readonly filtering?: boolean;
  /** Arguments that name records by id: `ids`, `<type>Id` and the like. */
  readonly ids?: boolean;
  /** Mutations in the styles of widespread APIs, with flat arguments, lists and nested writes. */
  readonly writes?: boolean;
  /** Fields that count: `postsCount`, `totalCount`, `aggregate { count }` and the like. */
  readonly aggregates?: boolean;
  /** Connections that are not quite Relay's, such as ones without `nodes` or without `edges`. */
  readonly connections?: boolean;
  /** Mutations that log in, sign up and log out, and the fields of their user: `login`, `me`. */
  readonly sessions?: boolean;
  /** Subscriptions to what a query returns, and to new records: `todos`, `newLink`. */
  readonly subscriptions?: boolean;
  /** The dialects of which these families apply. @default {those of `"common"`} */
  readonly dialects?: readonly Dialect[];
}

/**
 * Conventions to follow: none, those of all widespread APIs, some of these, or those of the given
 * dialects, of which the first one that explains something counts.
 */
export type Conventions = "strict" | "common" | ConventionSwitches | readonly Dialect[];

/** What names alone don't say about sessions; what is left out, names say. */
export interface SessionOptions {
  /** The type of the users. */
  readonly user?: string;
  /** The attribute by which a login finds a user. */
  readonly by?: string;
  /** The mutations that log in. */
  readonly login?: string | readonly string[];
  /** The mutations that create a user and log in; their payload has a token. */
  readonly signup?: string | readonly string[];
  /** The mutations that log out. */
  readonly logout?: string | readonly string[];
  /** The fields of the query type that return the user. */
  readonly viewer?: string | readonly string[];
}

/** How to interpret fields and mutations that the GraphQL schema alone doesn't define. */
export interface ConventionOptions {
  /**
   * Conventions to follow: `"strict"` for none, `"common"` for those of all widespread APIs, a list
   * of dialects such as `[hasura, ours]`, or an object of switches such as `{ paging: true }`.
   * @default {"strict"}
   */
  readonly conventions?: Conventions;
  /**
   * Whether an argument that matches no rule is an error or is ignored.
   * @default {"error"}
   */
  readonly unknownArguments?: "error" | "ignore";
  /**
   * Names of arguments that never filter, also if an attribute has the same name: `["channel"]`.
   * @default {[]}
   */
  readonly ignoreArguments?: readonly string[];
  /**
   * What names alone don't say about sessions: `{ login: "enter", logout: "leave", by: "code" }`.
   * Needs the dialect `general`, which `"common"` has.
   * @default {{}}
   */
  readonly sessions?: SessionOptions;
  /**
   * Whether relations with an ambiguous inverse are an error; if not, each is kept separate.
   * @default {false}
   */
  readonly strict?: boolean;
  /**
   * Whether non-null values that are missing are generated: stored when a mutation creates a record,
   * and else made up when the field is read.
   * @default {"none"}
   */
  readonly defaults?: "none" | "generate";
  /**
   * The ids of records in responses: `"local"` as stored, `"global"` with their type (`Person:1`),
   * or `"global-base64"`, the same in base64, as in Relay. Requests may contain either form.
   * @default {"local"}
   */
  readonly ids?: IdFormat;
}

/** Which families of conventions apply. */
type Families = Required<Omit<ConventionSwitches, "dialects">>;

/** The conventions of a handler, with every default set. */
export interface ResolvedConventions extends Families {
  readonly unknownArguments: "error" | "ignore";
  readonly ignoreArguments: readonly string[];
  readonly strict: boolean;
  readonly defaults: "none" | "generate";
  readonly idFormat: IdFormat;
  readonly sessionOptions: SessionOptions;
  /** The dialects to follow, the most important first. */
  readonly dialects: readonly Dialect[];
}

const NONE: Families = {
  paging: false,
  ordering: false,
  filtering: false,
  ids: false,
  writes: false,
  aggregates: false,
  connections: false,
  sessions: false,
  subscriptions: false,
};

const NAMES = Object.keys(NONE);

const ALL: Families = {
  paging: true,
  ordering: true,
  filtering: true,
  ids: true,
  writes: true,
  aggregates: true,
  connections: true,
  sessions: true,
  subscriptions: true,
};

/**
 * Checks the options and sets the defaults of those that are left out.
 *
 * @throws {TypeError} If a dialect is wrong, or an option has a value that is not one of its choices.
 *
 * @example
 * ```ts
 * import { strictEqual } from "node:assert/strict";
 * import { parseConventions } from "./options.ts";
 *
 * const { paging, ordering } = parseConventions({ conventions: { paging: true, dialects: [] } });
 * strictEqual(paging, true);
 * strictEqual(ordering, false);
 * ```
 */
export function parseConventions(options: ConventionOptions = {}): ResolvedConventions {
  const {
    conventions = "strict",
    unknownArguments = "error",
    ignoreArguments = [],
    sessions = {},
    strict = false,
    defaults = "none",
    ids = "local",
  } = options;
  checkChoice("unknownArguments", unknownArguments, ["error", "ignore"]);
  checkNames("ignoreArguments", ignoreArguments);
  checkChoice("strict", strict, [true, false]);
  checkChoice("defaults", defaults, ["none", "generate"]);
  checkChoice("ids", ids, ["local", "global", "global-base64"]);
  return Object.freeze({
    ...resolve(conventions),
    sessionOptions: sessions,
    unknownArguments,
    ignoreArguments: [...ignoreArguments],
    strict,
    defaults,
    idFormat: ids,
  });
}

/** The conventions of a handler without options. */
export const STRICT: ResolvedConventions = parseConventions();

function resolve(conventions: Conventions): Families & Pick<ResolvedConventions, "dialects"> {
  if (conventions === "strict") return { ...NONE, dialects: [] };
  if (isDialects(conventions)) return { ...ALL, dialects: checked(conventions) };
  if (conventions === "common") throw noDialects(conventions);
  if (typeof conventions !== "object" || conventions === null) {
    throw new TypeError(
      `Cannot use the option "conventions" with ${textOf(conventions)}: it is "strict", ` +
        `"common", a list of dialects or an object with some of the switches ${NAMES.join(", ")}`,
    );
  }
  const { dialects, ...switches } = conventions;
  for (const [name, value] of Object.entries(switches)) {
    if (!NAMES.includes(name)) {
      throw new TypeError(
        `Cannot use the option "conventions" with "${name}": the switches are ${NAMES.join(", ")}`,
      );
    }
    if (value !== undefined) checkChoice(`conventions.${name}`, value, [true, false]);
  }
  if (dialects === undefined) throw noDialects(conventions);
  const given = Object.entries(switches).filter(([, value]) => value !== undefined);
  return { ...NONE, ...Object.fromEntries(given), dialects: checked(dialects) };
}

/** The entry `./core` has no code for dialects but that which they bring with them. */
function checked(dialects: readonly Dialect[]): readonly Dialect[] {
  for (const dialect of dialects) {
    if ("engine" in Object(dialect)) continue;
    throw new TypeError(
      `Cannot use the dialect "${Object(dialect).name ?? dialect}" as it is: give it to ` +
        'defineDialect() of "@trestle/mirage-graphql/dialects"',
    );
  }
  return dialects;
}

/** The entry `./core` has no dialects of its own. */
function noDialects(conventions: Conventions): TypeError {
  return new TypeError(
    `Cannot use the option "conventions" with ${textOf(conventions)}: it names no dialects, such ` +
      'as [hasura] of "@trestle/mirage-graphql/dialects"',
  );
}

/** Whether the option is a list of dialects. */
export function isDialects(conventions: Conventions): conventions is readonly Dialect[] {
  return Array.isArray(conventions);
}

function checkChoice(option: string, value: unknown, choices: readonly unknown[]): void {
  if (choices.includes(value)) return;
  const texts = choices.map((choice) => JSON.stringify(choice));
  throw new TypeError(
    `Cannot use the option "${option}" with ${textOf(value)}: it is ` +
      `${texts.slice(0, -1).join(", ")} or ${texts.at(-1)}`,
  );
}

function checkNames(option: string, value: unknown): void {
  if (Array.isArray(value) && value.every((one) => typeof one === "string" && one !== "")) return;
  throw new TypeError(
    `Cannot use the option "${option}" with ${textOf(value)}: it is a list of names`,
  );
}

function textOf(value: unknown): string {
  return JSON.stringify(value) ?? String(value);
}
