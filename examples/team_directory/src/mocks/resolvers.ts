import { mockGraphQLFieldResolver as resolve, type ResolverMap } from "@trestle/mirage-graphql";
import type { Registry, Server } from "miragejs";

/** What every resolver finds in its context. */
export interface MockContext {
  readonly mockSchema: Server<Registry<never, never>>["schema"];
  readonly viewerId: string;
}

interface Connection<Node> {
  readonly nodes: Node[];
}

interface PersonNode {
  readonly name: string;
  readonly title: string;
  readonly city: string;
  readonly startedOn: string;
}

/**
 * Only what can't be derived from the schema is here: who is signed in, search and sorting, the
 * date of a new record, and one business rule. Everything else is resolved automatically.
 */
export const resolvers: ResolverMap<MockContext> = {
  Query: {
    viewer: (obj, _args, context, info) => resolve(obj, { id: context.viewerId }, context, info),

    people(obj, { search, sort, first, after, ...filters }, context, info) {
      const { nodes } = resolve<Connection<PersonNode>>(obj, filters, context, info);
      const people = nodes.filter((person) => isFound(person, search)).sort(ORDERS[`${sort}`]);
      return resolve({ people }, { first, after }, context, info);
    },

    feed(obj, page, context, info) {
      const { nodes } = resolve<Connection<{ at: string }>>(obj, {}, context, info);
      const feed = nodes.sort((a, b) => b.at.localeCompare(a.at));
      return resolve({ feed }, page, context, info);
    },
  },

  Mutation: {
    createPerson(obj, { input }, context, info) {
      const at = new Date().toISOString();
      const newPerson = { ...input as object, startedOn: at.slice(0, 10) };
      const person = resolve<{ id: string }>(obj, { input: newPerson }, context, info);
      context.mockSchema.create("arrival" as never, { at, personId: person.id } as never);
      return person;
    },

    deletePerson(obj, args, context, info) {
      if (args.id === context.viewerId) throw new Error("You can't remove yourself.");
      return resolve(obj, args, context, info);
    },

    createShoutout(obj, { input }, context, info) {
      const at = new Date().toISOString();
      const shoutout = { ...input as object, at, fromId: context.viewerId };
      return resolve(obj, { input: shoutout }, context, info);
    },
  },
};

const ORDERS: Readonly<Record<string, ((a: PersonNode, b: PersonNode) => number) | undefined>> = {
  NAME: (a, b) => a.name.localeCompare(b.name),
  NEWEST: (a, b) => b.startedOn.localeCompare(a.startedOn),
};

function isFound({ name, title, city }: PersonNode, search: unknown): boolean {
  if (typeof search !== "string") return true;
  return `${name} ${title} ${city}`.toLowerCase().includes(search.trim().toLowerCase());
}
