import {
  getNamedType,
  getNullableType,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLNamedType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
} from "graphql";
import type { MockModel } from "../orm/models/model_map.ts";
import type { StubRules } from "./stub_rules.ts";

/** A value that a call may have: an argument, or a field of an argument that is an input object. */
export interface FieldInput {
  readonly name: string;
  /** How a resolver reads it: `args.input.title`. */
  readonly code: string;
  readonly type: GraphQLNamedType;
  readonly isList: boolean;
  readonly isId: boolean;
  /** Whether each call has it. */
  readonly isRequired: boolean;
}

/** The values of a call, those of input objects after the arguments. */
export function inputsOf({ args }: GraphQLField<unknown, unknown>): readonly FieldInput[] {
  return args.flatMap((argument) => {
    const own = toInput(argument, "args", true);
    if (own.isList || !isInputObjectType(own.type)) return [own];
    return [
      own,
      ...Object.values(own.type.getFields()).map((field) =>
        toInput(field, own.code, own.isRequired)
      ),
    ];
  });
}

function toInput(
  { name, type }: GraphQLArgument | GraphQLInputField,
  parent: string,
  hasParent: boolean,
): FieldInput {
  return {
    name,
    code: `${parent}${hasParent ? "" : "?"}.${name}`,
    type: getNamedType(type),
    isList: isListType(getNullableType(type)),
    isId: String(getNullableType(type)) === "ID",
    isRequired: hasParent && isNonNullType(type),
  };
}

/** An attribute of a record, and the value of a call for it: `slug: args.slug`. */
export interface RecordInput {
  /** Name of the attribute. */
  readonly attribute: string;
  readonly input: FieldInput;
}

/** Attributes that identify one record if a call has one of them and no id. */
const UNIQUE = /^(slug|handle|user_?name|login|code|key|sku|e?mail|number|token|name)$/i;

/**
 * How the call says which record of a model it is about: by its id, by the only id, or by an attribute
 * such as `slug`; `undefined` if it doesn't.
 *
 * @param isOther Whether an id of another record is none of it, as in what creates a record.
 */
export function recordInput(
  rules: StubRules,
  model: MockModel,
  inputs: readonly FieldInput[],
  isOther: boolean,
): RecordInput | undefined {
  const { orm, keyOf, relationNamed } = rules;
  const { typeName, key } = model;
  const names = new Set([key?.name ?? "id", `${typeName}Id`, typeName].map(keyOf));
  const isCounted = ({ name, type }: FieldInput) =>
    keyOf(name) === "id" && isLeafType(type) || keyOf(name) === keyOf(`${typeName}Id`);
  const own = inputs.filter((one) =>
    !one.isList && (one.isId && names.has(keyOf(one.name)) || isCounted(one))
  );
  const [first] = own;
  const required = own.find((one) => one.isRequired);
  if (first !== undefined) {
    // any of several that a call may leave out
    const code = own.map((one) => one.code).join(" ?? ");
    return { attribute: "id", input: required ?? { ...first, code } };
  }
  if (isOther) return undefined;
  const isOfOther = (name: string) =>
    relationNamed(model, name) !== undefined || otherModel(rules, name) !== undefined;
  const ids = inputs.filter(({ isId, name }) => isId && !isOfOther(name));
  const [only] = ids;
  if (only !== undefined && ids.length === 1) return { attribute: "id", input: only };
  const type = orm.graphQLSchema.getType(typeName);
  const fields = isObjectType(type) ? type.getFields() : {};
  const unique = inputs.find((one) =>
    !one.isList && one.isRequired && UNIQUE.test(one.name) && fields[one.name] !== undefined
  );
  return unique && { attribute: unique.name, input: unique };
}

/** The model that the name of an id has before its end, as `userId` does. */
export function otherModel(
  { orm: { models }, keyOf }: StubRules,
  name: string,
): MockModel | undefined {
  const stem = keyOf(name.replace(/_?(id|ID|Id)$/, ""));
  return models.models.find(({ typeName }) => keyOf(typeName) === stem);
}

/**
 * The values of a call that a record of a model can have, except for its id: by the name of the field,
 * or by the only Boolean that begins with it, as `completed` does for `complete`.
 */
export function valueInputs(
  { orm, keyOf }: StubRules,
  model: MockModel,
  inputs: readonly FieldInput[],
): readonly RecordInput[] {
  const type = orm.graphQLSchema.getType(model.typeName);
  const fields = Object.values(isObjectType(type) ? type.getFields() : {})
    .filter(({ name }) => name !== "id" && name !== model.key?.name);
  const fits = (input: FieldInput, field: GraphQLField<unknown, unknown>) =>
    isLeafType(input.type) && isLeafType(getNamedType(field.type)) &&
    input.isList === isListType(getNullableType(field.type));
  return inputs.flatMap((input) => {
    const own = fields.find(({ name }) => name === input.name);
    if (own !== undefined) return fits(input, own) ? [{ attribute: own.name, input }] : [];
    const [only, ...others] = fields.filter((field) =>
      fits(input, field) && getNamedType(field.type).name === "Boolean" &&
      input.type.name === "Boolean" && keyOf(field.name).includes(keyOf(input.name))
    );
    return only === undefined || others.length > 0 ? [] : [{ attribute: only.name, input }];
  });
}

/** The ids of a call that a new record of a model needs, by the attribute that Mirage keeps them in. */
export function relationInputs(
  { relationNamed }: StubRules,
  model: MockModel,
  inputs: readonly FieldInput[],
): ReadonlyMap<string, FieldInput> {
  return new Map(
    inputs.flatMap((input) => {
      const relation = input.isRequired && isLeafType(input.type)
        ? relationNamed(model, input.name)
        : undefined;
      const isUsable = relation?.modelName !== undefined && relation.isList === input.isList;
      return isUsable ? [[relation.foreignKey, input] as const] : [];
    }),
  );
}
