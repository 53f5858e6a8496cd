import { getNamedType, type GraphQLInputType, isEnumType, isInputObjectType } from "graphql";
import { keyOf } from "../shared/names.ts";
import { isGiven, isObject } from "../shared/values.ts";
import type { Item } from "./item.ts";
import type { ListWords, Operator } from "./list_words.ts";
import { type FilterContext, keyPredicate, valuePredicate } from "./member_predicates.ts";
import { allOf, createTest, type Predicate } from "./value_predicates.ts";
import type { Member } from "./targets.ts";

/** The fields of an input object in which the operator of a value is another value. */
export interface ModifiedFields {
  /** The operand. */
  readonly value: string;
  /** The second operand, of a range. */
  readonly second: string | undefined;
  readonly operator: string;
}

const VALUE = /^(value|values)$/;
const SECOND = /^(value2|secondvalue|valueto|maxvalue)$/;
const OPERATOR = /^(modifier|operator|op|comparator|comparison|operation|condition|predicate)$/;

/**
 * The roles of the fields of `{ value: 5, modifier: GREATER_THAN }`; `undefined` for a type without a
 * value and an enum of operators.
 */
export function modifiedFields(
  words: ListWords,
  type: GraphQLInputType,
): ModifiedFields | undefined {
  const named = getNamedType(type);
  if (!words.isGuessing || !isInputObjectType(named)) return undefined;
  const fields = Object.values(named.getFields());
  const find = (pattern: RegExp) => fields.find(({ name }) => pattern.test(keyOf(name)));
  const [value, operator] = [find(VALUE), find(OPERATOR)];
  const values = operator && getNamedType(operator.type);
  if (value === undefined || operator === undefined || !isEnumType(values)) return undefined;
  const isOperator = values.getValues().some(({ name }) => words.operator(name) !== undefined);
  return isOperator
    ? { value: value.name, second: find(SECOND)?.name, operator: operator.name }
    : undefined;
}

/** What such an object restricts: the values of an attribute, or the ids or names of a relation. */
export function modifiedPredicate(
  context: FilterContext,
  { member, fields }: { readonly member: Member; readonly fields: ModifiedFields },
  given: unknown,
): Predicate<Item> {
  if (!isObject(given)) return () => true;
  const name = String(given[fields.operator] ?? "eq");
  const operator = context.words.operator(name);
  if (operator === undefined) {
    context.onUnknown(name);
    return () => true;
  }
  const expected = operandOf(operator, fields, given);
  return member.kind === "relation"
    ? relatedPredicate(context, member, operator, expected)
    : valuePredicate(context, member, {
      expected,
      toTest: (value) => createTest(operator, value),
    });
}

function operandOf(
  { comparison }: Operator,
  { value, second = "" }: ModifiedFields,
  given: Readonly<Record<string, unknown>>,
): unknown {
  return comparison === "between" && !Array.isArray(given[value])
    ? [given[value], given[second]]
    : given[value];
}

/** Compares with each related record: `INCLUDES` needs one of the ids, `INCLUDES_ALL` each. */
function relatedPredicate(
  context: FilterContext,
  member: Member,
  operator: Operator,
  expected: unknown,
): Predicate<Item> {
  const { comparison } = operator;
  const plain = { ...operator, comparison: "in" as const };
  if (comparison === "all") {
    const each = [expected].flat().filter(isGiven);
    return allOf(each.map((one) => keyPredicate(context, { member, operator: plain }, one)));
  }
  const isList = comparison === "contains" || comparison === "eq";
  return keyPredicate(context, { member, operator: isList ? plain : operator }, expected);
}
