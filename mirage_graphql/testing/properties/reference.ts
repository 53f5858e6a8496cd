import {
  type DocumentNode,
  execute,
  type ExecutionResult,
  getNamedType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  isLeafType,
} from "graphql";
import { fragmentTypes } from "./fragment_types.ts";
import { naivePage } from "./naive_page.ts";
import type { TargetSpec } from "./schema_spec.ts";
import { type PlainRecord, recordsOf, relatedTo, relationNamed, type World } from "./world.ts";

type Args = Readonly<Record<string, unknown>>;

/** A random document and its variables. */
export interface Operation {
  readonly document: DocumentNode;
  readonly variables: Readonly<Record<string, unknown>>;
}

/**
 * Answers from the plain records with resolvers that follow the rules literally: no plan, no index,
 * no Mirage.
 */
export function referenceAnswer(
  world: World,
  schema: GraphQLSchema,
  { document, variables }: Operation,
): ExecutionResult {
  const result = execute({
    schema,
    document,
    variableValues: { ...variables },
    rootValue: {},
    fieldResolver: (source, args, _context, info) => resolveField(world, source, args, info),
    typeResolver: (value) => isRecord(value) ? value.typeName : undefined,
  });
  if (result instanceof Promise) throw new TypeError("Cannot answer: a resolver was asynchronous");
  return result as ExecutionResult;
}

function resolveField(
  world: World,
  source: unknown,
  args: Args,
  info: GraphQLResolveInfo,
): unknown {
  const { fieldName, parentType } = info;
  if (parentType.name === "Query") {
    const root = world.spec.roots.find(({ name }) => name === fieldName)!;
    const candidates = recordsOf(world, typesInOrder(root, info));
    return answerOf(root, candidates, (record) => fits(world, record, args), args);
  }
  if (!isRecord(source)) return (source as Record<string, unknown>)[fieldName];
  if (fieldName === "id") return source.id;
  const relation = isLeafType(getNamedType(info.returnType))
    ? undefined
    : relationNamed(world, source.typeName, fieldName);
  if (relation === undefined) return source.attributes[fieldName];
  const related = relatedTo(world, source, relation);
  return answerOf(relation, related, (record) => fits(world, record, args), args);
}

/** The members of an abstract type as the schema has them; fragments choose which single one. */
function typesInOrder({ kind, targets, typeName }: TargetSpec, info: GraphQLResolveInfo): string[] {
  const type = info.schema.getType(typeName);
  if (type === undefined || !("resolveType" in type)) return [...targets];
  const members = info.schema.getPossibleTypes(type).map(({ name }) => name);
  return kind === "one" ? [...new Set([...fragmentTypes(info, members), ...members])] : members;
}

function answerOf(
  { kind }: TargetSpec,
  candidates: readonly PlainRecord[],
  isFitting: (record: PlainRecord) => boolean,
  args: Args,
): unknown {
  const fitting = candidates.filter(isFitting);
  if (kind === "connection") return naivePage(fitting, args, candidates);
  return kind === "one" ? fitting[0] ?? null : fitting;
}

const PAGING = new Set(["first", "after", "last", "before"]);

function fits(world: World, record: PlainRecord, args: Args): boolean {
  return Object.entries(args).every(([name, wanted]) => {
    if (wanted === null || wanted === undefined || PAGING.has(name)) return true;
    const values = valuesOf(world, record, name).filter((value) => value !== null);
    return [wanted].flat().some((one) => values.some((value) => String(value) === String(one)));
  });
}

function valuesOf(world: World, record: PlainRecord, name: string): unknown[] {
  if (name === "id") return [record.id];
  const relation = relationNamed(world, record.typeName, name);
  if (relation !== undefined) return relatedTo(world, record, relation).map(({ id }) => id);
  return name in record.attributes ? [record.attributes[name]] : [];
}

function isRecord(value: unknown): value is PlainRecord {
  return typeof value === "object" && value !== null && "links" in value;
}
