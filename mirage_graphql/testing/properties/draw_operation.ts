import {
  getNamedType,
  type GraphQLArgument,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  isAbstractType,
  isCompositeType,
  isRequiredArgument,
  isUnionType,
} from "graphql";
import type { Draw } from "./draw.ts";
import { drawArgument } from "./draw_argument.ts";
import type { World } from "./world.ts";

/** A random request. */
export interface DrawnOperation {
  readonly source: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

const DEPTH = 5;

/** Draws a query with aliases, fragments, directives, arguments and variables. */
export function drawOperation(draw: Draw, world: World, schema: GraphQLSchema): DrawnOperation {
  return new OperationWriter(draw, world, schema).write();
}

class OperationWriter {
  readonly #draw: Draw;
  readonly #world: World;
  readonly #schema: GraphQLSchema;
  readonly #fragments: string[] = [];
  readonly #definitions: string[] = [];
  readonly #variables: Record<string, unknown> = {};
  #names = 0;

  constructor(draw: Draw, world: World, schema: GraphQLSchema) {
    this.#draw = draw;
    this.#world = world;
    this.#schema = schema;
  }

  write(): DrawnOperation {
    const fields = this.#fields(this.#schema.getQueryType()!, 0, false);
    const variables = this.#definitions.length === 0 ? "" : `(${this.#definitions.join(" ")})`;
    const source = [`query Drawn${variables} ${fields}`, ...this.#fragments].join("\n");
    return { source, variables: this.#variables };
  }

  /** The selection set of a type; within fragments every field has an alias, so that none clash. */
  #fields(type: GraphQLCompositeType, depth: number, isAliased: boolean): string {
    const draw = this.#draw;
    const all = isUnionType(type) ? [] : Object.values(type.getFields())
      .filter((field) => depth < DEPTH || !isCompositeType(getNamedType(field.type)));
    const count = draw.int(1, 3);
    const parts = all.length === 0
      ? []
      : Array.from({ length: count }, () => this.#field(draw.pick(all), depth, isAliased));
    if (parts.length === 0 || draw.chance(1, 4)) parts.push("__typename");
    if (depth > DEPTH) return `{ ${parts.join(" ")} }`;
    if (isAbstractType(type)) {
      const length = draw.int(1, 3);
      parts.push(...Array.from({ length }, () => this.#fragment(type, depth)));
    } else if (depth > 0 && draw.chance(1, 6)) {
      parts.push(this.#fragment(type, depth));
    }
    return `{ ${draw.shuffled(parts).join(" ")} }`;
  }

  #field(field: GraphQLField<unknown, unknown>, depth: number, isAliased: boolean): string {
    const args = field.args.flatMap((arg) => this.#argument(field, arg)).join(", ");
    const type = getNamedType(field.type);
    const hasAlias = isAliased || field.args.length > 0 || this.#draw.chance(1, 4);
    const name = hasAlias ? `${this.#name("k")}: ${field.name}` : field.name;
    const fields = isCompositeType(type) ? this.#fields(type, depth + 1, isAliased) : "";
    return `${name}${args && `(${args})`}${this.#directive()} ${fields}`;
  }

  /** On a member, on the type itself, or on another abstract type that overlaps. */
  #fragment(type: GraphQLCompositeType, depth: number): string {
    const condition = this.#draw.pick(this.#overlapping(type));
    const fields = this.#fields(condition, depth + 1, true);
    if (this.#draw.chance(1, 2)) return `... on ${condition.name}${this.#directive()} ${fields}`;
    const name = this.#name("Fragment");
    this.#fragments.push(`fragment ${name} on ${condition.name} ${fields}`);
    const spread = `...${name}${this.#directive()}`;
    return this.#draw.chance(1, 5) ? `${spread} ...${name}` : spread;
  }

  #overlapping(type: GraphQLCompositeType): GraphQLCompositeType[] {
    const members = this.#members(type);
    const others = Object.values(this.#schema.getTypeMap()).filter(isAbstractType)
      .filter((other) => this.#members(other).some((member) => members.includes(member)));
    return [...members, type, ...members, type, ...others];
  }

  #members(type: GraphQLNamedType): readonly GraphQLCompositeType[] {
    if (isAbstractType(type)) return this.#schema.getPossibleTypes(type);
    return isCompositeType(type) ? [type] : [];
  }

  #argument(field: GraphQLField<unknown, unknown>, arg: GraphQLArgument): string[] {
    const isLeftOut = this.#draw.chance(3, 5);
    if (isLeftOut && !isRequiredArgument(arg)) return [];
    const typeName = getNamedType(field.type).name.replace("Connection", "");
    const targets = this.#members(this.#schema.getType(typeName)!).map(({ name }) => name);
    const value = drawArgument(this.#draw, this.#world, { arg, targets });
    if (!this.#draw.chance(1, 2)) return [`${arg.name}: ${literal(value, arg)}`];
    const name = this.#name("v");
    this.#definitions.push(`$${name}: ${arg.type}`);
    const isGiven = value !== null || this.#draw.chance(1, 2);
    if (isGiven) this.#variables[name] = value;
    return [`${arg.name}: $${name}`];
  }

  #directive(): string {
    if (!this.#draw.chance(1, 8)) return "";
    const directive = this.#draw.pick(["include", "skip"]);
    const isTrue = this.#draw.chance(1, 2);
    if (this.#draw.chance(1, 2)) return ` @${directive}(if: ${isTrue})`;
    const name = this.#name("if");
    this.#definitions.push(`$${name}: Boolean!`);
    this.#variables[name] = isTrue;
    return ` @${directive}(if: $${name})`;
  }

  #name(start: string): string {
    return `${start}${++this.#names}`;
  }
}

function literal(value: unknown, arg: GraphQLArgument): string {
  const text = JSON.stringify(value);
  return getNamedType(arg.type).name === "Kind" ? text.replaceAll('"', "") : text;
}
