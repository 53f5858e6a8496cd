import { belongsTo, hasMany, Model } from "miragejs";
import { mockGraphQLFieldResolver, type ResolverMap } from "../../mod.ts";
import type { Draw } from "./draw.ts";
import { relationsOf, type SchemaSpec, type TargetSpec } from "./schema_spec.ts";

/** User-defined parts of a mock: models, resolvers and values of the enum. */
export interface Host {
  readonly models: Readonly<Record<string, object>>;
  readonly resolvers: ResolverMap;
  /** What the database stores for a value of the GraphQL schema. */
  stored(value: unknown): unknown;
}

type FieldResolvers = Record<
  string,
  (...args: Parameters<typeof mockGraphQLFieldResolver>) => unknown
>;

const KINDS: Readonly<Record<string, string | number>> = { RED: "r", GREEN: 2, BLUE: "BLUE" };

/**
 * Draws user-defined models equal to the derived ones, and resolvers equal to the automatic ones.
 */
export function drawHost(draw: Draw, spec: SchemaSpec): Host {
  const modelled = draw.chance(1, 2) ? draw.some(spec.objects) : [];
  const models = modelled.map(({ name, modelName }) => [modelName, modelOf(spec, name)]);
  const resolvers = draw.chance(1, 2) ? drawAllResolvers(draw, spec) : {};
  const isMapped = draw.chance(1, 2);
  if (isMapped) resolvers.Kind = { ...KINDS };
  return {
    models: Object.fromEntries(models),
    resolvers,
    stored: (value) => isMapped ? toStored(value) : value,
  };
}

function modelOf(spec: SchemaSpec, typeName: string): object {
  const associations = relationsOf(spec, typeName).map((relation) => {
    const target = spec.objects.find(({ name }) => name === relation.typeName)?.modelName;
    const options = { inverse: relation.inverse ?? null, polymorphic: target === undefined };
    const association = relation.kind === "one"
      ? belongsTo(target, options)
      : hasMany(target, options);
    return [relation.name, association];
  });
  return Model.extend(Object.fromEntries(associations));
}

/** Without any, the queries are planned; with one, many are left to graphql-js. */
function drawAllResolvers(draw: Draw, spec: SchemaSpec): Record<string, ResolverMap[string]> {
  const resolvers: Record<string, ResolverMap[string]> = {
    Query: drawResolvers(draw, spec, spec.roots),
  };
  for (const { name } of spec.objects) {
    resolvers[name] = drawResolvers(draw, spec, relationsOf(spec, name));
  }
  return resolvers;
}

/** Resolvers of some fields, which call the default one, or read Mirage's own models. */
function drawResolvers(
  draw: Draw,
  spec: SchemaSpec,
  fields: readonly TargetSpec[],
): FieldResolvers {
  const resolvers: FieldResolvers = {};
  for (const field of fields) {
    if (!draw.chance(1, 5)) continue;
    resolvers[field.name] = draw.chance(1, 2) ? mockGraphQLFieldResolver : ownResolver(spec, field);
  }
  return resolvers;
}

function ownResolver({ objects }: SchemaSpec, field: TargetSpec): FieldResolvers[string] {
  const { kind, name, typeName, args } = field;
  const modelName = objects.find((object) => object.name === typeName)?.modelName;
  if (args.length > 0 || kind === "connection") return mockGraphQLFieldResolver;
  if ("inverse" in field) return (obj) => (obj as Record<string, unknown>)[name];
  if ("owner" in field || modelName === undefined) return mockGraphQLFieldResolver;
  const method = kind === "one" ? "first" : "all";
  return (_obj, _args, context) =>
    (context as { mockSchema: Record<string, (modelName: string) => unknown> })
      .mockSchema[method]?.(modelName);
}

function toStored(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toStored);
  return typeof value === "string" ? KINDS[value] ?? value : value;
}
