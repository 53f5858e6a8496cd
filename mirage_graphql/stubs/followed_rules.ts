import {
  type FieldNode,
  getNamedType,
  type GraphQLField,
  type GraphQLObjectType,
  isAbstractType,
  isObjectType,
  valueFromASTUntyped,
} from "graphql";
import type { FilterShape } from "../arguments/filter_shape.ts";
import type { ListReading } from "../arguments/list_reading.ts";
import type { ListWords } from "../arguments/list_words.ts";
import type { Member, Target } from "../arguments/targets.ts";
import type { Dialect, Words } from "../dialects/dialect.ts";
import type { InputValue } from "../schema/types.ts";
import type { FollowedRule } from "../shared/followed_rule.ts";
import type { StubRules } from "./stub_rules.ts";

/** A field of an operation. */
export interface SelectedField {
  readonly field: GraphQLField<unknown, unknown>;
  readonly node: FieldNode;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** The rules of a mock whose dialects have code. */
interface ReadRules extends StubRules {
  readonly reading: ListReading;
}

/** The lines of dialects that the name and the arguments of a field of a query follow. */
export function listRules(
  rules: ReadRules,
  { field, node, variables }: SelectedField,
): FollowedRule[] {
  const { orm: { graphQLSchema, shapeOf, conventions } } = rules;
  const named = getNamedType(field.type);
  const { nodeType = named, kind } = shapeOf(named);
  const types = isAbstractType(nodeType)
    ? graphQLSchema.getPossibleTypes(nodeType)
    : isObjectType(nodeType)
    ? [nodeType]
    : [];
  const trace = new ListTrace(rules, types);
  if (kind === "aggregates") trace.addAggregate(field.name);
  for (const { name: { value: name }, value } of node.arguments ?? []) {
    const input = field.args.find((one) => one.name === name);
    // it is compared with the attribute of its name
    const isMember = types.some((type) => type.getFields()[name] !== undefined);
    const isRead = !isMember && !conventions.ignoreArguments.includes(name);
    if (input && isRead) trace.addInput(input, [name], valueFromASTUntyped(value, variables));
  }
  return trace.found;
}

/** Reads the arguments of one list as the mock does, and collects where dialects have their names. */
class ListTrace {
  readonly found: FollowedRule[] = [];
  readonly #rules: ReadRules;
  readonly #target: Target;

  constructor(rules: ReadRules, types: readonly GraphQLObjectType[]) {
    this.#rules = rules;
    this.#target = rules.reading.createTarget(rules.orm, types);
  }

  addAggregate(name: string): void {
    const { reading } = this.#rules;
    const word = this.#wordOf(name, "aggregate");
    if (word !== undefined) return this.#addWord("aggregate", word);
    for (const { name: dialect, aggregate } of this.#dialects) {
      const pattern = [aggregate?.field ?? []].flat().find((field) =>
        reading.listWordsOf([{ name: dialect, aggregate: { field } }]).aggregated(name)
      );
      if (pattern !== undefined) return this.#push(dialect, "aggregate.field", pattern);
    }
  }

  /** Adds what an argument, and what its value contains, is about. */
  addInput(input: InputValue, path: readonly string[], value: unknown): void {
    if (value === null || value === undefined || this.#addRole(input, path)) return;
    const { orm, reading } = this.#rules;
    const shape = reading.createFilterShape(input.type, this.#target);
    const isPage = this.#words.isGuessing && reading.isPageObject(this.#words, input);
    const roles = Object.keys(isObject(value) ? value : {}).map((name) => {
      const type = shape.typeOf(name);
      return type !== undefined && this.#addRole({ name, type }, [...path, name], isPage);
    });
    if (roles.includes(true) || !orm.conventions.filtering) return;
    this.#addFilterName(input, shape);
    this.#addFilter(shape, value);
  }

  get #words(): ListWords {
    return this.#target.words;
  }

  get #dialects(): readonly Dialect[] {
    return this.#rules.orm.conventions.dialects;
  }

  /** Adds what an argument says about the page or the order, if it does. */
  #addRole(input: InputValue, path: readonly string[], isNested = false): boolean {
    const { orm: { conventions }, reading } = this.#rules;
    const words = this.#words;
    const pattern = path.join(".");
    const page = conventions.paging ? reading.pageKeyOf(words, input, path, isNested) : undefined;
    const order = conventions.ordering && page === undefined
      ? reading.orderRoleOf(words, input, path)
      : undefined;
    if (page !== undefined && words.pageKey(path) === page) {
      this.#add(`list.${page}`, pattern, (own) => own.pageKey(path) !== undefined);
    } else if (page !== undefined) {
      this.#addByWords(input.name, ["limit", "offset", "page"]);
    } else if (order !== undefined && words.orderRole(path) === order) {
      const place = `list.order.${order === "key" ? "argument" : order}`;
      this.#add(place, pattern, (own) => own.orderRole(path) !== undefined);
    } else if (order !== undefined) {
      this.#addByWords(input.name, ["order", "reverse"]);
    }
    return page !== undefined || order !== undefined;
  }

  #addFilterName(input: InputValue, shape: FilterShape): void {
    const { name } = input;
    if (this.#words.isFilter(name)) {
      return this.#add("list.filter.argument", name, (own) => own.isFilter(name));
    }
    if (!this.#words.isGuessing) return;
    const rule = this.#rules.reading.filterRuleOf(input, this.#target);
    if (rule?.kind === "search") this.#addByWords(name, ["search"]);
    else if (rule !== undefined || shape.isFilter) this.#addGuess(name);
  }

