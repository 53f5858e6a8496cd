import { getNamedType, type GraphQLError } from "graphql";
import { createRulePredicate, type FilterContext } from "./filter_predicate.ts";
import { createFilterShape, filterRuleOf, type Rule } from "./filter_shape.ts";
import { inputFieldsOf, type InputValue } from "../schema/types.ts";
import type { Target } from "./targets.ts";
import type { Orm } from "../orm/orm.ts";
import { idFormatOf } from "../orm/records/record_ids.ts";
import { toLocalIds } from "../relay/global_id.ts";
import { UnresolvedField } from "../shared/unresolved_field.ts";
import type { ListArguments, ListField } from "./filter.ts";
import { createMemberReader, type Fits } from "./item.ts";

/** What is known about the other arguments of a list, and the records to choose from. */
interface Known extends Pick<ListArguments, "ignored" | "context" | "groups"> {
  readonly target: Target;
}

/** The filters of the arguments that conventions define and that name no attribute or relation. */
export function createFilterRules(
  orm: Orm,
  list: ListField,
  { ignored, context, groups, target }: Known,
): ListArguments["filters"] {
  const { conventions } = orm;
  const { words } = target;
  const filters = new Map<string, (expected: unknown) => Fits>();
  if (!conventions.filtering && !conventions.ids) return filters;
  const set = (path: readonly string[], rule: Rule) =>
    filters.set(path.join("."), createRuleFilter(orm, list, { name: path[0] ?? "", rule, target }));
  const add = (path: readonly string[], input: InputValue) => {
    const rule = filterRuleOf(input, target);
    const mayFilter = conventions.filtering && (words.isGuessing || words.isFilter(input.name));
    const shape = createFilterShape(input.type, target);
    if (rule === undefined && mayFilter && shape.isFilter) {
      set(path, { kind: "logic", word: "and", shape });
    }
    const isUsed = rule &&
      (isIdRule(rule) ? conventions.ids : conventions.filtering && words.isGuessing);
    if (rule && isUsed) set(path, rule);
  };
  for (const argument of list.field.args) {
    const { name } = argument;
    const group = groups.get(name);
    if (group !== undefined) {
      inputFieldsOf(argument.type).forEach((inner) => add([name, inner.name], inner));
    } else if (!ignored.has(name) && !context.has(name) && !list.isEquality(argument)) {
      add([name], argument);
    }
  }
  return filters;
}

/** Whether an argument identifies records by their own id. */
export function isIdRule(rule: Rule): boolean {
  return rule.kind === "value" && rule.member.name === "id" &&
    (rule.operator.comparison === "eq" || rule.operator.comparison === "in");
}

interface RuleOfArgument {
  readonly name: string;
  readonly rule: Rule;
  readonly target: Target;
}

function createRuleFilter(
  orm: Orm,
  list: ListField,
  { name, rule, target }: RuleOfArgument,
): (expected: unknown) => Fits {
  const context: FilterContext = {
    reader: createMemberReader(orm),
    words: target.words,
    toLocalIds: (typeName, ids) => toLocalIds(idFormatOf(orm), typeName, ids),
    onUnknown(key) {
      if (orm.conventions.unknownArguments === "error") throw cannotFilterBy(orm, list, name, key);
    },
  };
  const [only] = list.models.length === 1 ? list.models : [];
  return (expected) => {
    const fits = createRulePredicate(context, { rule, expected, target });
    return (value, model = only) => fits({ value, model }) === true;
  };
}

function cannotFilterBy(
  { shapeOf }: Orm,
  { parentType, field }: ListField,
  name: string,
  key: string,
): GraphQLError {
  const path = `${parentType.name}.${field.name}`;
  const named = getNamedType(field.type);
  const typeName = (shapeOf(named).nodeType ?? named).name;
  return new UnresolvedField(
    `Cannot filter ${path} by "${key}" of the argument "${name}": ${typeName} has no such ` +
      `attribute, and no operator has that name. Write a resolver for ${path} that handles "${name}"`,
    path,
  );
}
