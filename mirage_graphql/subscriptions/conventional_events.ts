import { getNullableType, type GraphQLError, type GraphQLField } from "graphql";
import type { ResolverCall } from "../arguments/call.ts";
import type { Orm } from "../orm/orm.ts";
import { CHANGE_KINDS } from "../orm/records/record_changes.ts";
import { EventQueue } from "./event_queue.ts";
import { type OpenEvents, SubscriptionEvent } from "./subscription.ts";

/**
 * What a field of the subscription type reports by convention: the values of the query with its name
 * and its type; without one, nothing, with one warning, if unknown arguments are ignored too.
 *
 * @param error What is reported if its name describes no changes.
 * @returns `undefined` if that error has to be thrown.
 */
export function createConventionalEvents(
  orm: Orm,
  field: GraphQLField<unknown, unknown>,
  error: GraphQLError,
): OpenEvents | undefined {
  const queryField = sameQueryField(orm, field);
  if (queryField !== undefined) return (call) => openLiveQuery(orm, queryField, call);
  if (orm.conventions.unknownArguments === "error") return undefined;
  return () => {
    orm.warnOnce(`${error.message}. It stays open without events`);
    return new EventQueue<SubscriptionEvent>({ name: field.name });
  };
}

/** The field of the query type that has the name and the type of a subscription's. */
function sameQueryField(
  { graphQLSchema }: Orm,
  { name, type }: GraphQLField<unknown, unknown>,
): GraphQLField<unknown, unknown> | undefined {
  const field = graphQLSchema.getQueryType()?.getFields()[name];
  const isSame = field && String(getNullableType(field.type)) === String(getNullableType(type));
  return isSame ? field : undefined;
}

/**
 * The values of a query: the one now, and one after each later write. While one waits to be read,
 * further writes add none, because its value is read with it.
 */
function openLiveQuery(
  orm: Orm,
  { name, resolve, type: returnType }: GraphQLField<unknown, unknown>,
  { source, args, context, info }: ResolverCall,
): AsyncIterable<SubscriptionEvent> {
  const parentType = orm.graphQLSchema.getQueryType() ?? info.parentType;
  let isWaiting = false;
  const read = () => {
    isWaiting = false;
    return resolve?.(source, args, context, { ...info, parentType, returnType });
  };
  const push = () => {
    if (isWaiting) return;
    isWaiting = true;
    queue.push(new SubscriptionEvent(name, read));
  };
  const stops = CHANGE_KINDS.map((kind) =>
    orm.changes.listen({ kind, models: orm.models.models, onChange: push })
  );
  const onEnd = () => stops.forEach((stop) => stop());
  const queue = new EventQueue<SubscriptionEvent>({ name, onEnd });
  push();
  return queue;
}
