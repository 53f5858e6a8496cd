import type { GraphQLError, GraphQLField, GraphQLFieldResolver, GraphQLObjectType } from "graphql";
import type { Resolve, ResolverCall } from "../arguments/call.ts";
import { createFilterPlan, type FilterPlan, type ListOrm } from "../arguments/filter.ts";
import { readProperty, toResolved } from "../fields/source.ts";
import type { MockModel } from "../orm/models/model_map.ts";
import type { Orm } from "../orm/orm.ts";
import {
  type Convertible,
  TO_RESOLVER_VALUE,
  type ToResolverValue,
} from "../orm/records/record_store.ts";
import type { ChangeKind, RecordChange } from "../orm/records/record_changes.ts";
import { toResolverValue } from "../orm/resolver_object.ts";
import type { ResolverObject } from "../schema/resolver_map.ts";
import { UnresolvedField } from "../shared/unresolved_field.ts";
import { isObject } from "../shared/values.ts";
import { EventQueue } from "./event_queue.ts";
import { planSubscription, type SubscriptionPlan } from "./subscription_plan.ts";

/** One event of a field with an automatic subscription: the source of its resolver. */
export class SubscriptionEvent implements Convertible {
  /** Stores the value of the field; it is a function, because reading it may throw. */
  constructor(readonly fieldName: string, readonly value: () => unknown) {}

  /** What a user-defined resolver receives: an object with the field's value. */
  [TO_RESOLVER_VALUE](show: ToResolverValue): Record<string, unknown> {
    return { [this.fieldName]: show(this.value()) };
  }
}

/** Opens the events of one call. */
export type OpenEvents = (call: ResolverCall) => AsyncIterable<SubscriptionEvent>;

/** What subscriptions need: records, and the code of what they report by convention. */
export interface SubscriptionOrm extends ListOrm {
  readonly engine?:
    | NonNullable<ListOrm["engine"]> & {
      createConventionalEvents(
        orm: Orm,
        field: GraphQLField<unknown, unknown>,
        error: GraphQLError,
      ): OpenEvents | undefined;
    }
    | undefined;
}

/** A plan with the filter of its field's arguments. */
interface FilteredPlan extends SubscriptionPlan {
  readonly filter: FilterPlan;
}

/**
 * Plans the events of a field of the subscription type: the changes of records that its name and
 * its type describe and that match its arguments.
 *
 * @throws {GraphQLError} On subscribing, if the field describes no changes.
 */
function createSubscribe(
  orm: SubscriptionOrm,
  parentType: GraphQLObjectType,
  field: GraphQLField<unknown, unknown>,
): OpenEvents {
  let open: OpenEvents | undefined;
  return (call) => {
    open ??= planEvents(orm, parentType, field);
    return open(call);
  };
}

/** Chooses what a field reports: changes by its name, or by convention the values of a query. */
function planEvents(
  orm: SubscriptionOrm,
  parentType: GraphQLObjectType,
  field: GraphQLField<unknown, unknown>,
): OpenEvents {
  const plan = planSubscription(orm, field);
  if (typeof plan !== "string") {
    const filter = createFilterPlan(orm, parentType, field, plan.types);
    const typeName = plan.types.map(({ name }) => name).join(" or ");
    const filtered = { ...plan, filter: { ...filter, typeName } };
    return (call) => openEvents(orm, field.name, filtered, call);
  }
  const error = unplanned(parentType, field, plan);
  const open = orm.conventions.subscriptions
    ? orm.engine?.createConventionalEvents(orm, field, error)
    : undefined;
  if (open === undefined) throw error;
  return open;
}

