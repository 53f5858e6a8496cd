import {
  getNamedType,
  getNullableType,
  type GraphQLInputType,
  GraphQLInt,
  isEnumType,
  isInputObjectType,
  isListType,
} from "graphql";
import type { QuantifierName } from "../dialects/dialect.ts";
import type { ListWords, Logic, Operator } from "./list_words.ts";
import type { InputValue } from "../schema/types.ts";
import type { Member, Target } from "./targets.ts";
import { countedKey, keyOf, wordsOf } from "../shared/names.ts";

/** What a field of a filter's input object restricts. */
export type Rule =
  /** Several filters of the same records. */
  | { readonly kind: "logic"; readonly word: Logic; readonly shape: FilterShape }
  /** One operator for the values of a member. */
  | { readonly kind: "value"; readonly member: Member; readonly operator: Operator }
  /** An input object with operators for the values of a member. */
  | { readonly kind: "operators"; readonly member: Member; readonly type: GraphQLInputType }
  /** A filter of the records that a relation leads to. */
  | {
    readonly kind: "relation";
    readonly member: Member;
    readonly quantifier: QuantifierName;
    readonly shape: FilterShape;
  }
  /** Members that have to have a value: `has: [title, author]`. */
  | { readonly kind: "has" }
  /** Aggregates of related records: `posts_aggregate: { count: { predicate: { _gt: 1 } } }`. */
  | { readonly kind: "aggregate"; readonly member: Member; readonly shape: FilterShape }
  /** A value, beside which another one is its operator: `{ value: 5, modifier: GREATER_THAN }`. */
  | { readonly kind: "modified"; readonly member: Member; readonly fields: ModifiedFields }
  /** Texts to find in any of the attributes. */
  | { readonly kind: "search" };

/** The operator of a plain value. */
export const EQUAL: Operator = { comparison: "eq", isNegated: false, isInsensitive: false };
/** The operator of a list of values. */
const ONE_OF: Operator = { comparison: "in", isNegated: false, isInsensitive: false };

/** What the fields of a filter's input object restrict, by their names. */
export interface FilterShape {
  readonly target: Target;
  /** The rule of a field; `undefined` if its name and its type match no rule. */
  rule(name: string): Rule | undefined;
  /** Whether any of its fields has a rule. */
  readonly isFilter: boolean;
  /** The type of a field. */
  typeOf(name: string): GraphQLInputType | undefined;
}

/** Reads an input type as the filter of some records; its fields are read on demand. */
export function createFilterShape(type: GraphQLInputType, target: Target): FilterShape {
  const named = getNamedType(type);
  const fields = isInputObjectType(named) ? named.getFields() : {};
  const rules = new Map<string, Rule | undefined>();
  const ruleOf = (name: string): Rule | undefined => {
    const field = fields[name];
    if (field !== undefined && !rules.has(name)) rules.set(name, filterRuleOf(field, target));
    return rules.get(name);
  };
  return {
    target,
    rule: ruleOf,
    typeOf: (name) => fields[name]?.type,
    get isFilter() {
      return Object.keys(fields).some((name) => ruleOf(name) !== undefined);
    },
  };
}

/** What an argument, or a field of a filter's input object, restricts. */
export function filterRuleOf(input: InputValue, target: Target): Rule | undefined {
  const { name, type } = input;
  const isObject = isInputObjectType(getNamedType(type));
  const words = wordsOf(name);
  const logic = isObject ? target.words.logic(name) : undefined;
  if (logic !== undefined) {
    return { kind: "logic", word: logic, shape: createFilterShape(type, target) };
  }
  const found = findMember(words, target) ?? enumMember(type, target);
  if (found !== undefined) return ruleOfMember(input, target, found);
  if (words.join() === "has" && isMemberEnum(type, target)) return { kind: "has" };
  const isSearch = words.some((one) => target.words.means("search", one)) && words.length <= 2 ||
    target.words.isGuessing && words.join() === "filter" && getNamedType(type).name === "String";
  return !isObject && isSearch ? { kind: "search" } : undefined;
}

