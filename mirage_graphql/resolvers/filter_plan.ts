import {
  getNamedType,
  type GraphQLField,
  type GraphQLObjectType,
  isInputObjectType,
  isLeafType,
} from "graphql";
import { connectionShape } from "../schema/type_shapes.ts";
import type { MockModel } from "../orm/models/model_map.ts";
import type { Orm } from "../orm/orm.ts";
import { relationNamed } from "../orm/relation_named.ts";

/** What an argument filters by; the input objects of `{ price: { min: 5 } }` compare with nothing. */
type FilterTarget = "attribute" | "relation" | "nothing";

/** What filters need to know of a field; made once for each field. */
export interface FilterPlan {
  /** Type and field, as errors name them. */
  readonly field: string;
  readonly typeName: string;
  /** Arguments that are no filters, such as those of paging. */
  readonly ignored: ReadonlySet<string>;
  /** What each argument filters by, as far as it is known. */
  readonly targets: Map<string, FilterTarget>;
  readonly models: readonly MockModel[];
  readonly hasArguments: boolean;
}

const NOTHING_IGNORED: ReadonlySet<string> = new Set();

/** Finds out what each argument of a field filters by. */
export function createFilterPlan(
  orm: Orm,
  parentType: GraphQLObjectType,
  field: GraphQLField<unknown, unknown>,
  types: readonly GraphQLObjectType[],
  ignored: ReadonlySet<string> = NOTHING_IGNORED,
): FilterPlan {
  const models = types.flatMap(({ name }) => orm.models.ofType(name) ?? []);
  const targets = new Map<string, FilterTarget>();
  for (const { name, type } of field.args) {
    const target = models.some((model) => relationNamed(model, name))
      ? "relation"
      : types.some((type) => hasAttribute(type, name))
      ? "attribute"
      : undefined;
    if (target) targets.set(name, isInputObjectType(getNamedType(type)) ? "nothing" : target);
  }
  const named = getNamedType(field.type);
  const typeName = (connectionShape(named)?.nodeType ?? named).name;
  const hasArguments = field.args.length > 0;
  return {
    field: `${parentType.name}.${field.name}`,
    typeName,
    ignored,
    targets,
    models,
    hasArguments,
  };
}

function hasAttribute(type: GraphQLObjectType, name: string): boolean {
  const field = type.getFields()[name];
  return field !== undefined && isLeafType(getNamedType(field.type));
}
