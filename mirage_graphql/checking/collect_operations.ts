import {
  type DefinitionNode,
  type DocumentNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  print,
  visit,
} from "graphql";
import type { OperationType } from "../execution/graphql_request.ts";
import type { FileDocuments, Place, Placed } from "./read_documents.ts";

/** An operation of an app, with the fragments that it uses. */
export interface AppOperation extends Place {
  /** Its name; `undefined` for an anonymous one. */
  readonly name: string | undefined;
  readonly type: OperationType;
  readonly document: DocumentNode;
}

/**
 * Collects the operations of files, with their fragments from any of these files, of the same file
 * first. One that is found twice, as in a file that a code generator has written, is listed once.
 */
export function collectOperations(files: readonly FileDocuments[]): readonly AppOperation[] {
  const fragments = files.flatMap((file) => file.fragments);
  const operations = new Map<string, AppOperation>();
  for (const one of files.flatMap((file) => file.operations)) {
    const operation = toOperation(one, fragments);
    const key = textOf(operation.document);
    if (!operations.has(key)) operations.set(key, operation);
  }
  return [...operations.values()];
}

function toOperation(
  { node, path, line }: Placed<OperationDefinitionNode>,
  fragments: readonly Placed<FragmentDefinitionNode>[],
): AppOperation {
  const find = (name: string) => {
    const named = fragments.filter((one) => one.node.name.value === name);
    return named.find((one) => one.path === path) ?? named[0];
  };
  const used = new Map<string, FragmentDefinitionNode>();
  const definitions: DefinitionNode[] = [node];
  // grows while it is walked
  for (const definition of definitions) {
    visit(definition, {
      FragmentSpread({ name: { value } }) {
        const fragment = used.has(value) ? undefined : find(value);
        if (fragment === undefined) return;
        used.set(value, fragment.node);
        definitions.push(fragment.node);
      },
    });
  }
  return {
    ...{ path, line },
    name: node.name?.value,
    type: node.operation,
    document: { kind: Kind.DOCUMENT, definitions },
  };
}

/** What two forms of one operation share: code generators add `__typename`, and order fragments. */
function textOf(document: DocumentNode): string {
  const plain = visit(document, {
    Field: ({ name, alias }) => name.value === "__typename" && !alias ? null : undefined,
  });
  return plain.definitions.map((one) => print(one)).sort().join("\n");
}
