import { getNullableType, isListType, isNonNullType, isRequiredArgument } from "graphql";
import { filterRuleOf } from "./filter_shape.ts";
import type { Target } from "./targets.ts";
import type { Orm } from "../orm/orm.ts";
import { idFormatOf, toTableId } from "../orm/records/record_ids.ts";
import type { ListArguments, ListField } from "./filter.ts";
import { selectedTypes } from "../shared/selection.ts";
import type { ResolverCall } from "./call.ts";
import { isIdRule } from "./filter_rules.ts";

/**
 * Plans a plural identifying root field, such as `nodes(ids: [ID!]!): [Node]!`: its only argument
 * is a required list of ids, and it has one entry for each of them, in their order. Unknown ids are
 * `null`, or left out if the list must not contain `null`. `undefined` for other fields.
 *
 * @see https://relay.dev/graphql/objectidentification.htm#sec-Plural-identifying-root-fields
 */
export function createIdLookup(
  orm: Orm,
  { parentType, field, types, models }: ListField,
  target: Target,
): ListArguments["byIds"] {
  const [argument, ...others] = field.args;
  const list = getNullableType(field.type);
  const isAtRoot = parentType === orm.graphQLSchema.getQueryType();
  if (argument === undefined || others.length > 0 || !isAtRoot || !isListType(list)) {
    return undefined;
  }
  const rule = filterRuleOf(argument, target);
  const isPlural = isRequiredArgument(argument) && isListType(getNullableType(argument.type));
  if (!isPlural || rule === undefined || !isIdRule(rule)) return undefined;
  // several types may have the same local id, and the selection names some of them
  const isGuess = models.length > 1 && idFormatOf(orm) === "local";
  return (call) => {
    const ordered = isGuess ? selectedTypes(types, call.info) : types;
    const records = idsOf(call, argument.name).map((id) => {
      for (const { name } of ordered) {
        const model = orm.models.ofType(name);
        const record = model && orm.store.of(model).find(toTableId(orm, model, id));
        if (record !== undefined) return record;
      }
      return null;
    });
    return isNonNullType(list.ofType) ? records.filter((record) => record !== null) : records;
  };
}

function idsOf({ args }: ResolverCall, name: string): readonly unknown[] {
  const ids = args[name];
  return Array.isArray(ids) ? ids : [];
}
