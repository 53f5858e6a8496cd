import {
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  isExecutableDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  parse,
  print,
} from "graphql";
import { scanScript } from "./scan_script.ts";

/** A file of an app. */
export interface SourceFile {
  /** Its path, for messages. */
  readonly path: string;
  readonly text: string;
}

/** Where a definition stands. */
export interface Place {
  readonly path: string;
  /** The line, from 1. */
  readonly line: number;
}

/** A part of a document, and where it stands. */
export interface Placed<Node> extends Place {
  readonly node: Node;
}

/** What a file has of GraphQL. */
export interface FileDocuments {
  readonly operations: readonly Placed<OperationDefinitionNode>[];
  readonly fragments: readonly Placed<FragmentDefinitionNode>[];
  /** What can't be read, and why. */
  readonly faults: readonly (Place & { readonly reason: string })[];
}

const DOCUMENT = /\.(graphqls?|gql)$/i;
const WITH_SCRIPTS = /\.(vue|svelte|html?)$/i;

/**
 * Reads the operations and fragments of a file by its ending: a document of GraphQL, the scripts of a
 * component of Vue or Svelte, or a script. Definitions of types are ignored.
 */
export function readDocuments({ path, text }: SourceFile): FileDocuments {
  const texts = DOCUMENT.test(path)
    ? [{ text, isJson: false, line: 1 }]
    : scanScript(WITH_SCRIPTS.test(path) ? scriptsOf(text) : text);
  const operations: Placed<OperationDefinitionNode>[] = [];
  const fragments: Placed<FragmentDefinitionNode>[] = [];
  const faults: (Place & { reason: string })[] = [];
  for (const found of texts) {
    if (found.text.replaceAll(/#.*|[\s,]/g, "") === "") continue;
    if ("inner" in found && found.inner !== undefined) {
      const reason =
        `only the app knows the value of "${found.inner}", which is part of a selection`;
      faults.push({ path, line: found.line, reason });
      continue;
    }
    try {
      const document = found.isJson ? fromJson(found.text) : parse(found.text);
      for (const node of document.definitions.filter(isExecutableDefinitionNode)) {
        const line = found.line + (found.isJson ? 0 : (node.loc?.startToken.line ?? 1) - 1);
        if (node.kind === Kind.FRAGMENT_DEFINITION) fragments.push({ path, line, node });
        else if (node.kind === Kind.OPERATION_DEFINITION) operations.push({ path, line, node });
      }
    } catch (error) {
      const [place] = error instanceof GraphQLError ? error.locations ?? [] : [];
      const reason = error instanceof Error ? error.message : String(error);
      faults.push({ path, line: found.line + (place?.line ?? 1) - 1, reason });
    }
  }
  return { operations, fragments, faults };
}

/** What code generators write is the document without its locations; others may write anything. */
function fromJson(text: string): DocumentNode {
  try {
    return parse(print(JSON.parse(text)));
  } catch (cause) {
    throw new Error("Cannot read this object: it is not a document of GraphQL", { cause });
  }
}

/** The scripts of a component, on their lines. */
function scriptsOf(text: string): string {
  let [at, scripts] = [0, ""];
  for (const match of text.matchAll(/(<script\b[^>]*>)([\s\S]*?)<\/script>/gi)) {
    const [, tag = "", script = ""] = match;
    const start = match.index + tag.length;
    scripts += text.slice(at, start).replaceAll(/[^\n]/g, "") + script;
    at = start + script.length;
  }
  return scripts;
}
