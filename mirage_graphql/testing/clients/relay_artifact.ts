import {
  buildSchema,
  type FieldNode,
  getNamedType,
  getNullableType,
  type GraphQLCompositeType,
  isAbstractType,
  isCompositeType,
  isListType,
  isObjectType,
  isUnionType,
  Kind,
  type OperationDefinitionNode,
  parse,
  type SelectionSetNode,
} from "graphql";
// @ts-types="@types/relay-runtime"
import type {
  ConcreteRequest,
  NormalizationArgument,
  NormalizationSelection,
  ReaderSelection,
} from "relay-runtime";
import { SCHEMA } from "./http_mock.ts";

/** The field of the artifact that is a connection, and its key. */
export interface Connection {
  readonly field: string;
  readonly key: string;
}

type Selection = NormalizationSelection & ReaderSelection;

const schema = buildSchema(SCHEMA);

/**
 * What Relay's compiler writes for an operation of the mock's schema: fields with arguments and
 * inline fragments, one field of which may be a connection, as `@connection` says it.
 */
export function toRelayArtifact(text: string, connection?: Connection): ConcreteRequest {
  const operation = operationOf(text);
  const root = schema.getRootType(operation.operation);
  if (root == null) throw new RangeError(`Cannot compile "${text}": it has no type`);
  const name = operation.name?.value ?? "";
  const selections = selectionsOf(operation.selectionSet, root);
  const argumentDefinitions = (operation.variableDefinitions ?? []).map(({ variable }) => ({
    kind: "LocalArgument" as const,
    name: variable.name.value,
    defaultValue: null,
  }));
  return {
    kind: "Request",
    fragment: {
      kind: "Fragment",
      name,
      argumentDefinitions,
      metadata: null,
      selections: selections.map((selection) => readConnection(selection, connection)),
      type: root.name,
      abstractKey: null,
    },
    operation: {
      kind: "Operation",
      name,
      argumentDefinitions,
      selections: [...selections, ...handlesOf(selections, connection)],
    },
    params: {
      id: null,
      cacheID: name,
      metadata: {},
      name,
      operationKind: operation.operation,
      text,
    },
  };
}

function operationOf(text: string): OperationDefinitionNode {
  const [first] = parse(text).definitions;
  if (first?.kind === Kind.OPERATION_DEFINITION) return first;
  throw new RangeError(`Cannot compile "${text}": it starts with no operation`);
}

function selectionsOf({ selections }: SelectionSetNode, parent: GraphQLCompositeType): Selection[] {
  return selections.map((node): Selection => {
    if (node.kind === Kind.FIELD) return toField(node, parent);
    const type = node.kind === Kind.INLINE_FRAGMENT && node.typeCondition?.name.value;
    const condition = type ? schema.getType(type) : undefined;
    if (node.kind !== Kind.INLINE_FRAGMENT || !isObjectType(condition)) {
      throw new RangeError(`Cannot compile a fragment of "${parent.name}": it has no object type`);
    }
    return {
      kind: "InlineFragment",
      type: condition.name,
      abstractKey: null,
      selections: selectionsOf(node.selectionSet, condition),
    };
  });
}

function toField(node: FieldNode, parent: GraphQLCompositeType): Selection {
  const name = node.name.value;
  const scalar = { kind: "ScalarField", alias: null, args: null, name, storageKey: null } as const;
  if (name === "__typename" || isUnionType(parent)) return scalar;
  const output = parent.getFields()[name]?.type;
  const type = output && getNamedType(output);
  if (output === undefined || !isCompositeType(type) || node.selectionSet === undefined) {
    return scalar;
  }
  return {
    ...scalar,
    kind: "LinkedField",
    args: argumentsOf(node),
    concreteType: isAbstractType(type) ? null : type.name,
    plural: isListType(getNullableType(output)),
    selections: selectionsOf(node.selectionSet, type),
  };
}

function argumentsOf(node: FieldNode): NormalizationArgument[] {
  const values = (node.arguments ?? []).map(({ name, value }): NormalizationArgument =>
    value.kind === Kind.VARIABLE
      ? { kind: "Variable", name: name.value, variableName: value.name.value }
      : { kind: "Literal", name: name.value, value: "value" in value ? Number(value.value) : null }
  );
  return values.sort((a, b) => a.name < b.name ? -1 : 1);
}

/** The field under which the connection handler keeps all pages. */
function readConnection(selection: Selection, connection?: Connection): Selection {
  if (selection.kind !== "LinkedField" || selection.name !== connection?.field) return selection;
  const { name, key } = { name: selection.name, key: connection.key };
  return { ...selection, alias: name, args: null, name: `__${key}_connection` };
}

function handlesOf(
  selections: readonly Selection[],
  connection?: Connection,
): NormalizationSelection[] {
  return selections.flatMap((selection): NormalizationSelection[] => {
    if (selection.kind !== "LinkedField" || selection.name !== connection?.field) return [];
    const { name, args } = selection as { name: string; args?: NormalizationArgument[] };
    const { key } = connection;
    return [{
      kind: "LinkedHandle",
      alias: null,
      name,
      args,
      filters: null,
      handle: "connection",
      key,
    }];
  });
}
