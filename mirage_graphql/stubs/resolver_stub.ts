import {
  getNamedType,
  getNullableType,
  type GraphQLField,
  type GraphQLOutputType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
} from "graphql";
import type { MockModel } from "../orm/models/model_map.ts";
import {
  type FieldInput,
  inputsOf,
  type RecordInput,
  recordInput,
  relationInputs,
  valueInputs,
} from "./field_inputs.ts";
import { mirageName, modelOf, payloadModel, resultText } from "./result_text.ts";
import type { StubRules } from "./stub_rules.ts";
import { createTypeText, type TypeText } from "./type_text.ts";

type Field = GraphQLField<unknown, unknown>;

/** Longer calls have a line for each value. */
const MAX_WIDTH = 88;

/** A resolver to begin with. */
export interface ResolverStub {
  readonly typeName: string;
  readonly fieldName: string;
  /** The member of the type's object of resolvers, without an indent and a comma at its end. */
  readonly code: string;
  /** What it imports from this package. */
  readonly imports: readonly string[];
}

/** How stubs are written. */
export interface StubOptions {
  /** Writes the types of arguments; `undefined` for JavaScript. @default {types in place} */
  readonly types?: TypeText | undefined;
}

/** What a body is made of. */
interface Subject {
  readonly rules: StubRules;
  readonly field: Field;
  readonly inputs: readonly FieldInput[];
  readonly isMutation: boolean;
  /** What the call is about. */
  readonly model: MockModel | undefined;
}

/**
 * Writes a resolver for a field, which finds, creates, updates or deletes the records that its types,
 * its arguments and its name suggest, and returns a value of its type; `undefined` if the schema has
 * no such field. It is what to begin with: only its author knows what the field does.
 */
export function createStub(
  rules: StubRules,
  { typeName, fieldName }: Pick<ResolverStub, "typeName" | "fieldName">,
  options: StubOptions = {},
): ResolverStub | undefined {
  const { orm } = rules;
  const types = "types" in options ? options.types : createTypeText(rules, false);
  const type = orm.graphQLSchema.getType(typeName);
  const field = isObjectType(type) ? type.getFields()[fieldName] : undefined;
  if (field === undefined || type === undefined) return undefined;
  const inputs = inputsOf(field);
  const isMutation = orm.mutationTypes.has(type);
  const subject = { rules, field, inputs, isMutation, model: subjectOf(rules, field) };
  if (type === orm.graphQLSchema.getSubscriptionType()) {
    return { typeName, fieldName, ...subscriptionStub(subject) };
  }
  const body = isMutation ? mutationBody(subject) : queryBody(subject);
  const code = [`${fieldName}(${parameters(field, body, types)}) {`, ...body.map(indent), "}"];
  return { typeName, fieldName, code: code.join("\n"), imports: [] };
}

/** The model of the field's type or of what a payload has, else the one in its name. */
function subjectOf(rules: StubRules, { name, type }: Field): MockModel | undefined {
  const { names } = rules;
  const named = getNamedType(type);
  const inName = names.object(name) ?? names.mentioned(name)[0];
  return modelOf(rules, named) ??
    (isObjectType(named) ? payloadModel(rules, named, inName) : undefined) ?? inName;
}

function parameters(field: Field, body: readonly string[], types: TypeText | undefined): string {
  const uses = (word: RegExp) => body.some((line) => word.test(line));
  const [hasArgs, hasSchema] = [uses(/\bargs\b/), uses(/\bmockSchema\b/)];
  const typed = types === undefined ? "args" : `args: ${types.ofArguments(field.args)}`;
  const args = hasArgs ? `_obj, ${typed}` : hasSchema ? "_obj, _args" : "";
  return hasSchema ? `${args}, { mockSchema }` : args;
}

