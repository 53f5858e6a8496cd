import {
  type ArgumentNode,
  type ASTNode,
  type ConstValueNode,
  type DirectiveNode,
  type DocumentNode,
  type FieldNode,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  parseType,
  type TypeNode,
  type VariableDefinitionNode,
  visit,
} from "graphql";

/** Stands for a field of the client, because a selection must not be empty. */
const TYPE_NAME: FieldNode = {
  kind: Kind.FIELD,
  name: { kind: Kind.NAME, value: "__typename" },
};

/**
 * The document that a client sends for one of an app: without fields that have `@client` or are Relay's own `__id`, without the
 * directives that the schema doesn't have, and with the arguments of Relay's fragments as variables of
 * the operation.
 *
 * @example
 * ```ts
 * import { strictEqual } from "node:assert/strict";
 * import { buildSchema, parse, print } from "graphql";
 * import { toSentDocument } from "./sent_document.ts";
 *
 * const schema = buildSchema("type Query { people: [String!] }");
 * const document = parse("{ people @connection(key: \"people\") isOpen @client }");
 * strictEqual(print(toSentDocument(schema, document)), "{\n  people\n  __typename\n}");
 * ```
 */
export function toSentDocument(graphQLSchema: GraphQLSchema, document: DocumentNode): DocumentNode {
  const before = variablesIn(document);
  const isKnown = ({ name }: DirectiveNode) =>
    graphQLSchema.getDirective(name.value) !== undefined &&
    graphQLSchema.getDirective(name.value) !== null;
  const sent: DocumentNode = visit(document, {
    Field: ({ name, directives }) => {
      const isOfRelay = name.value === "__id";
      const isLocal = isOfRelay || directives?.some((one) => one.name.value === "client");
      return isLocal ? TYPE_NAME : undefined;
    },
    Directive: (directive) => isKnown(directive) ? undefined : null,
  });
  const after = variablesIn(sent);
  const isUsed = ({ variable: { name } }: VariableDefinitionNode) =>
    after.has(name.value) || !before.has(name.value);
  const local = localVariables(document);
  return {
    ...sent,
    definitions: sent.definitions.map((definition) => {
      if (definition.kind !== Kind.OPERATION_DEFINITION) return definition;
      return withVariables(definition, isUsed, local, after);
    }),
  };
}

function withVariables(
  operation: OperationDefinitionNode,
  isUsed: (definition: VariableDefinitionNode) => boolean,
  local: readonly VariableDefinitionNode[],
  used: ReadonlySet<string>,
): OperationDefinitionNode {
  const own = (operation.variableDefinitions ?? []).filter(isUsed);
  const names = new Set(own.map(({ variable }) => variable.name.value));
  const added = local.filter(({ variable: { name: { value } } }) =>
    used.has(value) && !names.has(value)
  );
  return { ...operation, variableDefinitions: [...own, ...added] };
}

/** The names of the variables that selections use. */
function variablesIn(document: DocumentNode): ReadonlySet<string> {
  const names = new Set<string>();
  visit(document, {
    VariableDefinition: () => false,
    Variable: ({ name }) => void names.add(name.value),
  });
  return names;
}

/** `@argumentDefinitions(count: { type: "Int", defaultValue: 10 })` of Relay's fragments. */
function localVariables(document: DocumentNode): readonly VariableDefinitionNode[] {
  const found = new Map<string, VariableDefinitionNode>();
  visit(document, {
    Directive({ name, arguments: args = [] }) {
      if (name.value !== "argumentDefinitions") return;
      for (const argument of args) {
        const definition = toDefinition(argument);
        if (definition !== undefined) found.set(argument.name.value, definition);
      }
    },
  });
  return [...found.values()];
}

function toDefinition({ name, value }: ArgumentNode): VariableDefinitionNode | undefined {
  if (value.kind !== Kind.OBJECT) return undefined;
  const part = (key: string) => value.fields.find((field) => field.name.value === key)?.value;
  const [type, defaultValue] = [part("type"), part("defaultValue")];
  const parsed = type?.kind === Kind.STRING ? typeOf(type.value) : undefined;
  if (parsed === undefined) return undefined;
  return {
    kind: Kind.VARIABLE_DEFINITION,
    variable: { kind: Kind.VARIABLE, name },
    type: parsed,
    ...isConst(defaultValue) && { defaultValue },
  };
}

/** A type; `undefined` if it is none, so that its variable is not defined. */
function typeOf(text: string): TypeNode | undefined {
  try {
    return parseType(text);
  } catch {
    return undefined;
  }
}

function isConst(value: ASTNode | undefined): value is ConstValueNode {
  return value !== undefined && value.kind !== Kind.VARIABLE;
}