  #addFilter(shape: FilterShape, value: unknown): void {
    if (Array.isArray(value)) return value.forEach((one) => this.#addFilter(shape, one));
    if (!isObject(value)) return;
    for (const [name, inner] of Object.entries(value)) this.#addMember(shape, name, inner);
  }

  #addMember(shape: FilterShape, name: string, value: unknown): void {
    const rule = shape.rule(name);
    switch (rule?.kind) {
      case "logic":
        this.#add(`list.filter.${rule.word}`, name, (own) => own.logic(name) !== undefined);
        return this.#addFilter(rule.shape, value);
      case "relation":
        return this.#addRelated(rule.shape, this.#endOf(name, rule.member), value);
      case "operators":
        return this.#addOperators(value);
      case "value":
        return this.#addOperator(this.#endOf(name, rule.member));
      case "aggregate":
        return this.#addFilter(rule.shape, value);
    }
  }

  /** What follows a member in a name: `contains` in `title_contains`. */
  #endOf(name: string, member: Member): string {
    const { wordsOf } = this.#rules;
    return wordsOf(name).slice(wordsOf(member.name).length).join("");
  }

  #addRelated(shape: FilterShape, end: string, value: unknown): void {
    const inside = Object.entries(isObject(value) ? value : {}).filter(([name]) =>
      shape.rule(name) === undefined && this.#words.quantifier(name) !== undefined
    );
    const names = [...end === "" ? [] : [end], ...inside.map(([name]) => name)];
    for (const name of names) {
      this.#add("list.filter.related", name, (own) => own.quantifier(name) !== undefined);
    }
    this.#addFilter(shape, value);
    for (const [, inner] of inside) this.#addFilter(shape, inner);
  }

  /** Operators may be inside another: `{ not: { contains: "a" } }`. */
  #addOperators(value: unknown): void {
    for (const [name, inner] of Object.entries(isObject(value) ? value : {})) {
      const logic = isObject(inner) ? this.#words.logic(name) : undefined;
      if (logic === undefined) this.#addOperator(name);
      else this.#add(`list.filter.${logic}`, name, (own) => own.logic(name) !== undefined);
      this.#addOperators(inner);
    }
  }

  #addOperator(name: string): void {
    if (name === "" || this.#words.operator(name) === undefined) return;
    this.#add("list.filter.operators", name, (own) => own.operator(name) !== undefined);
  }

  /** Adds the line of the first dialect that has it, or else a guess. */
  #add(place: string, pattern: string, has: (own: ListWords) => boolean): void {
    const { reading } = this.#rules;
    const own = this.#dialects.find(({ name, list }) =>
      list !== undefined && has(reading.listWordsOf([{ name, list }]))
    );
    if (own === undefined) this.#addGuess(pattern);
    else this.#push(own.name, place, pattern);
  }

  #addByWords(name: string, kinds: readonly (keyof Words)[]): void {
    for (const kind of kinds) {
      const word = this.#wordOf(name, kind);
      if (word !== undefined) return this.#addWord(kind, word);
    }
    this.#addGuess(name);
  }

  #wordOf(name: string, kind: keyof Words): string | undefined {
    return this.#rules.wordsOf(name).find((word) => this.#words.means(kind, word));
  }

  #addWord(kind: keyof Words, word: string): void {
    const dialect = dialectWithWord(this.#dialects, kind, word);
    if (dialect === undefined) this.#addGuess(word);
    else this.#push(dialect.name, `words.${kind}`, word);
  }

  /** A name around the words of a dialect, such as `notContains`. */
  #addGuess(pattern: string): void {
    const dialect = this.#dialects.find(({ words }) => words !== undefined);
    if (dialect !== undefined) this.#push(dialect.name, "words", pattern);
  }

  #push(dialect: string, place: string, pattern: string): void {
    const isKnown = this.found.some((one) => one.place === place && one.pattern === pattern);
    if (!isKnown) this.found.push({ dialect, place, pattern });
  }
}

/** The lines of dialects that a mutation follows: a rule, or else a word. */
export function mutationRules(
  { orm, names, writes, isBuiltIn }: StubRules,
  { field, node }: SelectedField,
): FollowedRule[] {
  const { dialects } = orm.conventions;
  const verb = names.verb(field.name);
  const refuse = (reason: string) => new Error(reason);
  const subject = { field, names, verb, refuse, parentName: "Mutation", isExplicit: false };
  const followed = writes?.followed(subject);
  if (followed !== undefined) {
    const changes = (node.arguments ?? []).flatMap(({ name: { value } }) => {
      const dialect = dialects.find(({ changes = {} }) => Object.hasOwn(changes, value));
      return dialect ? [{ dialect: dialect.name, place: "changes", pattern: value }] : [];
    });
    return [followed, ...changes];
  }
  const words = names.split(field.name);
  const isSaid = words.some((word) => isBuiltIn(word) && names.words.verbs.get(word) === verb);
  if (isSaid) return [];
  for (const kind of verb === undefined ? GUESSED : [verb]) {
    for (const word of kind === "begin" ? words.slice(0, 1) : words) {
      const dialect = dialectWithWord(dialects, kind, word);
      if (dialect) return [{ dialect: dialect.name, place: `words.${kind}`, pattern: word }];
    }
  }
  return [];
}

/** Words by which mutations are interpreted that have no verb. */
const GUESSED = ["begin", "upsert", "change", "reorder"] as const;

function dialectWithWord(
  dialects: readonly Dialect[],
  kind: keyof Words,
  word: string,
): Dialect | undefined {
  return dialects.find(({ words }) => words?.[kind]?.split(" ").includes(word));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