function queryBody(subject: Subject): string[] {
  const { rules, field, inputs, model } = subject;
  const found = model && recordInput(rules, model, inputs, false);
  const isSingle = !isListed(field.type) &&
    rules.orm.shapeOf(getNamedType(field.type)).kind === "object";
  if (model !== undefined && isSingle && modelOf(rules, getNamedType(field.type)) === model) {
    if (found === undefined) return [`return mockSchema.first(${quoted(mirageName(model))});`];
    const lookup = findText(subject, model, found);
    if (!isNonNullType(field.type)) return [`return ${lookup};`];
    return [...foundLines(model, lookup, found), `return ${variableOf(model)};`];
  }
  const filters = model === undefined ? [] : valueInputs(rules, model, inputs)
    .filter(({ input }) => input.isRequired && !input.isList)
    .map(memberText);
  if (model !== undefined && filters.length > 0 && !isSingle) {
    const where = `{ ${filters.join(", ")} }`;
    return [`return mockSchema.where(${quoted(mirageName(model))}, ${where}).models;`];
  }
  return [`return ${valueOf(subject)};`];
}

function mutationBody(subject: Subject): string[] {
  const { rules, field, inputs, model } = subject;
  const { names } = rules;
  if (model === undefined) return [`return ${valueOf(subject)};`];
  const verb = names.verb(field.name);
  const own = recordInput(rules, model, inputs, true);
  // `checkoutLinesAdd(checkoutId)` creates no checkout
  const isCreation = names.creates(field.name) &&
    (own === undefined || names.object(field.name) === model);
  const found = isCreation ? own : recordInput(rules, model, inputs, false);
  const variable = variableOf(model);
  const values = valueInputs(rules, model, inputs)
    .filter(({ input }) => input !== found?.input);
  const result = `return ${valueOf(subject, variable)};`;
  const isNew = isCreation || found === undefined && values.length > 0 &&
      !inputs.some(({ isId }) => isId);
  if (isNew) return [...creationLines(subject, model, own ? [own, ...values] : values), result];
  if (found !== undefined) {
    const mentioned = names.mentioned(field.name);
    // `removeCompletedTodos(userId)` removes no user
    const isChanged = mentioned.length === 0 || mentioned.includes(model);
    return [
      ...foundLines(model, findText(subject, model, found), found),
      ...isChanged ? changeLines(verb === "delete", variable, values) : [],
      result,
    ];
  }
  return [`return ${valueOf(subject)};`];
}

/** Finds the record, or throws, so that no other one is changed. */
function foundLines(model: MockModel, lookup: string, { input }: RecordInput): string[] {
  const variable = variableOf(model);
  const state = `there is no such ${model.typeName}`;
  return [
    `const ${variable} = ${lookup};`,
    `if (!${variable}) throw new Error(\`Cannot find "\${${input.code}}": ${state}\`);`,
  ];
}

function findText({ rules }: Subject, model: MockModel, { attribute, input }: RecordInput): string {
  const { idFormat } = rules.orm.conventions;
  const local = idFormat === "local" || attribute !== "id"
    ? input.code
    : `${
      idFormat === "global" ? `String(${input.code})` : `atob(${input.code})`
    }.split(":").at(-1)`;
  const where = `{ ${attribute}: ${local} }`;
  const name = quoted(mirageName(model));
  const isOptional = !input.isRequired && !input.code.includes("??");
  const lookup = `mockSchema.findBy(${name}, ${where})`;
  // without an id, it is about the user, or about what exists once
  return isOptional ? `${input.code} ? ${lookup} : mockSchema.first(${name})` : lookup;
}

function changeLines(
  isDeletion: boolean,
  variable: string,
  values: readonly RecordInput[],
): string[] {
  if (isDeletion) return [`${variable}.destroy();`];
  if (values.length === 0) return [];
  const members = values.map((value) =>
    `${memberText(value)}${value.input.isRequired ? "" : ` ?? ${variable}.${value.attribute}`}`
  );
  return callLines(`${variable}.update(`, members);
}

