import type { GraphQLError, GraphQLField, GraphQLObjectType } from "graphql";
import type { Dialect } from "../dialects/dialect.ts";
import type { Orm } from "../orm/orm.ts";
import type { NestedConventions } from "../orm/writes/nested_conventions.ts";
import type { Follow } from "../orm/writes/write_context.ts";
import type { ListArguments, ListField } from "../arguments/filter.ts";
import type { ListReading } from "../arguments/list_reading.ts";
import type { ListGuesses } from "../arguments/list_words.ts";
import type { Resolve } from "../arguments/call.ts";
import type { DescribeTypes } from "../schema/shapes.ts";
import type { WriteRules } from "../mutations/mutation.ts";
import type { Sessions } from "../sessions/sessions.ts";
import type { OpenEvents } from "../subscriptions/subscription.ts";

type Field = GraphQLField<unknown, unknown>;

/** The code that follows dialects; a handler without any does not have it. */
export interface DialectEngine {
  /** Recognizes the pages and the aggregates among the types of a schema. */
  readonly describeTypes: DescribeTypes;
  /** Determines which arguments of a field page, sort and filter. */
  createListArguments(orm: Orm, field: ListField): ListArguments;
  /** Resolves a number or an aggregate of records; `undefined` if the field is neither. */
  createCountResolver(orm: Orm, parentType: GraphQLObjectType, field: Field): Resolve | undefined;
  /** Resolves a field that describes a page; `undefined` if it doesn't. */
  createFactResolver(orm: Orm, parentType: GraphQLObjectType, field: Field): Resolve | undefined;
  /** Resolves a connection of scalars. */
  createScalarConnectionResolver(orm: Orm, parentType: GraphQLObjectType, field: Field): Resolve;
  /** Resolves an object whose lists share a page. */
  createSharedPageResolver(orm: Orm, field: Field): Resolve;
  /** Resolves a list of such an object. */
  createSharedListResolver(orm: Orm, parentType: GraphQLObjectType, field: Field): Resolve;
  /** What a subscription reports whose name describes no changes; `undefined` if that is an error. */
  createConventionalEvents(orm: Orm, field: Field, error: GraphQLError): OpenEvents | undefined;
  /** Creates the rules of mutations. */
  createWriteRules(orm: Orm): WriteRules;
  /** How the arguments of lists are read, for what explains it. */
  readonly reading: ListReading;
  /** Interprets names by the words that a dialect has; left out, dialects have only rules. */
  readonly guesses?: ListGuesses;
  /** Creates the sessions of a handler; left out, its dialects have only rules. */
  readonly createSessions?: (orm: Orm) => Sessions;
  /** Creates what keeps totals; `undefined` if the schema has none, or dialects have only rules. */
  readonly createTotals?: (orm: Orm) => Totals | undefined;
}

/** What operations wait for. */
interface BeforeOperation {
  restore(): unknown;
  reset(): void;
}

/** Keeps totals in step with the records that mutations change. */
export interface Totals {
  readonly follow: Follow;
  /** Lets the first operation wait for its code, besides what it waits for anyway. */
  before(others: BeforeOperation | undefined): BeforeOperation;
}

/** A dialect with the code that follows it. */
export interface DefinedDialect extends Dialect {
  readonly engine: DialectEngine;
}

/** What resolvers need: the models and the records, and the code that follows dialects, if any. */
export interface MockOrm extends Orm {
  readonly engine?: DialectEngine | undefined;
  /** The rules of its mutations; only types say what they do if it is left out. */
  readonly writes?: WriteRules | undefined;
  readonly nested?: NestedConventions | undefined;
  readonly totals?: Totals | undefined;
  readonly follow?: Follow | undefined;
  /** The users who are logged in; none if it is left out. */
  readonly sessions?: Sessions | undefined;
}

/** Adds the code that follows the dialects of an ORM, if it has any. */
export function withEngine(orm: Orm): MockOrm {
  const engines = orm.conventions.dialects.filter(isDefined).map(({ engine }) => engine);
  const engine = engines.find(({ guesses }) => guesses !== undefined) ?? engines[0];
  const sessions = orm.conventions.sessions ? engine?.createSessions?.(orm) : undefined;
  if (sessions === undefined && Object.keys(orm.conventions.sessionOptions).length > 0) {
    throw new TypeError(
      'Cannot use the option "sessions" without the dialect "general": it has the rules of sessions',
    );
  }
  const rules = orm.conventions.writes ? engine?.createWriteRules(orm) : undefined;
  const totals = orm.conventions.writes ? engine?.createTotals?.(orm) : undefined;
  const writes = rules && sessions ? sessions.withRules(rules) : rules;
  return {
    ...orm,
    engine,
    writes,
    sessions,
    nested: writes?.nested,
    totals,
    follow: totals?.follow,
  };
}

function isDefined(dialect: Dialect): dialect is DefinedDialect {
  return "engine" in dialect;
}
