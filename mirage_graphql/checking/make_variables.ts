import {
  type ASTNode,
  type DocumentNode,
  getNamedType,
  type GraphQLField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  isEnumType,
  isInputObjectType,
  isInputType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredInputField,
  isScalarType,
  Kind,
  typeFromAST,
  TypeInfo,
  type VariableDefinitionNode,
  visit,
  visitWithTypeInfo,
} from "graphql";
import { linkTo } from "../mutations/by_convention/parents.ts";
import { IDENTIFYING, keyNamed } from "../mutations/by_convention/references.ts";
import { returnedModels } from "../mutations/by_convention/returned_models.ts";
import { createMutationNames, createMutationWords } from "../mutations/mutation_name.ts";
import type { MirageRecord } from "../orm/mirage/mirage_schema.ts";
import { type MockModel, relationNamed } from "../orm/models/model_map.ts";
import type { Orm } from "../orm/orm.ts";
import { toResponseId } from "../orm/records/record_ids.ts";
import { fakeValue } from "../seeding/fake_value.ts";
import { fieldOf, isIdType } from "../schema/types.ts";
import { keyOf } from "../shared/names.ts";

/** Levels of input objects that have what they may leave out. */
const DEPTH = 1;

/** Values that only a page of results has; without them, a list begins with its first page. */
const PAGING = /^(after|before|last|cursor|offset|skip|page|pageNumber|start|from|endCursor)$/i;

/** Where a variable is used. */
interface Use {
  /** The field that has the argument. */
  readonly field: GraphQLField<unknown, unknown>;
  /** The argument, or the field of its input object. */
  readonly name: string;
}

/**
 * Makes up the variables of an operation, by their types, from the records of the mock: ids lead to
 * records, and values are those of one of them, except for what creates a record, whose values are new.
 * Variables with a default, and those that only a second page has, are left out.
 */
export function makeVariables(orm: Orm, document: DocumentNode): Record<string, unknown> {
  const uses = usesIn(orm, document);
  const maker = new VariableMaker(orm);
  const definitions = document.definitions.flatMap((one) =>
    one.kind === Kind.OPERATION_DEFINITION ? one.variableDefinitions ?? [] : []
  );
  return Object.fromEntries(definitions.flatMap((definition) => {
    const { name: { value: name } } = definition.variable;
    const type = inputTypeOf(orm, definition);
    if (type === undefined || definition.defaultValue !== undefined) return [];
    if (PAGING.test(name) && !isNonNullType(type)) return [];
    const use = uses.get(name);
    const isOfModel = use !== undefined && /^ids?$/.test(use.name) &&
      orm.models.models.some((model) => keyNamed(orm, model, name) === "id");
    const place = use ?? { field: undefined, name };
    const value = maker.topValue(type, isOfModel ? { ...place, name } : place);
    return value === undefined ? [] : [[name, value]];
  }));
}

function inputTypeOf(
  { graphQLSchema }: Orm,
  { type }: VariableDefinitionNode,
): GraphQLInputType | undefined {
  const found = typeFromAST(graphQLSchema, type);
  return isInputType(found) ? found : undefined;
}

/** The first use of each variable. */
function usesIn({ graphQLSchema }: Orm, document: DocumentNode): ReadonlyMap<string, Use> {
  const uses = new Map<string, Use>();
  const types = new TypeInfo(graphQLSchema);
  visit(
    document,
    visitWithTypeInfo(types, {
      Variable(node, _key, parent) {
        const field = types.getFieldDef();
        if (!field || uses.has(node.name.value)) return;
        uses.set(node.name.value, { field, name: placeName(parent) ?? node.name.value });
      },
    }),
  );
  return uses;
}

function placeName(parent: ASTNode | readonly ASTNode[] | undefined): string | undefined {
  if (parent === undefined || !("kind" in parent)) return undefined;
  const isNamed = parent.kind === Kind.ARGUMENT || parent.kind === Kind.OBJECT_FIELD;
  return isNamed ? parent.name.value : undefined;
}