function creationLines(
  { rules, inputs }: Subject,
  model: MockModel,
  values: readonly RecordInput[],
): string[] {
  const relations = relationInputs(rules, model, inputs);
  const given = [
    ...values.map(memberText),
    ...Array.from(relations, ([key, { code }]) => `${key}: ${code}`),
    ...requiredOf(
      rules,
      model,
      new Set([...values.map(({ attribute }) => attribute), ...relations.keys()]),
    ),
  ];
  const start = `const ${variableOf(model)} = mockSchema.create(${quoted(mirageName(model))}`;
  return given.length === 0 ? [`${start});`] : callLines(`${start}, `, given);
}

/** A call with an object: in one line if that is short. */
function callLines(start: string, members: readonly string[]): string[] {
  const line = `${start}{ ${members.join(", ")} });`;
  if (line.length <= MAX_WIDTH) return [line];
  return [`${start}{`, ...members.map((member) => indent(`${member},`)), "});"];
}

/** The values that a record must have, and that the call doesn't give. */
function requiredOf(
  { orm, leafDefault }: StubRules,
  model: MockModel,
  given: ReadonlySet<string>,
): string[] {
  const type = orm.graphQLSchema.getType(model.typeName);
  const fields = isObjectType(type) ? Object.values(type.getFields()) : [];
  return fields.flatMap(({ name, type: fieldType }) => {
    const isId = name === "id" || name === model.key?.name;
    if (!isNonNullType(fieldType) || isId || given.has(name)) return [];
    const relation = model.relations.get(name);
    if (relation !== undefined) {
      if (relation.isList || relation.modelName === undefined) return [];
      const target = orm.models.ofModel(relation.modelName);
      if (target === undefined || given.has(relation.foreignKey)) return [];
      return [`${relation.association}: mockSchema.first(${quoted(mirageName(target))})`];
    }
    if (isListType(fieldType.ofType)) return [`${name}: []`];
    const named = getNamedType(fieldType);
    return isLeafType(named)
      ? [`${name}: ${JSON.stringify(leafDefault(named, name) ?? null)}`]
      : [];
  });
}

function memberText({ attribute, input }: RecordInput): string {
  return `${attribute}: ${input.code}`;
}

function valueOf({ rules, field, inputs, model }: Subject, variable?: string): string {
  const record = variable === undefined || model === undefined
    ? undefined
    : { code: variable, model };
  return resultText(field.type, { rules, record, inputs }, { name: field.name, depth: 0 });
}

/** What is created is reported by default; without a model, there is one event. */
function subscriptionStub(subject: Subject): Pick<ResolverStub, "code" | "imports"> {
  const { rules, field: { name, type }, model } = subject;
  if (model !== undefined && modelOf(rules, getNamedType(type)) === model && !isListed(type)) {
    const code = `${name}: changesOf(${quoted(mirageName(model))}, "created")`;
    return { code, imports: ["changesOf"] };
  }
  const value = valueOf(subject);
  const hasSchema = value.includes("mockSchema");
  const context = hasSchema ? "_obj: unknown, _args: unknown, { mockSchema }: MockContext" : "";
  const lines = [
    `${name}: {`,
    indent(`async *subscribe(${context}) {`),
    indent(indent(`yield { ${name}: ${value} };`)),
    indent("},"),
    "}",
  ];
  return { code: lines.join("\n"), imports: hasSchema ? ["type MockContext"] : [] };
}

const RESERVED = new Set(
  ("arguments await break case catch class const continue debugger default delete do else enum eval " +
    "export extends false finally for function if implements import in instanceof interface let new " +
    "null package private protected public return static super switch this throw true try typeof " +
    "undefined var void while with yield args mockSchema")
    .split(" "),
);

/** The variable for a record: `blogPost`. */
function variableOf(model: MockModel): string {
  const name = mirageName(model);
  return RESERVED.has(name) ? `${name}Record` : name;
}

function quoted(text: string): string {
  return JSON.stringify(text);
}

function indent(line: string): string {
  return `  ${line}`;
}

function isListed(type: GraphQLOutputType): boolean {
  return isListType(getNullableType(type));
}
