import {
  type DocumentNode,
  type ExecutionResult,
  type FieldNode,
  getDirectiveValues,
  type GraphQLError,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
  visit,
} from "graphql";
import { DEFER, STREAM } from "../schema/incremental_directives.ts";
import { appliesTo, collectFields, type SelectionContext } from "../shared/selection.ts";
import { isMap } from "../shared/values.ts";
import { isOperation, type ValidDocument } from "../execution/document_cache.ts";

type Path = readonly (string | number)[];

/** A part of a response that comes later (incremental delivery of 2022-08-24). */
export interface LaterPart {
  /** The fields of a deferred fragment. */
  readonly data?: unknown;
  /** Elements of a streamed list. */
  readonly items?: readonly unknown[];
  /** Where it belongs. */
  readonly path: Path;
  readonly label?: string;
  readonly errors?: readonly GraphQLError[];
}

/** What is deferred or streamed as a whole: a fragment, or the rest of a list. */
export interface PartGroup {
  readonly path: Path;
  readonly label?: string;
}

/** A part that comes later, and what it belongs to. */
export interface SplitPart {
  readonly part: LaterPart;
  readonly group: PartGroup;
  /** The part that has its place; `undefined` if the first one has. */
  readonly parent: SplitPart | undefined;
}

/** A response in parts. */
export interface SplitResult {
  readonly first: ExecutionResult;
  /** Each comes after its parent. */
  readonly later: readonly SplitPart[];
}

/** An object whose fields are cut, and where it is in the response. */
interface Place {
  readonly value: Readonly<Record<string, unknown>>;
  readonly path: Path;
}

/**
 * Splits a complete result by the `@defer` and `@stream` of its operation. The result has the type
 * of every object, as `withTypeNames()` selects it.
 */
export function splitResult(
  selection: SelectionContext,
  operation: OperationDefinitionNode,
  { data, errors = [], ...rest }: ExecutionResult,
): SplitResult {
  const later: PartInProgress[] = [];
  const cut = new Cut(selection, later);
  const first = cut.value(data, [operation.selectionSet], []);
  const left = new Set(errors);
  for (const one of later) {
    const { part } = one;
    const own = errors.filter((error) => left.has(error) && isWithin(error, part, first));
    own.forEach((error) => left.delete(error));
    if (own.length > 0) one.part = { ...part, errors: own };
  }
  const others = [...left];
  const result = { ...rest, data: isMap(first) ? first : null };
  return { first: others.length === 0 ? result : { ...result, errors: others }, later };
}

interface PartInProgress extends SplitPart {
  part: LaterPart;
}

/** Copies what is selected of a result, and puts the parts that come later into a list. */
class Cut {
  /** The part whose contents are being copied. */
  #parent: PartInProgress | undefined;

  constructor(
    private readonly selection: SelectionContext,
    private readonly later: PartInProgress[],
  ) {}

  value(value: unknown, selectionSets: readonly SelectionSetNode[], path: Path): unknown {
    if (Array.isArray(value)) {
      return value.map((item, index) => this.value(item, selectionSets, [...path, index]));
    }
    if (!isMap(value) || selectionSets.length === 0) return value;
    return this.#object({ value, path }, selectionSets);
  }

  #object(place: Place, selectionSets: readonly SelectionSetNode[]): Record<string, unknown> {
    const { value, path } = place;
    const typeName = String(value[TYPE_NAME]);
    const { fields, deferred } = collectParts(this.selection, typeName, selectionSets);
    // without a prototype, because a field may have the alias __proto__
    const object: Record<string, unknown> = Object.create(null);
    for (const [key, nodes] of fields) {
      if (Object.hasOwn(value, key)) object[key] = this.#field(value[key], nodes, [...path, key]);
    }
    for (const one of deferred) this.#defer(place, one);
    return object;
  }

  #defer(place: Place, { label, selectionSet }: Deferred): void {
    const group = { path: place.path, ...(label !== undefined && { label }) };
    this.#later(group, group, () => ({ data: this.#object(place, [selectionSet]) }));
  }

  /** Adds a part, before those that are deferred within it. */
  #later(group: PartGroup, part: LaterPart, contents: () => Partial<LaterPart>): void {
    const parent = this.#parent;
    const one: PartInProgress = { group, part, parent };
    this.later.push(one);
    this.#parent = one;
    one.part = { ...contents(), ...part };
    this.#parent = parent;
  }

  #field(value: unknown, nodes: readonly FieldNode[], path: Path): unknown {
    const selectionSets = nodes.flatMap(({ selectionSet }) => selectionSet ?? []);
    const stream = Array.isArray(value) ? streamOf(this.selection, nodes) : undefined;
    if (stream === undefined || !Array.isArray(value)) {
      return this.value(value, selectionSets, path);
    }
    const { initialCount, label } = stream;
    const first = this.value(value.slice(0, initialCount), selectionSets, path);
    const group = { path, ...(label !== undefined && { label }) };
    for (const [index, item] of value.entries()) {
      if (index < initialCount) continue;
      const part = { ...group, path: [...path, index] };
      this.#later(group, part, () => ({ items: [this.value(item, selectionSets, part.path)] }));
    }
    return first;
  }
}

/** A fragment that comes later. */
interface Deferred {
  readonly label: string | undefined;
  readonly selectionSet: SelectionSetNode;
}

/** Collects the fields of an object, and the fragments of it that come later. */
function collectParts(
  selection: SelectionContext,
  typeName: string,
  selectionSets: readonly SelectionSetNode[],
) {
  const type = selection.graphQLSchema.getType(typeName);
  const deferred: Deferred[] = [];
  const fields = collectFields(selection, type, selectionSets, (fragment, spread) => {
    if (!appliesTo(selection, fragment, type)) return false;
    const values = valuesOf(selection, DEFER, spread);
    if (values?.if !== true) return true;
    deferred.push({ label: labelOf(values), selectionSet: fragment.selectionSet });
    return false;
  });
  return { fields, deferred };
}

/** How the list of a field is cut; `undefined` if it is not cut. */
function streamOf(selection: SelectionContext, nodes: readonly FieldNode[]) {
  for (const node of nodes) {
    const values = valuesOf(selection, STREAM, node);
    if (values?.if === true) {
      return { label: labelOf(values), initialCount: Number(values.initialCount) };
    }
  }
  return undefined;
}

function valuesOf({ variables }: SelectionContext, directive: typeof DEFER, node: SelectionNode) {
  return getDirectiveValues(directive, node, variables);
}

function labelOf({ label }: Readonly<Record<string, unknown>>): string | undefined {
  return typeof label === "string" ? label : undefined;
}

/** Whether an error belongs to a part: its path leads into the part, and not into the first one. */
function isWithin({ path = [] }: GraphQLError, part: LaterPart, first: unknown): boolean {
  const isBelow = part.path.every((key, index) => path[index] === key);
  if (!isBelow || leadsTo(first, path)) return false;
  const holder = part.items === undefined ? part.data : part.items[0];
  const [key] = path.slice(part.path.length);
  return key === undefined || (isMap(holder) && Object.hasOwn(holder, String(key)));
}

function leadsTo(value: unknown, path: Path): boolean {
  let current = value;
  for (const key of path) {
    if (typeof current !== "object" || current === null) return true; // an error made it null
    if (!Object.hasOwn(current, key)) return false;
    current = Reflect.get(current, key);
  }
  return true;
}

/** The name under which every object of a result has its type. */
const TYPE_NAME = "__typeOfPart";

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