function openEvents(
  orm: Orm,
  fieldName: string,
  { kind, filter, toValue }: FilteredPlan,
  call: ResolverCall,
): AsyncIterable<SubscriptionEvent> {
  const fits = filter.fits?.(call);
  const toEvent = (change: RecordChange): SubscriptionEvent | undefined => {
    try {
      if (fits !== undefined && !fits(change.record, change.model)) return undefined;
    } catch (error) {
      return new SubscriptionEvent(fieldName, () => {
        throw error;
      });
    }
    const value = toValue(change);
    return new SubscriptionEvent(fieldName, () => value);
  };
  const stop = orm.changes.listen({
    kind,
    models: filter.models,
    onChange(change) {
      const event = toEvent(change);
      if (event !== undefined) queue.push(event);
    },
  });
  const queue = new EventQueue<SubscriptionEvent>({ name: filter.field, onEnd: stop });
  return queue;
}

/** Reports the records of one model to which something has happened, as resolvers receive them. */
export function openChanges(
  orm: Orm,
  { model, kind }: { readonly model: MockModel; readonly kind: ChangeKind },
  fits: (record: ResolverObject) => boolean,
): AsyncIterable<object> {
  const stop = orm.changes.listen({
    kind,
    models: [model],
    onChange({ record }) {
      const value = toResolverValue(orm, record);
      if (isObject(value) && fits(value)) queue.push(value);
    },
  });
  const queue = new EventQueue<object>({ name: `${model.modelName} ${kind}`, onEnd: stop });
  return queue;
}

/**
 * The automatic resolver of a field of the subscription type: returns the value of an event, or the
 * events themselves if the source is the root.
 */
export function createSubscriptionResolver(
  orm: SubscriptionOrm,
  parentType: GraphQLObjectType,
  field: GraphQLField<unknown, unknown>,
): Resolve {
  const subscribe = createSubscribe(orm, parentType, field);
  return (call) => {
    const isEvent = call.source instanceof SubscriptionEvent ||
      isObject(call.source) && field.name in call.source;
    return isEvent ? readEvent(call, field.name) : subscribe(call);
  };
}

/** The value of an event for its field. */
function readEvent(call: ResolverCall, fieldName: string): unknown {
  const { source } = call;
  return source instanceof SubscriptionEvent
    ? source.value()
    : readProperty(source, fieldName, call);
}

/**
 * Attaches `subscribe` and `resolve` to a field of the subscription type; user-defined functions
 * are kept, and receive objects that look like Mirage's models. An iterable of `root` goes before
 * automatic events.
 */
export function attachSubscription(
  orm: SubscriptionOrm,
  parentType: GraphQLObjectType,
  field: GraphQLField<unknown, unknown>,
): void {
  const { subscribe, resolve } = field;
  const automatic = createSubscribe(orm, parentType, field);
  field.subscribe = withResolverRoot(
    orm,
    subscribe ?? ((source, args, context, info) => {
      const call = { source, args, context, info };
      return readProperty(source, field.name, call) ?? automatic(call);
    }),
  );
  field.resolve = resolve === undefined || resolve === null
    ? (source, args, context, info) =>
      toResolved(readEvent({ source, args, context, info }, field.name))
    : (source, args, context, info) =>
      toResolved(resolve(toResolverValue(orm, source), args, context, info));
}

function withResolverRoot(
  orm: Orm,
  subscribe: GraphQLFieldResolver<unknown, unknown>,
): GraphQLFieldResolver<unknown, unknown> {
  return async (source, args, context, info) =>
    toAsyncIterable(await subscribe(toResolverValue(orm, source), args, context, info));
}

/** graphql-js expects an iterable; a bare iterator becomes one. */
function toAsyncIterable(value: unknown): unknown {
  if (!isObject(value) || Symbol.asyncIterator in value || typeof value.next !== "function") {
    return value;
  }
  return { [Symbol.asyncIterator]: () => value };
}

function unplanned(
  parentType: GraphQLObjectType,
  { name }: GraphQLField<unknown, unknown>,
  reason: string,
): GraphQLError {
  return new UnresolvedField(
    `Cannot subscribe to "${parentType.name}.${name}": ${reason}. Name it after a type and what ` +
      `happens to it, such as "personCreated: Person", or write a resolver: ` +
      `{ ${parentType.name}: { ${name}: { subscribe(obj, args, context, info) { ... } } } }, ` +
      "which returns an async iterator",
    `${parentType.name}.${name}`,
  );
}
