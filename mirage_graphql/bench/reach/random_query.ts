import {
  getNamedType,
  type GraphQLArgument,
  type GraphQLCompositeType,
  type GraphQLField,
  isAbstractType,
  isCompositeType,
  isRequiredArgument,
  isUnionType,
} from "graphql";
import type { Draw } from "../../testing/properties/draw.ts";
import { printValue, type QuerySource, randomArgument } from "./random_argument.ts";

/** A request. */
export interface Operation {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** Levels of selection sets below the root. */
const DEPTH = 4;

/** Most fields of a selection set. */
const WIDTH = 4;

/**
 * Creates a valid query: one field of the query type, and up to four levels of some fields below
 * it, with a fragment for some members of abstract types.
 */
export function randomQuery(draw: Draw, source: QuerySource): Operation {
  return new QueryWriter(draw, source).write();
}

class QueryWriter {
  readonly #draw: Draw;
  readonly #source: QuerySource;
  readonly #definitions: string[] = [];
  readonly #variables: Record<string, unknown> = {};
  #names = 0;

  constructor(draw: Draw, source: QuerySource) {
    this.#draw = draw;
    this.#source = source;
  }

  write(): Operation {
    const fields = Object.values(this.#source.schema.getQueryType()?.getFields() ?? {});
    const root = this.#field(this.#draw.pick(fields), 1, false);
    const variables = this.#definitions.length === 0 ? "" : `(${this.#definitions.join(", ")})`;
    return { query: `query Random${variables} { ${root} }`, variables: this.#variables };
  }

  #field(field: GraphQLField<unknown, unknown>, depth: number, isAliased: boolean): string {
    const args = field.args.filter((arg) => this.#isGiven(arg, field.args));
    const parts = args.map((arg) => `${arg.name}: ${this.#argument(field, arg)}`).join(", ");
    const type = getNamedType(field.type);
    const name = isAliased ? `${this.#name("a")}: ${field.name}` : field.name;
    const selection = isCompositeType(type) ? ` ${this.#selection(type, depth, isAliased)}` : "";
    return `${name}${parts && `(${parts})`}${selection}`;
  }

  /** Omits cursors, which only a page provides, and `last` next to `first`. */
  #isGiven(arg: GraphQLArgument, args: readonly GraphQLArgument[]): boolean {
    if (isRequiredArgument(arg)) return true;
    if (!this.#source.hasOptional || ["after", "before"].includes(arg.name)) return false;
    if (arg.name === "last" && args.some(({ name }) => name === "first")) return false;
    return this.#draw.chance(1, 2);
  }

  #argument(field: GraphQLField<unknown, unknown>, arg: GraphQLArgument): string {
    const value = randomArgument(this.#draw, this.#source, { field, arg });
    if (!this.#draw.chance(1, 3)) return printValue(value, arg.type);
    const name = this.#name("v");
    this.#definitions.push(`$${name}: ${arg.type}`);
    this.#variables[name] = value;
    return `$${name}`;
  }

  /** Fields of fragments have aliases, so that those of two members never clash. */
  #selection(type: GraphQLCompositeType, depth: number, isAliased: boolean): string {
    const fields = isUnionType(type) ? [] : Object.values(type.getFields());
    const eligible = fields.filter(({ type }) =>
      depth < DEPTH || !isCompositeType(getNamedType(type))
    );
    const chosen = this.#draw.shuffled(eligible).slice(0, this.#draw.int(1, WIDTH));
    const parts = chosen.map((field) => this.#field(field, depth + 1, isAliased));
    if (isAbstractType(type) && depth < DEPTH) parts.push(...this.#fragments(type, depth));
    if (parts.length === 0 || isUnionType(type)) parts.unshift("__typename");
    return `{ ${parts.join(" ")} }`;
  }

  #fragments(type: GraphQLCompositeType, depth: number): string[] {
    if (!isAbstractType(type)) return [];
    const members = this.#draw.shuffled(this.#source.schema.getPossibleTypes(type)).slice(0, 2);
    return members.map((member) =>
      `... on ${member.name} ${this.#selection(member, depth + 1, true)}`
    );
  }

  #name(start: string): string {
    return `${start}${++this.#names}`;
  }
}
