import {
  getNamedType,
  type GraphQLSchema,
  isObjectType,
  Kind,
  parse,
  print,
  TypeInfo,
  type ValueNode,
  visit,
  visitWithTypeInfo,
} from "graphql";
import { createShapeOf, type ShapeOf } from "../../schema/shapes.ts";
import type { DrawnOperation } from "./draw_operation.ts";
import { relationNamed, type World } from "./world.ts";

/** Writes a plain id as that of a type. */
export type ToGlobal = (typeName: string, id: string) => string;

/**
 * The same request with global ids in its arguments, where the types of the records are known: an
 * argument that chooses among several types finds more by a plain id.
 */
export function withGlobalIds(
  { source, variables }: DrawnOperation,
  { world, schema, toGlobal }: {
    readonly world: World;
    readonly schema: GraphQLSchema;
    readonly toGlobal: ToGlobal;
  },
): DrawnOperation & { readonly changed: number } {
  let changed = 0;
  const given: Record<string, unknown> = { ...variables };
  const types = new TypeInfo(schema);
  const shapeOf = createShapeOf(schema);
  const document = visit(
    parse(source),
    visitWithTypeInfo(types, {
      Argument(node) {
        const typeName = typeOfIds({ world, shapeOf }, types, node.name.value);
        if (typeName === undefined) return undefined;
        const encode = (id: unknown) => {
          changed++;
          return toGlobal(typeName, String(id));
        };
        if (node.value.kind === Kind.VARIABLE) {
          const name = node.value.name.value;
          given[name] = mapIds(given[name], encode);
          return undefined;
        }
        return { ...node, value: mapLiterals(node.value, encode) };
      },
    }),
  );
  return { source: print(document), variables: given, changed };
}

/** The only type whose ids an argument takes. */
function typeOfIds(
  { world, shapeOf }: { readonly world: World; readonly shapeOf: ShapeOf },
  types: TypeInfo,
  name: string,
): string | undefined {
  const argument = types.getArgument();
  const returned = getNamedType(types.getFieldDef()?.type);
  const node = returned && (shapeOf(returned).nodeType ?? returned);
  if (!isObjectType(node) || getNamedType(argument?.type)?.name !== "ID") return undefined;
  if (name === "id") return node.name;
  const targets = relationNamed(world, node.name, name)?.targets ?? [];
  return targets.length === 1 ? targets[0] : undefined;
}

function mapIds(value: unknown, encode: (id: unknown) => string): unknown {
  if (Array.isArray(value)) return value.map((one) => mapIds(one, encode));
  return value === null || value === undefined ? value : encode(value);
}

function mapLiterals(value: ValueNode, encode: (id: unknown) => string): ValueNode {
  if (value.kind === Kind.LIST) {
    return { ...value, values: value.values.map((one) => mapLiterals(one, encode)) };
  }
  const isId = value.kind === Kind.STRING || value.kind === Kind.INT;
  return isId ? { kind: Kind.STRING, value: encode(value.value) } : value;
}

/** An answer with plain ids; the names of types are those of the schema. */
export function withLocalIds(
  answer: unknown,
  toLocal: (text: string) => string,
): unknown {
  if (typeof answer === "string") return toLocal(answer);
  if (Array.isArray(answer)) return answer.map((one) => withLocalIds(one, toLocal));
  if (typeof answer !== "object" || answer === null) return answer;
  return Object.fromEntries(
    Object.entries(answer).map(([name, one]) => [name, withLocalIds(one, toLocal)]),
  );
}