/** What values are made for. */
interface Subject {
  readonly field: Use["field"] | undefined;
  readonly model: MockModel | undefined;
  /** Whether the values are those of a new record. */
  readonly isNew: boolean;
  /** Whether an id of the field's own model is that of a new record, too. */
  readonly hasNewId: boolean;
  readonly isMutation: boolean;
}

class VariableMaker {
  readonly #orm: Orm;
  readonly #names;
  #count = 0;

  constructor(orm: Orm) {
    this.#orm = orm;
    this.#names = createMutationNames(
      orm.models.models,
      createMutationWords(orm.conventions.dialects),
    );
  }

  topValue(
    type: GraphQLInputType,
    { field, name }: { readonly field: Use["field"] | undefined; readonly name: string },
  ): unknown {
    const mutations = this.#orm.graphQLSchema.getMutationType()?.getFields() ?? {};
    const isMutation = field !== undefined && mutations[field.name] === field;
    const isNew = isMutation && this.#names.verb(field.name) === "create";
    const named = field && this.#modelOf(field);
    const returned = field === undefined ? [] : returnedModels(this.#orm, field.type).models;
    // `cartLinesAdd(id, lines)` returns the cart that the id is of
    const isInside = isNew && named !== undefined && returned.length > 0 &&
      !returned.includes(named);
    const model = isInside ? returned[0] : named;
    const hasNewId = isMutation && this.#names.creates(field.name) &&
      this.#names.object(field.name) === model;
    const subject = { field, model, isNew, hasNewId, isMutation };
    const isFilter = isInputObjectType(getNamedType(type)) && !isMutation;
    return isFilter && !isNonNullType(type) ? undefined : this.#value(type, name, subject, 0);
  }

  #modelOf({ name, type }: GraphQLField<unknown, unknown>): MockModel | undefined {
    const { models, shapeOf } = this.#orm;
    const named = getNamedType(type);
    const { nodeType = named } = shapeOf(named);
    const inPayload = isObjectType(nodeType)
      ? Object.values(nodeType.getFields()).flatMap((one) =>
        models.ofType(getNamedType(one.type).name) ?? []
      )
      : [];
    return models.ofType(nodeType.name) ?? this.#names.object(name) ?? inPayload[0] ??
      this.#names.mentioned(name)[0];
  }

  #value(type: GraphQLInputType, name: string, subject: Subject, depth: number): unknown {
    if (isNonNullType(type)) return this.#value(type.ofType, name, subject, depth);
    if (isListType(type)) return [this.#value(type.ofType, name, subject, depth)];
    if (isInputObjectType(type)) return this.#object(type, subject, depth);
    if (isEnumType(type)) return type.getValues()[0]?.name;
    if (!isScalarType(type)) return undefined;
    return isIdType(type) || /^_?(ids?|.+(Ids?|_ids?|IDs?))$/.test(name)
      ? this.#named(name, subject) ?? this.#id(name, subject, type.name)
      : this.#leaf(name, subject) ?? this.#related(name, subject, type.name) ??
        fakeValue(this.#orm.graphQLSchema, type, {
          typeName: subject.model?.typeName ?? "Query",
          fieldName: name,
          index: 100 + this.#count++,
        });
  }

  #object(type: GraphQLInputObjectType, subject: Subject, depth: number): Record<string, unknown> {
    const fields = Object.values(type.getFields());
    const isOneOf = "isOneOf" in type && type.isOneOf === true;
    const given = isOneOf ? fields.slice(0, 1) : fields.filter((field) => {
      if (isRequiredInputField(field)) return depth < 8;
      const isPlain = !isInputObjectType(getNamedType(field.type));
      return subject.isMutation && depth < DEPTH && isPlain && field.name !== "clientMutationId";
    });
    return Object.fromEntries(given.flatMap((field) => {
      const value = this.#value(field.type, field.name, subject, depth + 1);
      return value === undefined ? [] : [[field.name, value]];
    }));
  }

  /** A `slug: ID!` or an `articleSlug: ID!` is what a record has, if it is not the id. */
  #named(name: string, { model, isNew }: Subject): unknown {
    if (/ids?$/i.test(name)) return undefined;
    const models = [...model === undefined || isNew ? [] : [model], ...this.#orm.models.models];
    const values = models.flatMap((one, index) => {
      const isOwn = index === 0 && one === model && relationNamed(one, name) === undefined;
      const key = isOwn
        ? fieldOf(this.#orm.graphQLSchema, one.typeName, name)?.name
        : keyNamed(this.#orm, one, name);
      return key === undefined ? [] : this.#records(one).map((record) => record[key]);
    });
    return values.find((value) => typeof value === "string" || typeof value === "number");
  }

  /** The id of a record: of the model in the name, or of what the field is about. */
  #id(name: string, { field, model, hasNewId }: Subject, typeName: string): unknown {
    const key = keyOf(name);
    const isOwn = ["id", "ids", keyOf(model?.key?.name ?? "id")].includes(key);
    if (isOwn && hasNewId) {
      return typeName === "Int" ? 1_000 + this.#count++ : `new-${this.#count++}`;
    }
    const stem = keyOf(name.replace(/_?ids?$/i, ""));
    const named = this.#orm.models.models.find((one) => keyOf(one.typeName) === stem);
    const { modelName } = (model && relationNamed(model, name)) ?? {};
    const related = modelName === undefined ? undefined : this.#orm.models.ofModel(modelName);
    const target = named ?? related ?? this.#memberNamed(stem, field) ?? model;
    const records = target === undefined ? [] : this.#records(target);
    // what is merged is another record than what is kept
    const record = records[/^(source|from|duplicate)/.test(name) ? 1 : 0] ?? records[0];
    const id = record?.id ?? this.#anyId();
    if (typeName === "Int") return Number(id);
    return String(toResponseId(this.#orm, target, id));
  }

  /**
   * A model that the payload has in an abstract field, as `starrable` is that of `starrableId`: one that
   * has a list of what the mutation returns, such as the subject of a comment, or else any with records.
   */
  #memberNamed(stem: string, field: Use["field"] | undefined): MockModel | undefined {
    const payload = field && getNamedType(field.type);
    const fields = isObjectType(payload) ? Object.values(payload.getFields()) : [];
    const type = fields.find(({ name }) => keyOf(name) === stem)?.type;
    if (field === undefined || type === undefined) return undefined;
    const members = returnedModels(this.#orm, type).models
      .filter((one) => this.#records(one).length > 0);
    const [returned] = returnedModels(this.#orm, field.type).models;
    const holder = members.find((one) => returned && linkTo(returned, one) !== undefined);
    return holder ?? members[0];
  }

  #anyId(): unknown {
    const { models } = this.#orm.models;
    return models.map((model) => this.#records(model)[0]?.id).find((id) => id !== undefined) ?? "1";
  }

  /** What leads to a record by a relation: `groups: [Int]` by ids, `channel: String` by a slug. */
  #related(name: string, { model }: Subject, typeName: string): unknown {
    const { modelName } = (model && relationNamed(model, name)) ?? {};
    const related = modelName === undefined ? undefined : this.#orm.models.ofModel(modelName);
    const [record] = related === undefined ? [] : this.#records(related);
    if (record === undefined) return undefined;
    if (typeName === "Int") return Number(record.id);
    const key = Object.keys(record).find((one) => IDENTIFYING.test(one));
    return key === undefined || typeName !== "String" ? undefined : record[key];
  }

  /** The value of the first record that has one. */
  #leaf(name: string, { model, isNew }: Subject): unknown {
    if (model === undefined || isNew) return undefined;
    const values = this.#records(model).map((record) => record[name]);
    const found = values.find((value) => value !== undefined && value !== null);
    return typeof found === "object" ? undefined : found;
  }

  #records(model: MockModel): readonly MirageRecord[] {
    return this.#orm.store.of(model).select().map((record) => ({ ...record }));
  }
}
