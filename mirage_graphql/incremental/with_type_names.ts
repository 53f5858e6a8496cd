import { type DocumentNode, type FieldNode, Kind, type SelectionSetNode, visit } from "graphql";
import { isOperation, type ValidDocument } from "../request/document_cache.ts";

/** The name under which every object of a result has its type. */
export const TYPE_NAME = "__typeOfPart";

const FIELD: FieldNode = {
  kind: Kind.FIELD,
  alias: { kind: Kind.NAME, value: TYPE_NAME },
  name: { kind: Kind.NAME, value: "__typename" },
};

const prepared = new WeakMap<DocumentNode, ValidDocument>();

/** The document of a result that can be split: every object has its type, too. */
export function withTypeNames(checked: ValidDocument): ValidDocument {
  const known = prepared.get(checked.document);
  if (known !== undefined) return known;
  const document = visit(checked.document, {
    SelectionSet: {
      leave: (node: SelectionSetNode) => ({ ...node, selections: [...node.selections, FIELD] }),
    },
  });
  const typed = { document, operations: document.definitions.filter(isOperation) };
  prepared.set(checked.document, typed);
  return typed;
}