/** A member, and what follows it in a name such as `title_not_contains`. */
interface Found {
  readonly member: Member;
  readonly rest: string;
}

function ruleOfMember(
  { type }: InputValue,
  target: Target,
  { member, rest }: Found,
): Rule | undefined {
  const isObject = isInputObjectType(getNamedType(type));
  const fields = rest === "" ? modifiedFields(target.words, type) : undefined;
  if (fields !== undefined) return { kind: "modified", member, fields };
  if (isObject && member.kind === "relation" && member.target !== undefined) {
    if (rest === "aggregate") {
      return { kind: "aggregate", member, shape: createFilterShape(type, member.target) };
    }
    const quantifier = quantifierOf(target, rest);
    const shape = createFilterShape(type, member.target);
    return quantifier && { kind: "relation", member, quantifier, shape };
  }
  if (isObject) return rest === "" ? { kind: "operators", member, type } : undefined;
  const isMany = isListType(getNullableType(type));
  const operator = rest !== "" ? target.words.operator(rest) : isMany ? ONE_OF : EQUAL;
  return operator && { kind: "value", member, operator };
}

/** Which of the related records have to match by a name between; by default, one of them. */
export function quantifierOf({ words }: Target, name: string): QuantifierName | undefined {
  return words.quantifier(name) ?? (name === "" ? "some" : undefined);
}

/** The only attribute of an enum's type, whatever the input is called: `states: [IssueState!]`. */
function enumMember(type: GraphQLInputType, target: Target): Found | undefined {
  const named = getNamedType(type);
  if (!isEnumType(named)) return undefined;
  const [member, ...others] = target.members.filter((one) => getNamedType(one.type) === named);
  return member && others.length === 0 ? { member, rest: "" } : undefined;
}

/** Whether an enum's values are the names of members. */
function isMemberEnum(type: GraphQLInputType, target: Target): boolean {
  const named = getNamedType(type);
  return isEnumType(named) &&
    named.getValues().every(({ name }) => target.find(keyOf(name)) !== undefined);
}

/** The longest start of a name that is a member, if an operator or nothing follows it. */
function findMember(words: readonly string[], target: Target): Found | undefined {
  for (let length = words.length; length > 0; length--) {
    const rest = words.slice(length).join("");
    if (
      rest !== "" && target.words.operator(rest) === undefined && !isAboutRelation(target, rest)
    ) continue;
    const member = memberNamed(words.slice(0, length), target) ??
      countOf(words.slice(0, length), target);
    if (member !== undefined) return { member, rest };
  }
  const [first = "", ...others] = words;
  if (!/^(min|max|from|to|since|until|after|before|not)$/.test(first)) return undefined;
  const member = others.length > 0 ? memberNamed(others, target) : undefined;
  return member && { member, rest: first };
}

function isAboutRelation(target: Target, rest: string): boolean {
  return rest === "aggregate" || quantifierOf(target, rest) !== undefined;
}

/** The number of related records, which no field has: `postsCount` of a type with `posts`. */
function countOf(words: readonly string[], target: Target): Member | undefined {
  const name = words.join("_");
  const counted = target.find(countedKey(name) ?? "");
  if (counted?.kind !== "relation" || !counted.isList) return undefined;
  return {
    name,
    kind: "attribute",
    isList: false,
    type: GraphQLInt,
    target: undefined,
    counted,
  };
}

/** A member by its words, or by their plural, or the id of the records by their type's name. */
function memberNamed(words: readonly string[], target: Target): Member | undefined {
  const last = words.at(-1) ?? "";
  const start = words.slice(0, -1).join("");
  const found = target.find(words.join("")) ?? target.findPlural(words.join(""));
  if (found !== undefined) return found;
  if (last !== "id" && last !== "ids" || start === "") return undefined;
  const isOwn = target.types.some(({ name }) => keyOf(name) === start);
  return isOwn ? target.find("id") : undefined;
}

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
function modifiedFields(
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
